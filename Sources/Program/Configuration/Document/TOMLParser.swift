import Base

/// Reads a file in TOML 1.0: its sections and keys, with the rules against double definitions.
struct TOMLParser {
    /// A section's name, or a key with its value, and its lines.
    struct Statement: Hashable, Sendable {
        enum Kind: Hashable, Sendable {
            case section, element, entry
        }

        var kind: Kind
        /// The path of the section, or the path of the entry including its section.
        var path: [String]
        /// The number of names in the path that belong to the entry's section.
        var sectionCount: Int
        /// The offsets of its lines, including the last line end.
        var offsets: Range<Int>
    }

    private var scanner: TOMLScanner
    private let root = TOMLTable(.section, TextPosition(line: 1, column: 1))
    private var section: TOMLTable
    private var sectionPath: [String] = []
    /// The tables that dotted keys of this section have created or extended.
    private var extended: [TOMLTable] = []
    private var statements: [Statement] = []
    private var mistakes: [ConfigurationError] = []

    /// Reads a file.
    ///
    /// - Throws: All errors in the file.
    static func parse(
        _ scalars: [Unicode.Scalar]
    ) throws(ConfigurationErrors) -> (root: ConfigurationTable, statements: [Statement]) {
        if let mistakes = ConfigurationErrors(controlCharacters(in: scalars)) { throw mistakes }
        var parser = TOMLParser(scalars)
        parser.run()
        if let mistakes = ConfigurationErrors(parser.mistakes) { throw mistakes }
        return (parser.root.value, parser.statements)
    }

    private init(_ scalars: [Unicode.Scalar]) {
        scanner = TOMLScanner(scalars)
        section = root
    }

    /// TOML allows no control characters except the tab and line ends.
    private static func controlCharacters(in scalars: [Unicode.Scalar]) -> [ConfigurationError] {
        var mistakes: [ConfigurationError] = []
        var position = TextPosition(line: 1, column: 1)
        for (offset, scalar) in scalars.enumerated() {
            if scalar == "\n" {
                position = TextPosition(line: position.line + 1, column: 1)
                continue
            }
            let endsLine = scalar == "\r" && offset + 1 < scalars.count && scalars[offset + 1] == "\n"
            if TOMLScanner.isControl(scalar), !endsLine, mistakes.last?.position.line != position.line {
                let code = String(scalar.value, radix: 16, uppercase: true)
                mistakes.append(
                    ConfigurationError(position, "remove the control character here (hexadecimal \(code))"))
                if mistakes.count == ConfigurationErrors.limit { break }
            }
            position.column += 1
        }
        return mistakes
    }

    private mutating func run() {
        while scanner.next != nil, mistakes.count < ConfigurationErrors.limit {
            let line = scanner.line
            do throws(ConfigurationError) {
                try statement()
            } catch {
                mistakes.append(error)
                // After an error within a value of several lines, the meaning of the next line is unknown.
                guard scanner.line == line || scanner.isAtLineEnd else { return }
                scanner.skipLine()
            }
            scanner.consumeLineEnd()
        }
    }

    private mutating func statement() throws(ConfigurationError) {
        let start = scanner.startOfLine
        scanner.skipBlanks()
        if scanner.isAtLineEnd { return }
        switch scanner.next {
        case "#": scanner.skipLine()
        case "[": try header(start)
        default: try entry(start)
        }
    }

    private mutating func header(_ start: Int) throws(ConfigurationError) {
        for table in extended { table.endsSection() }
        extended = []
        // Keys below an invalid name belong to no section.
        section = TOMLTable(.section, scanner.position)
        sectionPath = []
        let isElement = scanner.next(1) == "["
        scanner.consume()
        if isElement { scanner.consume() }
        scanner.skipBlanks()
        let position = scanner.position
        let path = try scanner.key("the name of a section").path
        guard scanner.consume("]"), !isElement || scanner.consume("]") else {
            throw scanner.mistake(
                "expected \(isElement ? "]]" : "]") after the name of the section, found \(scanner.found)")
        }
        try scanner.end(after: "a section")
        section = isElement ? try root.element(path, position) : try root.section(path, position)
        sectionPath = path
        record(isElement ? .element : .section, path, start)
    }

    private mutating func entry(_ start: Int) throws(ConfigurationError) {
        let (path, position) = try scanner.key("a key, a [section] or a # comment")
        guard scanner.consume("=") else {
            throw scanner.mistake("expected = after the key '\(ConfigurationValue.path(path))', found \(scanner.found)")
        }
        scanner.skipBlanks()
        let (offset, valuePosition) = (scanner.offset, scanner.position)
        let value = try scanner.value()
        let end = scanner.offset
        try scanner.end(after: "a value")
        extended += try section.insert(value, at: path, position, valuePosition: valuePosition, offsets: offset..<end)
        record(.entry, sectionPath + path, start)
    }

    private mutating func record(_ kind: Statement.Kind, _ path: [String], _ start: Int) {
        var end = scanner.offset
        if scanner.next == "\r" { end += 1 }
        if scanner.next != nil { end += 1 }
        statements.append(
            Statement(
                kind: kind, path: path, sectionCount: kind == .entry ? sectionPath.count : path.count,
                offsets: start..<end))
    }
}
