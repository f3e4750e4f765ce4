import Base

/// Walks through the scalars of a file in TOML and knows the position of each.
struct TOMLScanner {
    let scalars: [Unicode.Scalar]
    private(set) var offset = 0
    private(set) var line = 1
    private var lineStart = 0

    /// The greatest depth of nested values and sections.
    static let depthLimit = 64

    init(_ scalars: [Unicode.Scalar]) {
        self.scalars = scalars
    }

    /// The next scalar, `nil` at the end of the file.
    var next: Unicode.Scalar? { offset < scalars.count ? scalars[offset] : nil }

    /// The scalar at a distance; `nil` after the end.
    func next(_ distance: Int) -> Unicode.Scalar? {
        offset + distance < scalars.count ? scalars[offset + distance] : nil
    }

    /// The position of the next scalar.
    var position: TextPosition { TextPosition(line: line, column: offset - lineStart + 1) }

    /// The start of the line of the next scalar.
    var startOfLine: Int { lineStart }

    /// Whether the line, or the file, ends here.
    var isAtLineEnd: Bool { next == nil || next == "\n" || next == "\r" }

    /// Consumes the next scalar and returns it.
    @discardableResult
    mutating func consume() -> Unicode.Scalar? {
        guard let scalar = next else { return nil }
        offset += 1
        if scalar == "\n" {
            line += 1
            lineStart = offset
        }
        return scalar
    }

    /// Consumes the next scalar if it is the given one.
    mutating func consume(_ wanted: Unicode.Scalar) -> Bool {
        guard next == wanted else { return false }
        consume()
        return true
    }

    /// Consumes the next scalars if they are the given ones.
    mutating func consume(all wanted: [Unicode.Scalar]) -> Bool {
        for (index, scalar) in wanted.enumerated() where next(index) != scalar { return false }
        for _ in wanted { consume() }
        return true
    }

    /// Consumes the scalars that satisfy a condition and returns them.
    mutating func consume(while condition: (Unicode.Scalar) -> Bool) -> String {
        let start = offset
        while let scalar = next, condition(scalar) { consume() }
        return Self.string(scalars[start..<offset])
    }

    /// Skips spaces and tabs.
    mutating func skipBlanks() {
        while next == " " || next == "\t" { offset += 1 }
    }

    /// Skips the rest of the line, without its end.
    mutating func skipLine() {
        while !isAtLineEnd { offset += 1 }
    }

    mutating func consumeLineEnd() {
        _ = consume("\r")
        _ = consume("\n")
    }

    /// Skips blanks, line ends and comments within a list.
    mutating func skipSpace() {
        while let scalar = next {
            switch scalar {
            case " ", "\t", "\n", "\r": consume()
            case "#": skipLine()
            default: return
            }
        }
    }

    /// Skips blanks and a comment; anything else is an error.
    mutating func end(after what: String) throws(ConfigurationError) {
        skipBlanks()
        guard !isAtLineEnd, next != "#" else { return skipLine() }
        throw mistake("\(found) cannot follow \(what) on the same line; a comment begins with #")
    }

    /// A description of the next scalar, for an error message.
    var found: String {
        guard let next, !isAtLineEnd else { return "the end of the \(next == nil && offset > 0 ? "file" : "line")" }
        return "'\(next)'"
    }

    /// An error at the next scalar.
    func mistake(_ reason: String) -> ConfigurationError {
        ConfigurationError(position, reason)
    }

    /// Reads a key: names or texts, joined by dots.
    mutating func key(
        _ what: String
    ) throws(ConfigurationError) -> (path: [String], position: TextPosition) {
        let start = position
        var path: [String] = []
        repeat {
            skipBlanks()
            switch next {
            case "\"": path.append(try basicText())
            case "'": path.append(try literalText())
            default:
                let name = consume(while: Self.isName)
                if name.isEmpty {
                    throw mistake("expected \(path.isEmpty ? what : "a key after the dot"), found \(found)")
                }
                path.append(name)
            }
            if path.count > Self.depthLimit {
                throw ConfigurationError(start, "a key has at most \(Self.depthLimit) parts")
            }
            skipBlanks()
        } while consume(".")
        return (path, start)
    }

