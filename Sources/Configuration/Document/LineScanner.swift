/// Walks through the scalars of one line and knows the column of each.
struct LineScanner {
    let scalars: [Unicode.Scalar]
    let line: Int
    private(set) var offset = 0

    init(_ scalars: [Unicode.Scalar], line: Int) {
        self.scalars = scalars
        self.line = line
    }

    /// The next scalar, `nil` at the end of the line.
    var next: Unicode.Scalar? { offset < scalars.count ? scalars[offset] : nil }

    /// Where the next scalar is.
    var position: TextPosition { TextPosition(line: line, column: offset + 1) }

    /// Consumes the next scalar and returns it.
    @discardableResult
    mutating func consume() -> Unicode.Scalar? {
        guard let scalar = next else { return nil }
        offset += 1
        return scalar
    }

    /// Consumes the next scalar if it is this one.
    mutating func consume(_ wanted: Unicode.Scalar) -> Bool {
        guard next == wanted else { return false }
        offset += 1
        return true
    }

    /// Consumes the scalars that satisfy a condition and returns them.
    mutating func consume(while condition: (Unicode.Scalar) -> Bool) -> String {
        let start = offset
        while let scalar = next, condition(scalar) { offset += 1 }
        return Self.string(scalars[start..<offset])
    }

    /// Skips spaces and tabs.
    mutating func skipBlanks() {
        while next == " " || next == "\t" { offset += 1 }
    }

    /// Skips blanks and a comment; anything else is an error.
    mutating func end(after what: String) throws(ConfigurationError) {
        skipBlanks()
        guard let next, next != "#" else { return }
        throw mistake("\(found) cannot follow \(what) on the same line; a comment begins with #")
    }

    /// A description of the next scalar, for an error message.
    var found: String {
        guard let next else { return "the end of the line" }
        return "'\(next)'"
    }

    /// An error at the next scalar.
    func mistake(_ reason: String) -> ConfigurationError {
        ConfigurationError(position, reason)
    }

    /// Whether a scalar is forbidden in a file: a control character other than the tab.
    static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 && scalar != "\t" || (0x7F..<0xA0).contains(scalar.value)
    }

    /// Whether a scalar is allowed in a key or in the name of a section.
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
