/// Parses JSON (RFC 8259) and JSON5 (json5.org, 1.0.0), and keeps the line and column of every value.
///
/// Time and memory are proportional to the length of the text, nesting is bounded, and duplicate names in an object are
/// an error; so the text need not be trusted.
///
/// Foundation's `JSONDecoder` reads JSON5, too, but cannot report the line of a wrong value, which the author of a
/// scenario needs.
public struct JSON5Parser {
    /// The language of a text.
    public enum Syntax: Sendable {
        /// The syntax for programs.
        case json
        /// The syntax for people: with comments, unquoted names and trailing commas.
        case json5
    }

    /// The greatest nesting depth of lists and objects.
    static let greatestDepth = 64
    /// The number of members from which names are looked up in a set.
    private static let smallObject = 16

    private var scanner: JSON5Scanner

    /// Parses a text that consists of one value.
    ///
    /// - Throws: ``JSON5Error`` with the line and column of the first error.
    public static func parse(_ text: String, _ syntax: Syntax = .json5) throws(JSON5Error) -> JSON5Value {
        try parse(Array(text.utf8), syntax)
    }

    /// Parses the UTF-8 of a text that consists of one value.
    ///
    /// - Throws: ``JSON5Error`` with the line and column of the first error.
    public static func parse(_ bytes: [UInt8], _ syntax: Syntax = .json5) throws(JSON5Error) -> JSON5Value {
        var parser = JSON5Parser(scanner: try JSON5Scanner(bytes, syntax))
        let value = try parser.value(depth: 0)
        try parser.scanner.skipBlanks()
        if parser.scanner.next != nil {
            throw parser.scanner.error("expected the end of the file, found \(parser.scanner.found)")
        }
        return value
    }

    private var isStrict: Bool { scanner.syntax == .json }

    private mutating func value(depth: Int) throws(JSON5Error) -> JSON5Value {
        try scanner.skipBlanks()
        let position = scanner.position()
        return JSON5Value(content: try content(depth: depth), position: position)
    }

    private mutating func content(depth: Int) throws(JSON5Error) -> JSON5Value.Content {
        if depth == Self.greatestDepth {
            throw scanner.error("more than \(Self.greatestDepth) lists and objects within each other")
        }
        switch scanner.next {
        case "{": return .object(try members(depth: depth))
        case "[": return .array(try elements(depth: depth))
        case let quote? where isQuote(quote): return .string(try string(quote))
        case let scalar? where isNumberStart(scalar): return try JSON5Number.parse(&scanner)
        case let scalar? where Self.isNameStart(scalar):
            let position = scanner.position()
            switch scanner.consume(while: Self.isNamePart) {
            case "true": return .boolean(true)
            case "false": return .boolean(false)
            case "null": return .null
            case let word:
                throw JSON5Error(position: position, reason: "expected a value, found the word '\(word)'")
            }
        default: throw scanner.error("expected a value, found \(scanner.found)")
        }
    }

    private mutating func elements(depth: Int) throws(JSON5Error) -> [JSON5Value] {
        guard try begins("]") else { return [] }
        var elements: [JSON5Value] = []
        repeat {
            elements.append(try value(depth: depth + 1))
        } while try continues("]")
        return elements
    }

    private mutating func members(depth: Int) throws(JSON5Error) -> [JSON5Member] {
        guard try begins("}") else { return [] }
        var members: [JSON5Member] = []
        var names: Set<String> = []
        repeat {
            let position = scanner.position()
            let name = try name()
            if members.count == Self.smallObject { names = Set(members.map(\.name)) }
            let isRepeated =
                members.count < Self.smallObject
                ? members.contains { $0.name == name } : !names.insert(name).inserted
            if isRepeated { throw JSON5Error(position: position, reason: "'\(name)' is given twice") }
            try scanner.skipBlanks()
            guard scanner.consume(":") else {
                throw scanner.error("expected ':' after '\(name)', found \(scanner.found)")
            }
            members.append(JSON5Member(name: name, namePosition: position, value: try value(depth: depth + 1)))
        } while try continues("}")
        return members
    }

