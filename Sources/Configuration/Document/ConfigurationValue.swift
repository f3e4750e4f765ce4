/// A value in a configuration file.
public enum ConfigurationValue: Hashable, Sendable {
    /// A text, in quotes or, when it is a single word such as `off`, without them.
    case text(String)
    /// A decimal number.
    case number(ConfigurationNumber)
    /// `true` or `false`.
    case boolean(Bool)
    /// Several texts in brackets.
    case list([String])

    /// The value as written in a file, also valid TOML.
    public var literal: String {
        switch self {
        case .text(let text): Self.quoted(text)
        case .number(let number): number.text
        case .boolean(let isTrue): isTrue ? "true" : "false"
        case .list(let texts): "[" + texts.map(Self.quoted).joined(separator: ", ") + "]"
        }
    }

    /// A description for a sentence: `the text "of"`, `the number 12`.
    var text: String {
        switch self {
        case .text: "the text \(literal)"
        case .number: "the number \(literal)"
        case .boolean: literal
        case .list: "a list"
        }
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            default:
                if LineScanner.isForbidden(scalar) {
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
