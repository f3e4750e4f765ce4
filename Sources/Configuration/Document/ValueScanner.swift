/// Reads the values of one line.
extension LineScanner {
    /// Reads one value.
    mutating func value() throws(ConfigurationError) -> ConfigurationValue {
        switch next {
        case "\"": return .text(try quotedText())
        case "'": return .text(try literalText())
        case "[": return .list(try list())
        case "{": throw mistake("a value in braces is not supported; give each key a line of its own")
        case nil, "#": throw mistake("the value is missing; write one after the equals sign")
        default: return try bareValue()
        }
    }

    /// Reads a number, true, false, or an unquoted word.
    private mutating func bareValue() throws(ConfigurationError) -> ConfigurationValue {
        let start = self
        let text = consume { $0 != " " && $0 != "\t" && $0 != "#" && $0 != "," && $0 != "]" }
        if next == ",", text.last?.isNumber == true {
            throw start.mistake("a number has a decimal point, not a comma: write 38.3, not 38,3")
        }
        switch text {
        case "true": return .boolean(true)
        case "false": return .boolean(false)
        case "": throw start.mistake("expected a value, found \(found)")
        default: break
        }
        if let number = ConfigurationNumber(text) { return .number(number) }
        guard text.unicodeScalars.allSatisfy({ Self.isName($0) || $0 == "." || $0 == ":" }) else {
            throw start.mistake("'\(text)' is not a value; put a text into double quotes")
        }
        return .text(text)
    }

    private mutating func list() throws(ConfigurationError) -> [String] {
        let start = position
        consume()
        var texts: [String] = []
        while true {
            skipBlanks()
            if consume("]") { return texts }
            switch next {
            case nil, "#":
                throw ConfigurationError(start, "the list is not closed; end it with ] on the same line")
            case "\"", "'":
                guard case .text(let text) = try value() else { return texts }
                texts.append(text)
            default: throw mistake("expected a text in double quotes, found \(found)")
            }
            skipBlanks()
            if !consume(","), next != "]", next != nil, next != "#" {
                throw mistake("expected a comma or ], found \(found)")
            }
        }
    }

    private mutating func quotedText() throws(ConfigurationError) -> String {
        let start = position
        consume()
        var text = String.UnicodeScalarView()
        while let scalar = next {
            if consume("\"") {
                if text.isEmpty, next == "\"" {
                    throw ConfigurationError(start, "a text has one line here; write it between single \" characters")
                }
                return String(text)
            }
            text.append(scalar == "\\" ? try escape() : scalar)
            if scalar != "\\" { consume() }
        }
        throw ConfigurationError(start, "the text is not closed; end it with \" on the same line")
    }

    private mutating func literalText() throws(ConfigurationError) -> String {
        let start = position
        consume()
        let text = consume { $0 != "'" }
        guard consume("'") else {
            throw ConfigurationError(start, "the text is not closed; end it with ' on the same line")
        }
        return text
    }

    private mutating func escape() throws(ConfigurationError) -> Unicode.Scalar {
        let start = position
        consume()
        switch consume() {
        case "\"": return "\""
        case "\\": return "\\"
        case "b": return "\u{8}"
        case "f": return "\u{C}"
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "u": return try hexadecimal(4, start)
        case "U": return try hexadecimal(8, start)
        default:
            throw ConfigurationError(
                start, #"a backslash begins one of \" \\ \n \r \t \b \f \u \U; write \\ for the backslash itself"#)
        }
    }

    private mutating func hexadecimal(
        _ count: Int, _ start: TextPosition
    ) throws(ConfigurationError) -> Unicode.Scalar {
        var digits = ""
        while digits.count < count, let scalar = next, scalar.properties.isASCIIHexDigit {
            digits.unicodeScalars.append(scalar)
            consume()
        }
        guard digits.count == count, let value = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(value) else {
            throw ConfigurationError(start, "expected \(count) hexadecimal digits of a Unicode character")
        }
        return scalar
    }
}
