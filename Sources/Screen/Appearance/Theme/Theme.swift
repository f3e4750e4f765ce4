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
    /// Whether the terminal's own background stays, even where the theme could not be read on it.
    private var keepsTerminalGround = false
    /// The terminal's own background, where it is known and seen; faded colours are mixed with it.
    private var seenGround: Color?

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
        /// Its three faded colours in the palette of 256, strongest first; if omitted, and for terminals with any
        /// colour, they are mixed from its colour and the background.
        public var fades: [Int16]
        /// Attributes that replace the colour on a terminal without colours, unless it is reversed.
        public var substitute: Style.Attributes
        /// Attributes that distinguish it without any colours, reversed or not.
        public var colorless: Style.Attributes

        public init(
            text: Color? = nil, filled: Fill? = nil, fades: [Int16] = [], substitute: Style.Attributes = [],
            colorless: Style.Attributes = []
        ) {
            self.text = text
            self.filled = filled
            self.fades = fades
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
        /// How far the dots of braille are thinned out, from 1 to 3, where no colour can be fainter; 0 for not at all.
        public var thinning = 0
    }

    /// The appearance of a style on a terminal of some depth.
    public func look(of style: Style, at depth: ColorDepth) -> Look {
        let role = self[style.role]
        let isReversed = style.attributes.contains(.reverse)
        var attributes = style.attributes
        // An underline would look like one of the strokes.
        let withoutStrokes: Style.Attributes = attributes.contains(.stroke) ? .underline : []
        attributes.subtract(withoutStrokes)
        attributes.subtract(.fade(3))
        let fade = isReversed || attributes.contains(.flashing) ? 0 : style.attributes.fade
        guard depth > .none else {
            // Without colours there is no second ground: what is filled is only bold for a moment.
            if isReversed, style.attributes.contains(.second) { attributes.remove(.reverse) }
            // Nor can the field of a number of medium priority be told from one of high priority.
            if style.role != .alarmHigh, style.attributes.contains(.field) { attributes.remove(.reverse) }
            if fade > 0 { return Look(attributes: attributes, thinning: fade) }
            if !attributes.contains(.reverse) { attributes.formUnion(role.substitute) }
            return Look(attributes: attributes.union(role.colorless).subtracting(withoutStrokes))
        }
        if fade > 0 { return faded(style.role, fade, attributes, at: depth) }
        // Terminals dim differently; the faint colour is always readable.
        let isDimmed = attributes.remove(.dim) != nil && self[.faint].text != nil
        if isReversed, role.filled != nil {
            attributes.remove(.reverse)
            let fill = fill(of: style.role, style.attributes, at: depth)
            return withReadableBold(
                Look(text: fill?.text ?? role.text, ground: fill?.ground ?? ground, attributes: attributes), at: depth)
        }
        // With few colours, some are readable as text but not as a background.
        let isPlain = isReversed && depth <= .bright
        let own = isDimmed ? self[.faint].text : role.text
        let text = isPlain || !style.role.isAlarm && isUsualText(own, at: depth) ? nil : own
        return withReadableBold(
            Look(text: text ?? self[.plain].text, ground: ground, attributes: attributes), at: depth)
    }

    /// What a role fills with some attributes; `nil` if that is not filled.
    private func fill(of role: Style.Role, _ attributes: Style.Attributes, at depth: ColorDepth) -> Fill? {
        guard let fill = self[role].filled else { return nil }
        let isSecond = attributes.contains(.second)
        let screen = ground ?? seenGround ?? expectedGround
        guard attributes.contains(.field) else { return isSecond ? second(of: fill) : fill }
        if depth <= .bright { return fieldOfFew(fill, isHigh: role == .alarmHigh, isSecond, at: depth) }
        if fill.text.contrast(to: screen) >= Self.leastContrastOfText { return isSecond ? second(of: fill) : fill }
        // Dark strokes would run into a dark screen, and light ones into a light one.
        if isOnLight {
            return Fill(text: Self.black, ground: fill.ground.lightened(percent: isSecond ? 60 : 37))
        }
        let field = fill.ground.scaled(percent: 38)
        let own = self[role].text ?? Self.white
        return Fill(text: own.contrast(to: field) >= Self.leastContrastOfText ? own : Self.white, ground: field)
    }

    /// The second fill: much darker, or brighter where that would be nearly black.
    ///
    /// With 16 colours it is the sibling of the first one, with 8 white, or black on a light background.
    private func second(of fill: Fill) -> Fill {
        var ground = fill.ground.scaled(percent: 44)
        if ground.distance(to: Self.black) < Self.leastDistance { ground = fill.ground.scaled(percent: 130) }
        (ground.bright, ground.basic) = (fill.ground.bright ^ 8, isOnLight ? 0 : 7)
        let isReadable = ground.contrast(to: fill.text) >= Self.leastContrastOfText
        var text = isReadable ? fill.text : ground.isLight ? Self.black : Self.white
        let isBlack =
            Color.contrast(0, on: Int(ground.bright)) > Color.contrast(15, on: Int(ground.bright))
        (text.bright, text.basic) = (isBlack ? 0 : 15, isOnLight ? 7 : 0)
        return Fill(text: text, ground: ground)
    }

    /// The field of a number with 16 colours or fewer: with high priority its text flashes, with another it is not filled
    /// where its text would run into the screen.
    private func fieldOfFew(_ fill: Fill, isHigh: Bool, _ isSecond: Bool, at depth: ColorDepth) -> Fill? {
        if isHigh, !isSecond { return fill }
        let (ground, text) = (fill.ground.number(at: depth) ?? 0, fill.text.number(at: depth) ?? 0)
        guard isHigh else {
            let bright = depth == .basic && (1...6).contains(text) ? text + 8 : text
            return Color.contrast(bright, on: expectedGround.number(at: depth) ?? 0) >= Self.leastContrastOfText
                ? fill : nil
        }
        let texts = [Color(226, bright: 11, basic: 3), Self.black]
        let other = texts.first { Color.contrast(Int($0.bright), on: ground) >= Self.leastContrastOfText }
        return Fill(text: other ?? fill.text, ground: fill.ground)
    }

    private static let black = Color(16, bright: 0, basic: 0)
    private static let white = Color(231, bright: 15, basic: 7)

    /// Whether a colour is the usual colour of text, with few colours and the expected background.
    ///
    /// The terminal's own colour replaces it: on another background, such as that of a white xterm, which does not
    /// report it, the text would be unreadable.
    private func isUsualText(_ color: Color?, at depth: ColorDepth) -> Bool {
        guard ground == nil, depth <= .bright, let number = color?.number(at: depth) else { return false }
        return (isForLightGround ? [0] : [7, 15]).contains(number)
    }

    /// The look of a role's colour that is faded into the ground of the screen.
    ///
    /// With 16 colours it is the darker sibling of a bright one, and dots are thinned out; with 8 they are only that.
    private func faded(_ role: Style.Role, _ level: Int, _ attributes: Style.Attributes, at depth: ColorDepth) -> Look {
        let usual = self[role].text ?? self[.plain].text
        guard depth >= .palette else {
            var text = usual
            if let bright = text?.bright, bright > 8 { text?.bright = bright - 8 }
            if isUsualText(text, at: depth) { text = self[.plain].text }
            return Look(text: text, ground: ground, attributes: attributes, thinning: level)
        }
        let color = usual ?? Color(isOnLight ? 16 : 231, bright: 0, basic: 0)
        let (behind, share) = (ground ?? seenGround ?? expectedGround, [58, 38, 22][level - 1])
        func mixed(_ one: UInt8, _ other: UInt8) -> Int { (Int(one) * share + Int(other) * (100 - share)) / 100 }
        let rgb =
            mixed(color.red, behind.red) << 16 | mixed(color.green, behind.green) << 8 | mixed(color.blue, behind.blue)
        var text = Color(rgb: rgb, bright: color.bright, basic: color.basic)
        if self[role].fades.indices.contains(level - 1) { text.palette = self[role].fades[level - 1] }
        return Look(text: text, ground: ground, attributes: attributes)
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

// The ground of the screen: the terminal's own where the theme can be read on it, else one that the theme paints.
extension Theme {
    /// The ground of a dark theme.
    ///
    /// Not pure black, because a terminal of direct colours takes the number 0 for a colour of its palette, and shells
    /// redefine the palette's first black.
    static let darkGround = Color(232, bright: 0, basic: 0)
    /// The ground of a light theme.
    static let lightGround = Color(231, bright: 15, basic: 7)

    /// The built-in theme that suits a ground.
    ///
    /// - Parameter ground: The terminal's own; `nil` where it is not known.
    public static func suited(to ground: Color?) -> (name: String, theme: Theme) {
        ground?.isLight == true ? ("light", light) : ("dark", dark)
    }

    /// The names that a user chooses a built-in theme by: those that follow the terminal's ground, and the themes'.
    public static let names = ["auto", "terminal"] + builtIn.map(\.name)

    /// The built-in theme for one of ``names``.
    ///
    /// `auto` is the one that suits the ground, and `terminal` the same without ever painting a ground.
    /// - Parameter ground: The terminal's own; `nil` where it is not known.
    /// - Returns: `nil` for another name.
    public static func named(_ name: String, on ground: Color?) -> Theme? {
        switch name {
        case "auto": return suited(to: ground).theme
        case "terminal":
            var theme = suited(to: ground).theme
            theme.keepsTerminalGround = true
            return theme
        default: return builtIn.first { $0.name == name }?.theme
        }
    }

    /// The theme for a terminal: with a ground of its own where it cannot be read on the terminal's.
    ///
    /// - Parameters:
    ///   - terminalGround: The terminal's own; `nil` where it is not known.
    ///   - depth: How many colours the terminal shows.
    public func fitted(to terminalGround: Color?, at depth: ColorDepth) -> Theme {
        if ground != nil { return self }
        if keepsTerminalGround || terminalGround.map({ isReadable(on: $0, at: depth) }) == true {
            var theme = self
            theme.seenGround = terminalGround
            return theme
        }
        // The brightest ground of eight colours is grey, on which their alarms cannot be read.
        return depth == .basic && isForLightGround ? Self.dark.withOwnGround : withOwnGround
    }

    /// The theme with a ground of its own, which is in every cell; no text has the terminal's own colour then.
    var withOwnGround: Theme {
        if ground != nil { return self }
        var theme = self
        theme.ground = isForLightGround ? Self.lightGround : Self.darkGround
        theme[.plain].text =
            self[.plain].text
            ?? (isForLightGround ? Color(16, bright: 0, basic: 0) : Color(254, bright: 15, basic: 7))
        return theme
    }

    /// Whether everything but frames can be read on a ground of the terminal's, and an alarm's fill is seen there.
    func isReadable(on terminalGround: Color, at depth: ColorDepth) -> Bool {
        if depth == .none { return true }
        for role in Style.Role.allCases where role != .frame {
            let filled: [Style.Attributes] = [.reverse] + (role == .alarmLow ? [] : [[.reverse, .field]])
            let second = filled.map { role == .alarmHigh ? $0.union(.second) : $0 }
            let usual: [Style.Attributes] = [[], .bold, .dim, [.bold, .reverse]]
            for style in (usual + filled + second).map({ Style(role, $0) }) {
                let isFaint = role == .faint || style.attributes.contains(.dim)
                let least = isFaint ? Self.leastContrast : Self.leastContrastOfText
                let contrast = contrast(of: style, at: depth, on: terminalGround)
                if let contrast, contrast < least { return false }
            }
            guard role.isAlarm else { continue }
            for attributes in filled + second {
                guard let fill = look(of: Style(role, attributes), at: depth).ground else { continue }
                let isSeen = fill.shown(at: depth).allSatisfy { $0.distance(to: terminalGround) >= Self.leastDistance }
                if !isSeen { return false }
            }
        }
        return true
    }

    /// The least contrast of a style's text to what is behind it, on the palettes that are usual at a depth.
    ///
    /// - Parameters:
    ///   - terminalGround: The terminal's own ground, which is seen where the theme has none.
    /// - Returns: `nil` where text and ground are both the terminal's own, so that their contrast is the user's choice.
    private func contrast(of style: Style, at depth: ColorDepth, on terminalGround: Color) -> Double? {
        let look = look(of: style, at: depth)
        guard look.text != nil || look.ground != nil else { return nil }
        let isBrightened = depth == .basic && look.attributes.contains(.bold)
        // A terminal's own text can be read on its own ground.
        let ownText = Color(terminalGround.isLight ? 16 : 231, bright: 0, basic: 0)
        let texts = look.text?.shown(at: depth, isBrightened: isBrightened) ?? [ownText]
        let grounds = look.ground?.shown(at: depth) ?? [terminalGround]
        return (0..<max(texts.count, grounds.count)).map { palette in
            texts[min(palette, texts.count - 1)].contrast(to: grounds[min(palette, grounds.count - 1)])
        }.min()
    }
}

extension Theme.Color {
    /// Whether black is easier to read on it than white.
    var isLight: Bool {
        contrast(to: Self(16, bright: 0, basic: 0)) > contrast(to: Self(231, bright: 15, basic: 7))
    }

    /// What a terminal shows for it at a depth: one colour, or where there are few one for each of the usual palettes.
    ///
    /// - Parameter isBrightened: Whether it is the bright sibling that is shown, as for bold text of eight colours.
    func shown(at depth: ColorDepth, isBrightened: Bool = false) -> [Theme.Color] {
        switch depth {
        case .none: []
        case .direct: [self]
        case .palette: [Self(palette, bright: bright, basic: basic)]
        case .bright, .basic: Self.ofPalettes((number(at: depth) ?? 0) + (isBrightened ? 8 : 0))
        }
    }
}

extension Theme {
    /// Why a theme cannot be used.
    public struct ValidationError: Error, Hashable, Sendable {
        /// The affected colours; changing one of them helps.
        public var places: [ThemePlace]
        /// The problem and its remedy, without a full stop.
        public var reason: String
    }

    /// The least distance of two colours that a tired reader can distinguish.
    static let leastDistance = 90.0
    /// The least contrast of an alarm's text, as WCAG 2 requires for large text.
    static let leastContrast = 3.0
    /// The least contrast of text with 16 colours or fewer, and of text on the terminal's own background, as WCAG 2 requires
    /// for text of any size.
    static let leastContrastOfText = 4.5

    /// The first problem of the theme: an alarm that looks like another one or like no alarm, or is unreadable; `nil`
    /// for none.
    public var fault: ValidationError? {
        readabilityFault ?? sameFault ?? reservedFault
    }

    private static let alarmRoles: [Style.Role] = [.alarmHigh, .alarmMedium, .alarmLow]

    /// Checks that an alarm's background is visible on the screen, and its text on that background.
    private var readabilityFault: ValidationError? {
        for role in Self.alarmRoles + [.simulated] {
            guard let fill = self[role].filled else {
                return ValidationError(
                    places: [ThemePlace(role: role, part: .fillGround)], reason: "\(role.text) have no ground")
            }
            let (text, filled) = (ThemePlace(role: role, part: .fillText), ThemePlace(role: role, part: .fillGround))
            if fill.text.contrast(to: fill.ground) < Self.leastContrast || fill.text.bright == fill.ground.bright
                || fill.text.basic == fill.ground.basic
            {
                return ValidationError(
                    places: [filled, text], reason: "\(role.text) could not be read: the text is too like its ground")
            }
            guard let ground, role.isAlarm else { continue }
            if fill.ground.distance(to: ground) < Self.leastDistance {
                return ValidationError(
                    places: [filled, ThemePlace(role: nil, part: .plain)],
                    reason: "\(role.text) could not be distinguished from the ground of the screen")
            }
            if let color = self[role].text, color.contrast(to: ground) < Self.leastContrast {
                return ValidationError(
                    places: [ThemePlace(role: role, part: .plain), ThemePlace(role: nil, part: .plain)],
                    reason: "\(role.text), once acknowledged, could not be read on the ground of the screen")
            }
        }
        return textFault
    }

    /// Checks that text is readable on the background of the theme or the terminal.
    private var textFault: ValidationError? {
        let behind = ThemePlace(role: nil, part: .plain)
        if ground != nil, self[.plain].text == nil {
            return ValidationError(
                places: [behind],
                reason: "a ground needs a colour of ordinary text beside it: the terminal's own may not be seen there")
        }
        for role in Style.Role.allCases where role != .frame {
            guard let text = self[role].text, text.contrast(to: expectedGround) < Self.leastContrast else { continue }
            let screen = isForLightGround ? "a light screen" : "a dark screen"
            return ValidationError(
                places: [ThemePlace(role: role, part: .plain), behind],
                reason: "\(role.text) could not be read on \(ground == nil ? screen : "the ground of the screen")")
        }
        return nil
    }

    /// Checks that the three priorities differ from each other at every depth.
    private var sameFault: ValidationError? {
        for (index, role) in Self.alarmRoles.enumerated() {
            for other in Self.alarmRoles[(index + 1)...] {
                for part in [ThemePlace.Part.plain, .fillGround] {
                    let places = [ThemePlace(role: role, part: part), ThemePlace(role: other, part: part)]
                    guard let one = self[places[0]], let two = self[places[1]], one.isLike(two) else { continue }
                    return ValidationError(
                        places: places, reason: "\(role.text) could not be distinguished from \(other.text)")
                }
            }
        }
        return nil
    }

    /// Checks that no other role looks like an alarm.
    private var reservedFault: ValidationError? {
        for role in Style.Role.allCases where !role.isAlarm {
            let own = ThemePlace(role: role, part: role == .simulated ? .fillGround : .plain)
            guard let color = self[own] else { continue }
            for alarm in Self.alarmRoles {
                for part in role == .simulated ? [ThemePlace.Part.fillGround] : [.plain, .fillGround] {
                    let place = ThemePlace(role: alarm, part: part)
                    guard let reserved = self[place], color.isLike(reserved) || color.hasHue(of: reserved) else {
                        continue
                    }
                    return ValidationError(places: [own, place], reason: "\(role.text) would look like \(alarm.text)")
                }
            }
        }
        return nil
    }
}

extension Theme.Color {
    /// Whether a tired reader may confuse it with another one, at some depth.
    func isLike(_ other: Theme.Color) -> Bool {
        distance(to: other) < Theme.leastDistance || palette == other.palette || bright == other.bright
            || basic == other.basic
    }
}
