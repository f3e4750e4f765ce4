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

    /// The theme for a terminal: with a ground of its own where it cannot be read on the terminal's.
    ///
    /// - Parameters:
    ///   - terminalGround: The terminal's own; `nil` where it is not known.
    ///   - depth: How many colours the terminal shows.
    public func fitted(to terminalGround: Color?, at depth: ColorDepth) -> Theme {
        if ground != nil { return self }
        if let terminalGround, isReadable(on: terminalGround, at: depth) { return self }
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
            for attributes: Style.Attributes in [[], .bold, .dim, .reverse, [.bold, .reverse]] {
                let isFaint = role == .faint || attributes.contains(.dim)
                let least = isFaint ? Self.leastContrast : Self.leastContrastOfText
                let contrast = contrast(of: Style(role, attributes), at: depth, on: terminalGround)
                if let contrast, contrast < least { return false }
            }
            guard role.isAlarm, let fill = self[role].filled?.ground else { continue }
            let isSeen = fill.shown(at: depth).allSatisfy { $0.distance(to: terminalGround) >= Self.leastDistance }
            if !isSeen { return false }
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
