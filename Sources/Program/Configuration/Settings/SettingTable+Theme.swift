import Appearance

extension SettingTable {
    static let themeSection = (
        name: "theme",
        explanation: """
        Colours of your own in place of the theme's: "#ff8700", or one of the sixteen names that every terminal \
        knows, such as "bright_green". They may stand here, or in a file of their own, themes/NAME.toml in the folder \
        of the usual configuration file, which theme = "NAME" in [screen] takes; such a file has this section only, \
        with base for the theme that it changes. Colours that would make alarms look like each other, or like \
        something else, are refused.
        """
    )

    static let theme: [Setting] = ThemePlace.all.map { place in
        Setting(
            themeSection.name, place.name, SettingCodec<Theme.Color>.color().or("usual"),
            "The colour of \(place.text).",
            get: { $0.screen.ownColors[place] }, set: { $0.screen.ownColors[place] = $1 }
        ).ofTheLook.ofTheTheme
    }
}

extension SettingCodec {
    /// A colour.
    static func color() -> SettingCodec<Theme.Color> {
        let expectation = "a colour such as \"#ff8700\" or \"bright_green\""
        return SettingCodec<Theme.Color>(
            expectation,
            read: { value throws(SettingError) in
                guard case .text(let text) = value else { throw SettingError(expected: expectation, value) }
                if let color = Theme.Color(text) { return color }
                throw SettingError(
                    unknown: "colour", text, among: text.hasPrefix("#") ? [] : Theme.Color.names,
                    expected: expectation)
            },
            write: { .text($0.text) })
    }

    /// The name of a theme: a built-in one, or the name of a file without its extension.
    static func themeName() -> SettingCodec<String> {
        let names = Theme.names
        let quoted = names.map { "\"\($0)\"" }.joined(separator: ", ")
        let expectation = "\(quoted) or the name of a theme's file"
        return SettingCodec<String>(
            expectation,
            read: { value throws(SettingError) in
                guard case .text(let text) = value, (1...64).contains(text.unicodeScalars.count),
                    text.unicodeScalars.allSatisfy(TOMLScanner.isName)
                else { throw SettingError(expected: expectation, value) }
                return text
            },
            write: { .text($0) },
            step: { value, count in
                guard let index = names.firstIndex(of: value) else { return names.first }
                let next = (index + count) % names.count
                return names[next < 0 ? next + names.count : next]
            })
    }
}
