/// The style of a cell: a role, which the theme colours, and attributes.
public struct Style: Hashable, Sendable {
    public var role: Role
    /// Boldness and others.
    public var attributes: Attributes

    public init(_ role: Role, _ attributes: Attributes = []) {
        self.role = role
        self.attributes = attributes
    }

    /// Ordinary text.
    public static let plain = Style(.plain)
    /// Less important text.
    public static let faint = Style(.faint)
    /// Emphasised text.
    public static let strong = Style(.plain, .bold)

    public static let selected = Style(.plain, [.bold, .reverse])

    /// The same role, bold too.
    public var bold: Style { Style(role, attributes.union(.bold)) }
    /// The same role, dimmed too.
    public var dimmed: Style { Style(role, attributes.union(.dim)) }
    /// The same role, with foreground and background exchanged too.
    public var reversed: Style { Style(role, attributes.union(.reverse)) }

    /// The same role with additional attributes.
    package func with(_ more: Attributes) -> Style { Style(role, attributes.union(more)) }

    /// The purpose of a cell; a theme assigns colours to each role.
    public enum Role: UInt8, CaseIterable, Hashable, Sendable {
        /// Ordinary text.
        case plain
        /// Less important text and marks: ages, units, scale marks.
        case faint
        /// Rules between the parts of the screen.
        case frame
        /// The product's name.
        case brand
        /// Heart rate and pulse rate.
        case heartRate
        case oxygenSaturation
        /// Body and skin temperature.
        case temperature
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
        /// Confirms that a part works.
        case good
    }

    /// Emphasis that also works without colours.
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
        /// Part of a large digit, a large letter or a curve, which is never underlined: a line beneath would look like
        /// one of its strokes.
        public static let stroke = Attributes(rawValue: 16)
        /// All of them.
        public static let all: Attributes = [.bold, .dim, .reverse, .underline, .stroke]
        /// Toggles reverse video (blinking); adds nothing else.
        public static let flashing = Attributes(rawValue: 32)

        /// The role's colour faded into the ground, from 1 to 3 (faintest); with few colours the dots are fewer instead.
        package static func fade(_ level: Int) -> Attributes { Attributes(rawValue: UInt8(min(max(0, level), 3)) << 6) }
        /// How far the colour is faded, from 1 to 3; 0 for not at all.
        package var fade: Int { Int(rawValue >> 6) }

        // What is filled or flashes does not fade; these use the same bits.

        /// Part of the field of a large number, whose strokes reach the edges: its text can be read on what is around, too.
        package static let field = fade(1)
        /// On the second of the grounds that a role fills, such as dark red beside red.
        ///
        /// Whatever flashes between both is filled at every moment.
        package static let second = fade(2)
    }
}
