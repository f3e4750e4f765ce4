/// The style of a cell: a role that the theme colours, and attributes.
public struct Style: Hashable, Sendable {
    /// What the cell is for.
    public var role: Role
    /// Boldness and the like.
    public var attributes: Attributes

    public init(_ role: Role, _ attributes: Attributes = []) {
        self.role = role
        self.attributes = attributes
    }

    /// Ordinary text.
    public static let plain = Style(.plain)
    /// Text that may be overlooked.
    public static let faint = Style(.faint)
    /// Text that should be found.
    public static let strong = Style(.plain, .bold)

    /// What is selected.
    public static let selected = Style(.plain, [.bold, .reverse])

    /// The same role, bold too.
    public var bold: Style { Style(role, attributes.union(.bold)) }
    /// The same role, dimmed too.
    public var dimmed: Style { Style(role, attributes.union(.dim)) }
    /// The same role, with foreground and background exchanged too.
    public var reversed: Style { Style(role, attributes.union(.reverse)) }

    /// The same role, with other attributes too.
    package func with(_ more: Attributes) -> Style { Style(role, attributes.union(more)) }

    /// What a cell is for; a theme gives each role its colours.
    public enum Role: UInt8, CaseIterable, Hashable, Sendable {
        /// Ordinary text.
        case plain
        /// Text and marks that may be overlooked: ages, units, scale marks.
        case faint
        /// Rules between the parts of the screen.
        case frame
        /// The product's name.
        case brand
        /// Heart rate and pulse rate.
        case heartRate
        /// Oxygen saturation.
        case oxygenSaturation
        /// Body and skin temperature.
        case temperature
        /// Glucose.
        case glucose
        /// A high-priority alarm.
        case alarmHigh
        /// A medium-priority alarm.
        case alarmMedium
        /// A low-priority alarm.
        case alarmLow
        /// The mark of simulated data.
        case simulated
        /// A key's name in the key bar.
        case key
        /// Something works as it should.
        case good
    }

    /// Ways of emphasis that also work without colours.
    public struct Attributes: OptionSet, Hashable, Sendable {
        /// One bit for each attribute.
        public let rawValue: UInt8

        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// Heavier strokes.
        public static let bold = Attributes(rawValue: 1)
        /// Less contrast.
        public static let dim = Attributes(rawValue: 2)
        /// Foreground and background exchanged.
        public static let reverse = Attributes(rawValue: 4)
        /// A line beneath.
        public static let underline = Attributes(rawValue: 8)
        /// Part of a large digit or letter, which is never underlined: a line beneath would look like one of its strokes.
        public static let stroke = Attributes(rawValue: 16)
        /// All of them.
        public static let all: Attributes = [.bold, .dim, .reverse, .underline, .stroke]
        /// Mark of a cell that is reversed and not reversed by turns; it looks like nothing itself.
        public static let flashing = Attributes(rawValue: 32)

        /// A ground in the role's colour, from 1 for the faintest to 3, where there are 256 colours or more.
        package static func tint(_ level: Int) -> Attributes { Attributes(rawValue: UInt8(min(max(0, level), 3)) << 6) }
        /// The level of the ground in the role's colour; 0 for none.
        package var tint: Int { Int(rawValue >> 6) }
    }
}