    /// Consumes the bracket that opens a list or an object, and the closing one if it is empty.
    ///
    /// - Returns: Whether a first element or member follows.
    private mutating func begins(_ end: Unicode.Scalar) throws(JSON5Error) -> Bool {
        scanner.consume()
        try scanner.skipBlanks()
        return !scanner.consume(end)
    }

    /// Consumes the comma after an element or a member, or the bracket that closes the list or the object.
    ///
    /// - Returns: Whether another element or member follows.
    private mutating func continues(_ end: Unicode.Scalar) throws(JSON5Error) -> Bool {
        try scanner.skipBlanks()
        if scanner.consume(end) { return false }
        guard scanner.consume(",") else { throw scanner.error("expected ',' or '\(end)', found \(scanner.found)") }
        try scanner.skipBlanks()
        return isStrict || !scanner.consume(end)
    }

    private mutating func name() throws(JSON5Error) -> String {
        switch scanner.next {
        case let quote? where isQuote(quote): return try string(quote)
        case let scalar? where !isStrict && Self.isNameStart(scalar): return scanner.consume(while: Self.isNamePart)
        default: throw scanner.error("expected a name, found \(scanner.found)")
        }
    }

    private func isQuote(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\"" || (scalar == "'" && !isStrict)
    }

    private func isNumberStart(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "0"..."9", "-": true
        // `Infinity` and `NaN` are numbers.
        case "+", ".", "I", "N": !isStrict
        default: false
        }
    }

    private static func isNameStart(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "_", "$": true
        default: scalar.value >= 0x80 && scalar.properties.isIDStart
        }
    }

    static func isNamePart(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_", "$", "\u{200C}", "\u{200D}": true
        default: scalar.value >= 0x80 && scalar.properties.isIDContinue
        }
    }

    // MARK: Strings

    private mutating func string(_ quote: Unicode.Scalar) throws(JSON5Error) -> String {
        let start = scanner.position()
        scanner.consume()
        var text = scanner.consumePlainText(until: quote)
        while let scalar = scanner.next {
            if scalar == quote {
                scanner.consume()
                return text
            }
            if scalar == "\n" || scalar == "\r" { break }
            if scalar == "\\" {
                scanner.consume()
                if let escaped = try escape() { text.unicodeScalars.append(escaped) }
            } else {
                if isStrict { throw scanner.error("a string holds a control character") }
                scanner.consume()
                text.unicodeScalars.append(scalar)
            }
            text += scanner.consumePlainText(until: quote)
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
        case "u": return try unicodeEscape()
        case nil: throw scanner.error("a string is not closed")
        case let other? where other == "\"" || other == "\\" || other == "/": return other
        case let other? where isStrict: throw scanner.error("'\(other)' cannot be escaped")
        case "v": return "\u{0B}"
        case "0": return "\0"
        case "x": return try scalar(hexadecimal(digits: 2))
        case "\r":
            _ = scanner.consume("\n")
            return nil
        case "\n", "\u{2028}", "\u{2029}": return nil
        case let other?: return other
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

    private mutating func scalar(_ code: UInt32) throws(JSON5Error) -> Unicode.Scalar {
        guard let scalar = Unicode.Scalar(code) else {
            throw scanner.error("a surrogate stands alone")
        }
        return scalar
    }

    private mutating func hexadecimal(digits: Int) throws(JSON5Error) -> UInt32 {
        var code: UInt32 = 0
        for _ in 0..<digits {
            guard let next = scanner.next, next.isASCII, let digit = Character(next).hexDigitValue else {
                throw scanner.error("expected \(digits) hexadecimal digits, found \(scanner.found)")
            }
            scanner.consume()
            code = code << 4 | UInt32(digit)
        }
        return code
    }
}
