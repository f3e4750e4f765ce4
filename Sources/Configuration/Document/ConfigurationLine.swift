/// One line of a configuration file: its text and its meaning.
struct ConfigurationLine: Hashable, Sendable {
    /// The text without what ends the line.
    var text: String
    /// What ends the line: `\n`, `\r\n`, or nothing at the end of the file.
    var ending: String
    /// What it means.
    var content: Content

    enum Content: Hashable, Sendable {
        case blank
        case comment
        case section(name: String, column: Int)
        case entry(Entry)
    }

    /// A key with its value; columns and offsets count Unicode scalars.
    struct Entry: Hashable, Sendable {
        var key: String
        var keyColumn: Int
        var value: ConfigurationValue
        var valueOffsets: Range<Int>
    }

    /// Parses a line.
    ///
    /// - Parameters:
    ///   - text: The line without its end; without the byte order mark of the first line.
    ///   - number: The number of the line, for errors.
    init(_ text: String, ending: String, number: Int) throws(ConfigurationError) {
        self.text = text
        self.ending = ending
        let scalars = Array(text.unicodeScalars)
        if let index = scalars.firstIndex(where: LineScanner.isForbidden) {
            let code = String(scalars[index].value, radix: 16, uppercase: true)
            throw ConfigurationError(
                TextPosition(line: number, column: index + 1), "remove the control character here (hexadecimal \(code))"
            )
        }
        var scanner = LineScanner(scalars, line: number)
        content = try Self.content(&scanner)
    }

    private static func content(_ scanner: inout LineScanner) throws(ConfigurationError) -> Content {
        scanner.skipBlanks()
        switch scanner.next {
        case nil: return .blank
        case "#": return .comment
        case "[": return try section(&scanner)
        default: return .entry(try entry(&scanner))
        }
    }

    private static func section(_ scanner: inout LineScanner) throws(ConfigurationError) -> Content {
        scanner.consume()
        if scanner.next == "[" {
            throw scanner.mistake("a section stands in single brackets, such as [limits.spo2]")
        }
        scanner.skipBlanks()
        let column = scanner.position.column
        var parts: [String] = []
        repeat {
            scanner.skipBlanks()
            let part = scanner.consume(while: LineScanner.isName)
            if part.isEmpty { throw scanner.mistake("expected the name of a section, found \(scanner.found)") }
            parts.append(part)
            scanner.skipBlanks()
        } while scanner.consume(".")
        guard scanner.consume("]") else {
            throw scanner.mistake("expected ] after the name of the section, found \(scanner.found)")
        }
        try scanner.end(after: "a section")
        return .section(name: parts.joined(separator: "."), column: column)
    }

    private static func entry(_ scanner: inout LineScanner) throws(ConfigurationError) -> Entry {
        let column = scanner.position.column
        let key = scanner.consume(while: LineScanner.isName)
        if key.isEmpty {
            throw scanner.mistake("expected a key, a [section] or a # comment, found \(scanner.found)")
        }
        if scanner.next == "." {
            throw scanner.mistake("a key has no dots here; put it below the [section] that it belongs to")
        }
        scanner.skipBlanks()
        guard scanner.consume("=") else {
            throw scanner.mistake("expected = after the key '\(key)', found \(scanner.found)")
        }
        scanner.skipBlanks()
        let start = scanner.offset
        let value = try scanner.value()
        let offsets = start..<scanner.offset
        try scanner.end(after: "a value")
        return Entry(key: key, keyColumn: column, value: value, valueOffsets: offsets)
    }

    /// The same line with another value; key, spacing and comment stay.
    mutating func setValue(_ value: ConfigurationValue) {
        guard case .entry(var entry) = content else { return }
        let scalars = Array(text.unicodeScalars)
        let literal = value.literal
        text =
            LineScanner.string(scalars[..<entry.valueOffsets.lowerBound]) + literal
            + LineScanner.string(scalars[entry.valueOffsets.upperBound...])
        entry.value = value
        entry.valueOffsets =
            entry.valueOffsets.lowerBound..<(entry.valueOffsets.lowerBound + literal.unicodeScalars.count)
        content = .entry(entry)
    }

    /// Creates a comment line.
    init(comment text: String, ending: String) {
        self.text = text.isEmpty ? "" : "# \(text)"
        self.ending = ending
        content = text.isEmpty ? .blank : .comment
    }

    /// Creates an empty comment line, between paragraphs.
    init(bareComment ending: String) {
        text = "#"
        self.ending = ending
        content = .comment
    }

    /// Creates a section line.
    init(section name: String, ending: String) {
        text = "[\(name)]"
        self.ending = ending
        content = .section(name: name, column: 2)
    }

    /// Creates an entry line.
    init(key: String, value: ConfigurationValue, ending: String) {
        let literal = value.literal
        text = "\(key) = \(literal)"
        self.ending = ending
        let start = key.unicodeScalars.count + 3
        content = .entry(
            Entry(
                key: key, keyColumn: 1, value: value, valueOffsets: start..<(start + literal.unicodeScalars.count)))
    }
}
