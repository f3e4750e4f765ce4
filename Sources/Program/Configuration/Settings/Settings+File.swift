extension SettingTable {
    /// The whole default file, with comments.
    public static var defaultFile: String {
        var lines = preamble.map(comment)
        for section in sections {
            lines.append("")
            lines += CommentWrapping.lines(of: section.explanation).map(comment)
            lines.append("[\(section.name)]")
            for setting in settings where setting.section == section.name {
                lines.append("")
                lines += setting.comment.map(comment)
                lines.append("\(setting.key) = \(setting.defaultValue.literal)")
            }
        }
        return lines.map { $0 + "\n" }.joined()
    }

    private static func comment(_ line: String) -> String { line.isEmpty ? "#" : "# \(line)" }

    private static let preamble = [
        "The configuration of Bedside: every setting with its default value.",
        "",
        "What is left out keeps its default value. A # begins a comment. Temperatures are in °C; times are",
        "written like \"500ms\", \"15s\", \"2min\" or \"8h\"; \"off\" switches a limit off. Options on the command",
        "line go before this file. \"bedside config path\" prints its path, and \"bedside config",
        "check\" checks it.",
    ]
}

extension Setting {
    /// The comment above the setting in a file.
    public var comment: [String] {
        CommentWrapping.lines(of: explanation)
            + CommentWrapping.lines(of: "Allowed: \(expectation). Usually: \(defaultValue.literal).")
    }
}

extension ConfigurationDocument {
    /// Writes every setting that differs between two settings, and nothing else.
    ///
    /// The value of an existing key is replaced in place; a missing key is added with its explaining comment.
    public mutating func apply(changesFrom old: Settings, to new: Settings) {
        for setting in SettingTable.settings {
            let value = setting.value(in: new)
            guard value != setting.value(in: old) else { continue }
            set(setting.key, in: setting.section, to: value, comment: setting.comment, order: SettingTable.order)
        }
    }
}

/// Wraps the explanation of a setting into comment lines.
private enum CommentWrapping {
    static let width = 98

    static func lines(of text: String) -> [String] {
        var lines: [String] = []
        for word in text.split(separator: " ") {
            if let last = lines.last, last.count + 1 + word.count <= width {
                lines[lines.count - 1] += " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }
}
