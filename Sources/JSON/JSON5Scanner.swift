/// Walks through the scalars of a text and knows the line and column of each.
struct JSON5Scanner {
    private let scalars: [Unicode.Scalar]
    private var offset = 0
    private(set) var position = TextPosition()

    init(_ text: String) {
        scalars = Array(text.unicodeScalars)
        // A byte order mark is white space in JSON5, but no column.
        if scalars.first == "\u{FEFF}" { offset = 1 }
    }

    /// The next scalar, `nil` at the end.
    var next: Unicode.Scalar? { offset < scalars.count ? scalars[offset] : nil }

    /// The scalar after the next one.
    var second: Unicode.Scalar? { offset + 1 < scalars.count ? scalars[offset + 1] : nil }

    /// Consumes the next scalar and returns it.
    @discardableResult
    mutating func consume() -> Unicode.Scalar? {
        guard let scalar = next else { return nil }
        offset += 1
        let isLineEnd = scalar == "\n" || (scalar == "\r" && next != "\n")
        if isLineEnd || scalar == "\u{2028}" || scalar == "\u{2029}" {
            position = TextPosition(line: position.line + 1, column: 1)
        } else {
            position.column += 1
        }
        return scalar
    }

    /// Consumes the next scalar if it is this one.
    mutating func consume(_ wanted: Unicode.Scalar) -> Bool {
        guard next == wanted else { return false }
        consume()
        return true
    }

    /// Consumes the scalars that satisfy a condition and returns them.
    mutating func consume(while condition: (Unicode.Scalar) -> Bool) -> String {
        var taken = String.UnicodeScalarView()
        while let scalar = next, condition(scalar) {
            taken.append(scalar)
            consume()
        }
        return String(taken)
    }

    /// Skips white space and comments.
    mutating func skipBlanks() throws(JSON5Error) {
        while let scalar = next {
            if scalar == "/", second == "/" {
                _ = consume { $0 != "\n" && $0 != "\r" && $0 != "\u{2028}" && $0 != "\u{2029}" }
            } else if scalar == "/", second == "*" {
                try skipBlockComment()
            } else if Self.isBlank(scalar) {
                consume()
            } else {
                return
            }
        }
    }

    private mutating func skipBlockComment() throws(JSON5Error) {
        let start = position
        consume()
        consume()
        while let scalar = consume() {
            if scalar == "*", consume("/") { return }
        }
        throw JSON5Error(position: start, reason: "a comment is not closed")
    }

    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\t", "\n", "\u{0B}", "\u{0C}", "\r", "\u{2028}", "\u{2029}", "\u{FEFF}": true
        default: scalar.properties.generalCategory == .spaceSeparator
        }
    }

    /// A description of the next scalar, for an error message.
    var found: String {
        switch next {
        case nil: "the end of the file"
        case let scalar? where scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value):
            "a control character"
        case let scalar?: "'\(scalar)'"
        }
    }

    /// An error at the next scalar.
    func mistake(_ reason: String) -> JSON5Error {
        JSON5Error(position: position, reason: reason)
    }
}
