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
