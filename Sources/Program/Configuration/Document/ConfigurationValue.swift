import Base

/// A value in a configuration file; these are the types of TOML 1.0.
public indirect enum ConfigurationValue: Hashable, Sendable {
    case text(String)
    /// An integer, or a decimal fraction, kept exactly.
    case number(ExactDecimal)
    /// A number that is no decimal fraction of few digits: very large or small, infinite, or not a number.
    case float(Double)
    /// `true` or `false`.
    case boolean(Bool)
    /// A date, a time, or both.
    case dateTime(ConfigurationDateTime)
    /// Values in brackets, or sections with the same name.
    case list([ConfigurationValue])
    /// Keys with values: a section, or a table in braces.
    case table(ConfigurationTable)

    public static func texts(_ texts: [String]) -> ConfigurationValue { .list(texts.map { .text($0) }) }

    /// The texts of a list that contains only texts; `nil` for every other value.
    public var texts: [String]? {
        guard case .list(let values) = self else { return nil }
        var texts: [String] = []
        for value in values {
            guard case .text(let text) = value else { return nil }
            texts.append(text)
        }
        return texts
    }

    /// The value as written in a file.
    public var literal: String {
        switch self {
        case .text(let text): return Self.quoted(text)
        case .number(let number): return number.text
        case .float(let number):
            if number.isNaN { return "nan" }
            return number.isInfinite ? (number < 0 ? "-inf" : "inf") : number.description
        case .boolean(let isTrue): return isTrue ? "true" : "false"
        case .dateTime(let time): return time.text
        case .list(let values): return "[" + values.map(\.literal).joined(separator: ", ") + "]"
        case .table(let table):
            if table.members.isEmpty { return "{}" }
            return "{ "
                + table.members.map { "\(Self.key($0.key)) = \($0.value.literal)" }.joined(separator: ", ") + " }"
        }
    }

    /// The value as written in a file, for a sentence: without the part of an address before the @, because a password
    /// there would appear on screens and in logs.
    public var shownLiteral: String {
        guard case .text(let text) = self, let at = text.lastIndex(of: "@") else { return literal }
        let scheme = text[..<at].firstPlace(of: "://").map { text[..<$0.upperBound] } ?? ""
        return Self.quoted("\(scheme)…\(text[at...])")
    }

    /// A description for a sentence: `the text "of"`, `the number 12`.
    var text: String {
        switch self {
        case .text: "the text \(shownLiteral)"
        case .number, .float: "the number \(literal)"
        case .boolean: literal
        case .dateTime(let time): "the \(time.kind) \(literal)"
        case .list: "a list"
        case .table: "a section"
        }
    }

    /// A key as written in a file, in quotes if necessary.
    public static func key(_ key: String) -> String {
        key.isEmpty || !key.unicodeScalars.allSatisfy(TOMLScanner.isName) ? quoted(key) : key
    }

    /// Several keys, joined by dots.
    public static func path(_ keys: some Sequence<String>) -> String {
        keys.map { key($0) }.joined(separator: ".")
    }

    /// A text as written in a file, on one line and in double quotes.
    public static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            default:
                // Control characters above 7F are allowed, but no editor shows them.
                if TOMLScanner.isControl(scalar) || (0x80..<0xA0).contains(scalar.value) {
                    let digits = String(scalar.value, radix: 16, uppercase: true)
                    result += "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
                } else {
                    result.unicodeScalars.append(scalar)
                }
            }
        }
        return result + "\""
    }
}