    /// Whether a scalar is a control character that TOML forbids: all except the tab and line ends.
    static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 && scalar != "\t" || scalar.value == 0x7F
    }

    /// Whether a scalar is allowed in a key without quotes.
    static func isName(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_", "-": true
        default: false
        }
    }

    static func string(_ scalars: some Sequence<Unicode.Scalar>) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return String(view)
    }
}

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

/// Reads the values of TOML.
extension TOMLScanner {
    /// Reads one value.
    ///
    /// - Parameter depth: The number of lists and tables around it.
    mutating func value(depth: Int = 0) throws(ConfigurationError) -> ConfigurationValue {
        if depth > Self.depthLimit { throw mistake("values are nested more than \(Self.depthLimit) deep") }
        switch next {
        case "\"": return .text(try isLong("\"") ? longText("\"") : basicText())
        case "'": return .text(try isLong("'") ? longText("'") : literalText())
        case "[": return .list(try list(depth: depth + 1))
        case "{": return .table(try inlineTable(depth: depth + 1))
        case nil, "#", "\n", "\r": throw mistake("the value is missing; write one after the equals sign")
        default: return try bareValue(depth: depth)
        }
    }

    private func isLong(_ quote: Unicode.Scalar) -> Bool { next(1) == quote && next(2) == quote }

    /// Reads a number, a date, a time, true or false.
    private mutating func bareValue(depth: Int) throws(ConfigurationError) -> ConfigurationValue {
        let start = position
        var word = consume(while: Self.isBare)
        // A blank may separate the time from the date.
        if word.utf8.count == 10, next == " ", ConfigurationDateTime(word) != nil, isDigit(next(1)), isDigit(next(2)),
            next(3) == ":"
        {
            consume()
            word += " " + consume(while: Self.isBare)
        }
        switch word {
        case "true": return .boolean(true)
        case "false": return .boolean(false)
        case "": throw ConfigurationError(start, "expected a value, found \(found)")
        default: break
        }
        if depth == 0, next == ",", word.last?.isNumber == true {
            throw ConfigurationError(start, "a number has a decimal point, not a comma: write 38.3, not 38,3")
        }
        if let time = ConfigurationDateTime(word) { return .dateTime(time) }
        do throws(TOMLNumberError) {
            return try TOMLNumber.value(word)
        } catch {
            throw ConfigurationError(start, error.reason)
        }
    }

    private static func isBare(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case " ", "\t", "\n", "\r", "#", ",", "]", "}", "=": false
        default: true
        }
    }

    private func isDigit(_ scalar: Unicode.Scalar?) -> Bool { scalar.map { ("0"..."9").contains($0) } ?? false }

    private mutating func list(depth: Int) throws(ConfigurationError) -> [ConfigurationValue] {
        let start = position
        consume()
        var values: [ConfigurationValue] = []
        while true {
            skipSpace()
            if consume("]") { return values }
            if next == nil { throw ConfigurationError(start, "the list is not closed; end it with ]") }
            values.append(try value(depth: depth))
            skipSpace()
            if !consume(","), next != "]", next != nil {
                let place = line == start.line ? "" : " in the list that begins in line \(start.line)"
                throw mistake("expected a comma or ]\(place), found \(found)")
            }
        }
    }

    private mutating func inlineTable(depth: Int) throws(ConfigurationError) -> ConfigurationTable {
        let start = position
        consume()
        let table = TOMLTable(.inline, start)
        skipBlanks()
        if consume("}") { return table.value }
        while true {
            let (path, keyPosition) = try key("a key or }")
            guard consume("=") else {
                throw mistake("expected = after the key '\(ConfigurationValue.path(path))', found \(found)")
            }
            skipBlanks()
            let valueStart = (offset, position)
            if depth + path.count > Self.depthLimit {
                throw mistake("values are nested more than \(Self.depthLimit) deep")
            }
            let value = try value(depth: depth + path.count - 1)
            try table.insert(
                value, at: path, keyPosition, valuePosition: valueStart.1, offsets: valueStart.0..<offset)
            skipBlanks()
            if consume("}") { return table.value }
            guard consume(",") else {
                if isAtLineEnd {
                    throw ConfigurationError(start, "what stands in braces has one line; end it with } there")
                }
                throw mistake("expected a comma or }, found \(found)")
            }
            skipBlanks()
        }
    }
}
