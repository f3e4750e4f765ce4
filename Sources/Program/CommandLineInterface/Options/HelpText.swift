import Formats

/// The texts of `--help`, from the tables of subcommands and options.
public struct HelpText {
    /// The widest line; longer ones are hard to read.
    private static let widest = 100
    /// The width from which explanations are beside their terms instead of below them.
    private static let tableWidth = 70

    private let width: Int
    private var text = ""

    /// The help of one subcommand; that of the default subcommand also lists the others.
    ///
    /// - Parameters:
    ///   - subcommand: The subcommand.
    ///   - width: The width of a line in characters; a single word or a command may be longer.
    /// - Returns: The text, with a line feed at its end.
    public static func text(for subcommand: Subcommand, width: Int) -> String {
        var help = HelpText(width: min(max(width, 20), widest))
        help.write(subcommand)
        return help.text
    }

    private init(width: Int) {
        self.width = width
    }

    private mutating func write(_ subcommand: Subcommand) {
        let others = subcommand.isDefault ? Subcommand.allCases.filter { !$0.isDefault } : []
        for (index, usage) in ([subcommand] + others).map(\.usage).enumerated() {
            write(usage, after: index == 0 ? "Usage: " : "       ", column: 11)
        }
        if subcommand.isDefault { paragraph(Product.promise) }
        paragraph("\(subcommand.summary) \(subcommand.explanation)")
        if !others.isEmpty {
            text += "\nCommands:\n"
            for other in others { entry("  \(other.rawValue)", other.summary) }
        }
        text += "\nOptions:\n"
        for option in subcommand.options {
            entry(option.letter.map { "  -\($0), \(option.usage)" } ?? "      \(option.usage)", option.explanation)
        }
        text += "\nExamples:\n"
        for example in subcommand.examples {
            text += "  \(example.command)\n"
            write(example.purpose, after: "      ", column: 6)
        }
        if subcommand.isDefault { paragraph(Product.disclaimer) }
    }

    private mutating func paragraph(_ paragraph: String) {
        text += "\n"
        write(paragraph, after: "", column: 0)
    }

    /// A term and its explanation, side by side where there is room.
    private mutating func entry(_ name: String, _ explanation: String) {
        let column = width < Self.tableWidth ? 10 : 30
        if name.count > column - 2 {
            text += name + "\n"
            write(explanation, after: String(repeating: " ", count: column), column: column)
        } else {
            write(explanation, after: name + String(repeating: " ", count: column - name.count), column: column)
        }
    }

    /// Writes wrapped words: the first line after a given start, the others indented to a column.
    private mutating func write(_ words: String, after start: String, column: Int) {
        let lines = TextWrapping.lines(of: words, width: width - max(column, start.count))
        text += start + lines.joined(separator: "\n" + String(repeating: " ", count: column)) + "\n"
    }
}

/// Breaks text into lines at spaces.
enum TextWrapping {
    /// The lines of a text, none longer than `width` characters unless a single word is.
    static func lines(of text: String, width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, line.count + 1 + word.count > width {
                lines.append(line)
                line = ""
            }
            if !line.isEmpty { line += " " }
            line += word
        }
        if !line.isEmpty { lines.append(line) }
        return lines
    }
}
