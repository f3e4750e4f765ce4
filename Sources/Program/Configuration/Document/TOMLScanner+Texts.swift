import Base

/// Reads the texts of TOML: basic strings in double quotes and literal strings in single quotes, each on one or several
/// lines.
extension TOMLScanner {
    /// Reads a text in double quotes on one line.
    mutating func basicText() throws(ConfigurationError) -> String {
        let start = position
        consume()
        var text = String.UnicodeScalarView()
        while !isAtLineEnd, let scalar = next {
            if consume("\"") { return String(text) }
            if scalar == "\\" {
                text.append(try escape())
            } else {
                text.append(scalar)
                consume()
            }
        }
        throw ConfigurationError(start, "the text is not closed; end it with \" on the same line")
    }

    /// Reads a text in single quotes on one line.
    mutating func literalText() throws(ConfigurationError) -> String {
        let start = position
        consume()
        let text = consume { $0 != "'" && $0 != "\n" && $0 != "\r" }
        guard consume("'") else {
            throw ConfigurationError(start, "the text is not closed; end it with ' on the same line")
        }
        return text
    }

    /// Reads a text between three quotes of a kind.
    mutating func longText(_ quote: Unicode.Scalar) throws(ConfigurationError) -> String {
        let start = position
        for _ in 0..<3 { consume() }
        // A line end directly after the quotes does not belong to the text.
        if isAtLineEnd { consumeLineEnd() }
        var text = String.UnicodeScalarView()
        while let scalar = next {
            if consume(all: [quote, quote, quote]) {
                // Up to two more quotes belong to the text.
                for _ in 0..<2 where consume(quote) { text.append(quote) }
                return String(text)
            }
            if scalar == "\\", quote == "\"" {
                if skipsLineEnd() { continue }
                text.append(try escape())
            } else {
                consume()
                // Every line end is read as a line feed.
                if scalar != "\r" { text.append(scalar) }
            }
        }
        throw ConfigurationError(start, "the text is not closed; end it with \(quote)\(quote)\(quote)")
    }

    /// Skips a backslash at the end of a line with all following blanks and lines.
    private mutating func skipsLineEnd() -> Bool {
        var probe = self
        probe.consume()
        probe.skipBlanks()
        guard probe.next != nil, probe.isAtLineEnd else { return false }
        while let scalar = probe.next, [" ", "\t", "\n", "\r"].contains(scalar) { probe.consume() }
        self = probe
        return true
    }

    private mutating func escape() throws(ConfigurationError) -> Unicode.Scalar {
        let start = position
        consume()
        switch isAtLineEnd ? nil : consume() {
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
        while digits.utf8.count < count, let scalar = next, scalar.properties.isASCIIHexDigit, scalar.isASCII {
            digits.unicodeScalars.append(scalar)
            consume()
        }
        guard digits.utf8.count == count, let value = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(value)
        else { throw ConfigurationError(start, "expected \(count) hexadecimal digits of a Unicode character") }
        return scalar
    }
}
