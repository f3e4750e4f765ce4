import Formats

/// The texts of `--help`, from the tables of subcommands and options.
public enum HelpText {
    private static let width = 100

    /// The help of one subcommand; the default one's also lists the others.
    public static func text(for subcommand: Subcommand) -> String {
        var text = "Usage: \(subcommand.usage)\n"
        if subcommand.isDefault {
            for other in Subcommand.allCases where !other.isDefault { text += "       \(other.usage)\n" }
            text += "\n" + wrapped(Product.promise)
        }
        text += "\n" + wrapped("\(subcommand.summary) \(subcommand.explanation)")
        if subcommand.isDefault {
            text += "\nCommands:\n"
            let others = Subcommand.allCases.filter { !$0.isDefault }
            for other in others { text += entry("  \(other.rawValue)", other.summary) }
        }
        text += "\nOptions:\n"
        for option in subcommand.options { text += entry(left(option), option.explanation) }
        if subcommand.isDefault { text += "\n" + wrapped(Product.disclaimer) }
        return text
    }

    private static func left(_ option: Option) -> String {
        option.letter.map { "  -\($0), \(option.usage)" } ?? "      \(option.usage)"
    }

    private static func entry(_ left: String, _ text: String) -> String {
        let column = 30
        let lines = TextWrapping.lines(of: text, width: width - column)
        var result = left
        if left.count > column - 2 {
            result += "\n" + String(repeating: " ", count: column)
        } else {
            result += String(repeating: " ", count: column - left.count)
        }
        return result + lines.joined(separator: "\n" + String(repeating: " ", count: column)) + "\n"
    }

    private static func wrapped(_ text: String) -> String {
        TextWrapping.lines(of: text, width: width).joined(separator: "\n") + "\n"
    }
}
