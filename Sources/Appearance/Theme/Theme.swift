/// The colours of each role; the only place that knows colours.
///
/// Red, yellow and cyan, or what a theme has in their place, are kept for alarms. The background is the terminal's own
/// unless a theme brings one, except where an alarm or the mark of simulated data fills its line.
public struct Theme: Hashable, Sendable {
    private var colors: [Style.Role: RoleColors]
    /// The colour behind everything; `nil` for the terminal's own.
    public var ground: Color?

    /// Makes a theme; roles that are left out use the terminal's own colours.
    public init(_ colors: [Style.Role: RoleColors], ground: Color? = nil) {
        self.colors = colors
        self.ground = ground
    }

    /// The colours of a role.
    public subscript(role: Style.Role) -> RoleColors {
        get { colors[role] ?? RoleColors() }
        set { colors[role] = newValue }
    }

    /// How a role looks.
    public struct RoleColors: Hashable, Sendable {
        /// The colour of its text; `nil` is the terminal's own.
        public var text: Color?
        /// Its colours where it is reversed; `nil` just exchanges text and background.
        public var filled: Fill?
        /// Attributes that replace the colour on a terminal with 8 colours or none, where it is not reversed.
        public var substitute: Style.Attributes
        /// Attributes that distinguish it, reversed or not, without any colours.
        public var colorless: Style.Attributes

        public init(
            text: Color? = nil, filled: Fill? = nil, substitute: Style.Attributes = [],
            colorless: Style.Attributes = []
        ) {
            self.text = text
            self.filled = filled
            self.substitute = substitute
            self.colorless = colorless
        }
    }

    /// Text on a coloured ground.
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
    /// What a terminal has to show for a style.
    public struct Look: Hashable, Sendable {
        /// The colour of the text; `nil` for the terminal's own.
        public var text: Color?
        /// The colour behind it; `nil` for the terminal's own.
        public var ground: Color?
        /// The attributes.
        public var attributes: Style.Attributes
    }

    /// What a terminal of some depth has to show for a style.
    public func look(of style: Style, at depth: ColorDepth) -> Look {
        let role = self[style.role]
        let isReversed = style.attributes.contains(.reverse)
        var attributes = style.attributes
        if attributes.contains(.stroke) { attributes.remove(.underline) }
        if depth < .bright, !isReversed { attributes.formUnion(role.substitute) }
        guard depth > .none else {
            attributes.formUnion(role.colorless)
            if attributes.contains(.stroke) { attributes.remove(.underline) }
            return Look(attributes: attributes)
        }
        if isReversed, let fill = role.filled {
            return Look(text: fill.text, ground: fill.ground, attributes: attributes.subtracting(.reverse))
        }
        return Look(text: role.text ?? self[.plain].text, ground: ground, attributes: attributes)
    }
}
