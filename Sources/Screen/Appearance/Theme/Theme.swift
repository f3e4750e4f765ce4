/// The colours of each role; the only place that defines colours.
///
/// Red, yellow and cyan, or a theme's replacements for them, are reserved for alarms. The background is the terminal's
/// own unless a theme defines one (``fitted(to:at:)``), except where an alarm or the mark of simulated data fills its line.
public struct Theme: Hashable, Sendable {
    private var colors: [Style.Role: RoleColors]
    /// The colour of the background; `nil` for the terminal's own.
    public var ground: Color?
    /// Whether the theme expects a light background of the terminal.
    let isForLightGround: Bool

    /// Creates a theme; omitted roles use the terminal's own colours.
    public init(_ colors: [Style.Role: RoleColors], ground: Color? = nil, isForLightGround: Bool = false) {
        self.colors = colors
        self.ground = ground
        self.isForLightGround = isForLightGround
    }

    /// The colour of the background, or the one that the terminal is expected to have.
    var expectedGround: Color {
        ground ?? (isForLightGround ? Color(231, bright: 15, basic: 15) : Self.darkGround)
    }

    /// Whether unfilled text is on a light background.
    var isOnLight: Bool { expectedGround.isLight }

    /// The colours of a role.
    public subscript(role: Style.Role) -> RoleColors {
        get { colors[role] ?? RoleColors() }
        set { colors[role] = newValue }
    }

    /// The colours of a role.
    public struct RoleColors: Hashable, Sendable {
        /// The colour of its text; `nil` for the terminal's own.
        public var text: Color?
        /// Its colours in reverse video; `nil` to exchange text and background.
        public var filled: Fill?
        /// Its three dim backgrounds in the palette of 256, faintest first; if omitted, and for terminals with any
        /// colour, they are mixed from its colour and the background.
        public var tints: [Int16]
        /// Attributes that replace the colour on a terminal without colours, unless it is reversed.
        public var substitute: Style.Attributes
        /// Attributes that distinguish it without any colours, reversed or not.
        public var colorless: Style.Attributes

        public init(
            text: Color? = nil, filled: Fill? = nil, tints: [Int16] = [], substitute: Style.Attributes = [],
            colorless: Style.Attributes = []
        ) {
            self.text = text
            self.filled = filled
            self.tints = tints
            self.substitute = substitute
            self.colorless = colorless
        }
    }

    /// Text on a coloured background.
    public struct Fill: Hashable, Sendable {
        /// The colour of the text.
        public var text: Color
        /// The colour of the ground.
        public var ground: Color

        public init(text: Color, ground: Color) {
            self.text = text
            self.ground = ground
        }
    }
}

extension Theme {
    /// The appearance of a style on a terminal.
    public struct Look: Hashable, Sendable {
        /// The colour of the text; `nil` for the terminal's own.
        public var text: Color?
        /// The colour of the background; `nil` for the terminal's own.
        public var ground: Color?
        public var attributes: Style.Attributes
    }

    /// The appearance of a style on a terminal of some depth.
    public func look(of style: Style, at depth: ColorDepth) -> Look {
        let role = self[style.role]
        let isReversed = style.attributes.contains(.reverse)
        var attributes = style.attributes
        // An underline would look like one of the strokes.
        let withoutStrokes: Style.Attributes = attributes.contains(.stroke) ? .underline : []
        attributes.subtract(withoutStrokes)
        attributes.subtract(.tint(3))
        guard depth > .none else {
            if !isReversed { attributes.formUnion(role.substitute) }
            return Look(attributes: attributes.union(role.colorless).subtracting(withoutStrokes))
        }
        // Terminals dim differently; the faint colour is always readable.
        let isDimmed = attributes.remove(.dim) != nil && self[.faint].text != nil
        if isReversed, let fill = role.filled {
            attributes.remove(.reverse)
            return withReadableBold(Look(text: fill.text, ground: fill.ground, attributes: attributes), at: depth)
        }
        // With few colours, some are readable as text but not as a background.
        let isPlain = isReversed && depth <= .bright
        let own = isDimmed ? self[.faint].text : role.text
        let text = isPlain || !style.role.isAlarm && isUsualText(own, at: depth) ? nil : own
        let isTinted = depth >= .palette && !isReversed && style.attributes.tint > 0
        let ground = isTinted ? tint(of: style.role, level: style.attributes.tint) : ground
        return withReadableBold(
            Look(text: text ?? self[.plain].text, ground: ground, attributes: attributes), at: depth)
    }

    /// Whether a colour is the usual colour of text, with few colours and the expected background.
    ///
    /// The terminal's own colour replaces it: on another background, such as that of a white xterm, which does not
    /// report it, the text would be unreadable.
    private func isUsualText(_ color: Color?, at depth: ColorDepth) -> Bool {
        guard ground == nil, depth <= .bright, let number = color?.number(at: depth) else { return false }
        return (isForLightGround ? [0] : [7, 15]).contains(number)
    }

    /// A dim background: some of a role's colour, or of its fill, mixed into the background of the screen.
    private func tint(of role: Style.Role, level: Int) -> Color {
        let colors = self[role]
        let own = Color(isOnLight ? 16 : 231, bright: 0, basic: 0)
        let color = (role.isAlarm ? colors.filled?.ground : colors.text) ?? self[.plain].text ?? own
        // The fills of alarms are stronger than the colours of vital signs.
        let onDark = role.isAlarm ? [0, 14, 19, 24] : [0, 20, 27, 34]
        let parts = (isOnLight ? [0, 8, 16, 24] : onDark)[level]
        func mixed(_ one: UInt8, _ other: UInt8) -> Int { (Int(one) * parts + Int(other) * (100 - parts)) / 100 }
        let behind = expectedGround
        let rgb =
            mixed(color.red, behind.red) << 16 | mixed(color.green, behind.green) << 8 | mixed(color.blue, behind.blue)
        var tint = Color(rgb: rgb, bright: 0, basic: 0)
        if colors.tints.indices.contains(level - 1) { tint.palette = colors.tints[level - 1] }
        return tint
    }

    /// Adds or removes boldness on terminals of 16 colours or fewer.
    ///
    /// Many show bold text brighter: black becomes grey, which is hardly readable on a coloured background, but red on
    /// black becomes clearer.
    private func withReadableBold(_ look: Look, at depth: ColorDepth) -> Look {
        guard depth <= .bright else { return look }
        var look = look
        let isFilled = look.ground != ground
        switch look.text?.number(at: depth) {
        case _ where look.attributes.contains(.reverse), 0: look.attributes.remove(.bold)
        case (1...7)? where isOnLight && !isFilled: look.attributes.remove(.bold)
        case (1...6)? where depth == .basic, 7 where depth == .basic && isFilled: look.attributes.insert(.bold)
        default: break
        }
        return look
    }
}
