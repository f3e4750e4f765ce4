/// Reads JSON5 (json5.org, 1.0.0) and keeps the line and column of every value.
///
/// Foundation's `JSONDecoder` reads JSON5 too, but cannot report the line of a wrong value, which the author of a
/// scenario needs.
public struct JSON5Parser {
    /// The greatest nesting depth of lists and objects.
    static let greatestDepth = 64

    private var scanner: JSON5Scanner

    /// Parses a text that consists of one value.
    ///
    /// - Throws: ``JSON5Error`` with the line and column of the first error.
    public static func parse(_ text: String) throws(JSON5Error) -> JSON5Value {
        var parser = JSON5Parser(scanner: JSON5Scanner(text))
        let value = try parser.value(depth: 0)
        try parser.scanner.skipBlanks()
        if parser.scanner.next != nil {
            throw parser.scanner.mistake("expected the end of the file, found \(parser.scanner.found)")
        }
        return value
    }

    private mutating func value(depth: Int) throws(JSON5Error) -> JSON5Value {
        try scanner.skipBlanks()
        let position = scanner.position
        return JSON5Value(content: try content(depth: depth), position: position)
    }

    private mutating func content(depth: Int) throws(JSON5Error) -> JSON5Value.Content {
        if depth == Self.greatestDepth {
            throw scanner.mistake("more than \(Self.greatestDepth) lists and objects within each other")
        }
        switch scanner.next {
        case "{": return .object(try members(depth: depth))
        case "[": return .array(try elements(depth: depth))
        case "\"", "'": return .string(try string())
        case let scalar? where Self.isNumberStart(scalar): return .number(try JSON5Number.parse(&scanner))
        case let scalar? where Self.isNameStart(scalar):
            let position = scanner.position
            switch scanner.consume(while: Self.isNamePart) {
            case "true": return .boolean(true)
            case "false": return .boolean(false)
            case "null": return .null
            case let word:
                throw JSON5Error(position: position, reason: "expected a value, found the word '\(word)'")
            }
        default: throw scanner.mistake("expected a value, found \(scanner.found)")
        }
    }

    private mutating func elements(depth: Int) throws(JSON5Error) -> [JSON5Value] {
        scanner.consume()
        var elements: [JSON5Value] = []
        while true {
            try scanner.skipBlanks()
            if scanner.consume("]") { return elements }
            elements.append(try value(depth: depth + 1))
            try scanner.skipBlanks()
            if scanner.consume(",") { continue }
            guard scanner.next == "]" else { throw scanner.mistake("expected ',' or ']', found \(scanner.found)") }
        }
    }

    private mutating func members(depth: Int) throws(JSON5Error) -> [JSON5Member] {
        scanner.consume()
        var members: [JSON5Member] = []
        while true {
            try scanner.skipBlanks()
            if scanner.consume("}") { return members }
            let position = scanner.position
            let name = try name()
            if members.contains(where: { $0.name == name }) {
                throw JSON5Error(position: position, reason: "'\(name)' is given twice")
            }
            try scanner.skipBlanks()
            guard scanner.consume(":") else {
                throw scanner.mistake("expected ':' after '\(name)', found \(scanner.found)")
            }
            members.append(JSON5Member(name: name, namePosition: position, value: try value(depth: depth + 1)))
            try scanner.skipBlanks()
            if scanner.consume(",") { continue }
            guard scanner.next == "}" else { throw scanner.mistake("expected ',' or '}', found \(scanner.found)") }
        }
    }

    private mutating func name() throws(JSON5Error) -> String {
        switch scanner.next {
        case "\"", "'": return try string()
        case let scalar? where Self.isNameStart(scalar): return scanner.consume(while: Self.isNamePart)
        default: throw scanner.mistake("expected a name, found \(scanner.found)")
        }
    }

    private static func isNumberStart(_ scalar: Unicode.Scalar) -> Bool {
        // `Infinity` and `NaN` are numbers.
        scalar == "+" || scalar == "-" || scalar == "." || scalar == "I" || scalar == "N" || "0"..."9" ~= scalar
    }

    private static func isNameStart(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "_" || scalar == "$" || scalar.properties.isIDStart
    }

    private static func isNamePart(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "$" || scalar == "\u{200C}" || scalar == "\u{200D}" || scalar.properties.isIDContinue
    }

    // MARK: Strings

    private mutating func string() throws(JSON5Error) -> String {
        let start = scanner.position
        let quote = scanner.consume()
        var text = String.UnicodeScalarView()
        while let scalar = scanner.next {
            if scalar == quote {
                scanner.consume()
                return String(text)
            }
            if scalar == "\n" || scalar == "\r" { break }
            scanner.consume()
            if scalar == "\\" {
                if let escaped = try escape() { text.append(escaped) }
            } else {
                text.append(scalar)
            }
        }
        throw JSON5Error(position: start, reason: "a string is not closed")
    }

    /// The character of an escape sequence; `nil` for an escaped line end, which is no character.
    private mutating func escape() throws(JSON5Error) -> Unicode.Scalar? {
        switch scanner.consume() {
        case "b": return "\u{08}"
        case "f": return "\u{0C}"
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "v": return "\u{0B}"
        case "0": return "\0"
        case "x": return try scalar(hexadecimal(digits: 2))
        case "u": return try unicodeEscape()
        case "\r":
            _ = scanner.consume("\n")
            return nil
        case "\n", "\u{2028}", "\u{2029}": return nil
        case let other?: return other
        case nil: throw scanner.mistake("a string is not closed")
        }
    }

    private mutating func unicodeEscape() throws(JSON5Error) -> Unicode.Scalar {
        let high = try hexadecimal(digits: 4)
        guard 0xD800..<0xDC00 ~= high else { return try scalar(high) }
        guard scanner.consume("\\"), scanner.consume("u") else { return try scalar(high) }
        let low = try hexadecimal(digits: 4)
        guard 0xDC00..<0xE000 ~= low else { return try scalar(high) }
        return try scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
    }

    private func scalar(_ code: UInt32) throws(JSON5Error) -> Unicode.Scalar {
        guard let scalar = Unicode.Scalar(code) else {
            throw scanner.mistake("a surrogate stands alone")
        }
        return scalar
    }

    private mutating func hexadecimal(digits: Int) throws(JSON5Error) -> UInt32 {
        var code: UInt32 = 0
        for _ in 0..<digits {
            guard let digit = scanner.next.flatMap({ Character($0).hexDigitValue }) else {
                throw scanner.mistake("expected \(digits) hexadecimal digits, found \(scanner.found)")
            }
            scanner.consume()
            code = code << 4 | UInt32(digit)
        }
        return code
    }
}
