/// The colours of each role; the only place that knows colours.
///
/// Red, yellow and cyan are kept for alarms. The background is the terminal's own, except where an alarm or the mark of
/// simulated data fills its line.
public struct Theme: Hashable, Sendable {
    private let colors: [Style.Role: RoleColors]

    /// Makes a theme; roles that are left out use the terminal's own colours.
    public init(_ colors: [Style.Role: RoleColors]) {
        self.colors = colors
    }

    /// The colours of a role.
    public subscript(role: Style.Role) -> RoleColors {
        colors[role] ?? RoleColors()
    }

    /// A colour as the different kinds of terminals know it.
    public struct Color: Hashable, Sendable {
        /// Its index in a palette of 256.
        public var palette: Int16
        /// Its index among 16.
        public var bright: Int16
        /// Its index among 8.
        public var basic: Int16

        /// Makes a colour from its indices.
        public init(_ palette: Int16, bright: Int16, basic: Int16) {
            self.palette = palette
            self.bright = bright
            self.basic = basic
        }

        /// The index for a terminal with so many colours; `nil` when it has none.
        public func index(colorCount: Int) -> Int16? {
            switch colorCount {
            // Quirk direct-colors: more than the palette has means that an index is red, green and blue, but for the
            // first eight (`xterm-direct`).
            case 257...: basic
            case 256: palette
            case 16...: bright
            case 8...: basic
            default: nil
            }
        }
    }

    /// How a role looks.
    public struct RoleColors: Hashable, Sendable {
        /// The colour of its text; `nil` is the terminal's own.
        public var text: Color?
        /// Its colours where it is reversed; `nil` just exchanges text and background.
        public var filled: Fill?
        /// Attributes that stand in for the colour on a terminal with 8 colours or none.
        public var substitute: Style.Attributes

        /// Makes the look of a role.
        public init(text: Color? = nil, filled: Fill? = nil, substitute: Style.Attributes = []) {
            self.text = text
            self.filled = filled
            self.substitute = substitute
        }
    }

    /// Text on a coloured ground.
    public struct Fill: Hashable, Sendable {
        /// The colour of the text.
        public var text: Color
        /// The colour of the ground.
        public var ground: Color

        /// Makes a pair of colours.
        public init(text: Color, ground: Color) {
            self.text = text
            self.ground = ground
        }
    }
}

extension Theme {
    private static let black = Color(16, bright: 0, basic: 0)
    private static let white = Color(231, bright: 15, basic: 7)
    private static let red = Color(160, bright: 1, basic: 1)
    private static let magenta = Color(127, bright: 5, basic: 5)

    /// For dark backgrounds, and good enough on light ones.
    public static let standard = Theme([
        .faint: RoleColors(text: Color(245, bright: 8, basic: 7), substitute: .dim),
        .frame: RoleColors(text: Color(240, bright: 8, basic: 7), substitute: .dim),
        .heartRate: RoleColors(text: Color(41, bright: 10, basic: 2)),
        .oxygenSaturation: RoleColors(text: Color(75, bright: 12, basic: 5)),
        .good: RoleColors(text: Color(41, bright: 10, basic: 2)),
        .alarmHigh: RoleColors(text: Color(203, bright: 9, basic: 1), filled: Fill(text: white, ground: red)),
        .alarmMedium: RoleColors(
            text: Color(220, bright: 11, basic: 3),
            filled: Fill(text: black, ground: Color(220, bright: 11, basic: 3))),
        .alarmLow: RoleColors(
            text: Color(44, bright: 14, basic: 6), filled: Fill(text: black, ground: Color(44, bright: 6, basic: 6))),
        .simulated: RoleColors(
            text: Color(176, bright: 13, basic: 5), filled: Fill(text: white, ground: magenta)),
    ])

    /// For light backgrounds.
    public static let light = Theme([
        .faint: RoleColors(text: Color(243, bright: 8, basic: 0), substitute: .dim),
        .frame: RoleColors(text: Color(248, bright: 7, basic: 0), substitute: .dim),
        .heartRate: RoleColors(text: Color(28, bright: 2, basic: 2)),
        .oxygenSaturation: RoleColors(text: Color(26, bright: 4, basic: 4)),
        .good: RoleColors(text: Color(28, bright: 2, basic: 2)),
        .alarmHigh: RoleColors(text: red, filled: Fill(text: white, ground: red)),
        .alarmMedium: RoleColors(
            text: Color(136, bright: 3, basic: 3), filled: Fill(text: black, ground: Color(220, bright: 11, basic: 3))),
        .alarmLow: RoleColors(
            text: Color(30, bright: 6, basic: 6), filled: Fill(text: black, ground: Color(44, bright: 14, basic: 6))),
        .simulated: RoleColors(text: magenta, filled: Fill(text: white, ground: magenta)),
    ])
}
