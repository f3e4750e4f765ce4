import Base

/// Walks through the UTF-8 of a text and counts its lines and columns.
struct JSON5Scanner {
    let syntax: JSON5Parser.Syntax
    private let bytes: [UInt8]
    private var offset = 0
    /// The offset up to which lines and columns are counted, and the position there.
    private var counted = 0
    private var countedPosition = TextPosition()

    /// Creates a scanner.
    ///
    /// - Throws: ``JSON5Error`` with the position of the first byte that is not UTF-8.
    init(_ bytes: [UInt8], _ syntax: JSON5Parser.Syntax) throws(JSON5Error) {
        self.bytes = bytes
        self.syntax = syntax
        do throws(UTF8.ValidationError) {
            _ = try UTF8Span(validating: bytes.span)
        } catch {
            offset = error.byteOffsets.lowerBound
            throw self.error("the text is not UTF-8")
        }
        // A byte order mark is white space in JSON5, but no column.
        if syntax == .json5, bytes.starts(with: "\u{FEFF}".utf8) { (offset, counted) = (3, 3) }
    }

    // MARK: Position

    /// The position of the next scalar; counting continues from the last position, so that the total is linear.
    mutating func position() -> TextPosition {
        while counted < offset {
            if isLineEnd(counted) {
                countedPosition = TextPosition(line: countedPosition.line + 1, column: 1)
            } else if bytes[counted] & 0xC0 != 0x80 {
                countedPosition.column += 1
            }
            counted += 1
        }
        return countedPosition
    }

    /// Whether a byte is the last one of a line.
    private func isLineEnd(_ index: Int) -> Bool {
        switch bytes[index] {
        case 0x0A: true
        case 0x0D: index + 1 == bytes.count || bytes[index + 1] != 0x0A
        // U+2028 and U+2029.
        case 0xA8, 0xA9: index >= 2 && bytes[index - 1] == 0x80 && bytes[index - 2] == 0xE2
        default: false
        }
    }

    /// An error at the next scalar.
    mutating func error(_ reason: String) -> JSON5Error {
        JSON5Error(position: position(), reason: reason)
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

    // MARK: Consumption

    /// The next scalar, `nil` at the end.
    var next: Unicode.Scalar? {
        guard offset < bytes.count else { return nil }
        if bytes[offset] < 0x80 { return Unicode.Scalar(bytes[offset]) }
        let bytes = bytes[offset..<min(offset + 4, bytes.count)]
        return String(decoding: bytes, as: UTF8.self).unicodeScalars.first
    }

    /// Consumes the next scalar and returns it.
    @discardableResult
    mutating func consume() -> Unicode.Scalar? {
        guard let scalar = next else { return nil }
        offset += UTF8.width(scalar)
        return scalar
    }

    /// Consumes the next scalar if it is this ASCII character.
    mutating func consume(_ wanted: Unicode.Scalar) -> Bool {
        guard offset < bytes.count, bytes[offset] == UInt8(truncatingIfNeeded: wanted.value) else { return false }
        offset += 1
        return true
    }

    /// Consumes the scalars that satisfy a condition and returns them.
    mutating func consume(while condition: (Unicode.Scalar) -> Bool) -> String {
        let start = offset
        while let scalar = next, condition(scalar) { consume() }
        return String(decoding: bytes[start..<offset], as: UTF8.self)
    }

    /// Consumes the digits of an integer of up to 18 digits; `nil`, and consumes nothing, for any other token.
    ///
    /// Nearly all numbers are of this form, and the general way is many times slower.
    mutating func consumeShortInteger() -> Int64? {
        var value: Int64 = 0
        var end = offset
        while end < bytes.count, case let digit = bytes[end] &- UInt8(ascii: "0"), digit < 10 {
            value = value &* 10 &+ Int64(digit)
            end += 1
        }
        guard 1...18 ~= end - offset, bytes[offset] != UInt8(ascii: "0") || end == offset + 1 else { return nil }
        if end < bytes.count {
            switch bytes[end] {
            case UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"), 0x20, 0x0A: break
            default: return nil
            }
        }
        offset = end
        return value
    }

    /// Consumes the part of a string up to its closing quote, an escape or a control character, and returns it.
    mutating func consumePlainText(until quote: Unicode.Scalar) -> String {
        let quote = UInt8(truncatingIfNeeded: quote.value)
        let rest = bytes[offset...]
        let end = rest.firstIndex { $0 == quote || $0 == UInt8(ascii: "\\") || $0 < 0x20 } ?? bytes.count
        defer { offset = end }
        return String(decoding: rest[..<end], as: UTF8.self)
    }

    // MARK: Blanks

    /// Skips white space, and comments where the syntax has them.
    mutating func skipBlanks() throws(JSON5Error) {
        while offset < bytes.count {
            switch bytes[offset] {
            case 0x21..<0x2F, 0x30..<0x7F: return
            case 0x20, 0x09, 0x0A, 0x0D: offset += 1
            case UInt8(ascii: "/") where syntax == .json5 && offset + 1 < bytes.count:
                switch bytes[offset + 1] {
                case UInt8(ascii: "/"): skipLineComment()
                case UInt8(ascii: "*"): try skipBlockComment()
                default: return
                }
            case 0x0B, 0x0C, 0x80...:
                guard syntax == .json5, let scalar = next, Self.isBlank(scalar) else { return }
                consume()
            default: return
            }
        }
    }

    private mutating func skipLineComment() {
        while offset < bytes.count {
            offset += 1
            if isLineEnd(offset - 1) { return }
        }
    }

    private mutating func skipBlockComment() throws(JSON5Error) {
        let start = position()
        offset += 2
        while let scalar = consume() {
            if scalar == "*", consume("/") { return }
        }
        throw JSON5Error(position: start, reason: "a comment is not closed")
    }

    /// Whether a scalar other than the white space of JSON is white space of JSON5.
    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\u{0B}", "\u{0C}", "\u{2028}", "\u{2029}", "\u{FEFF}": true
        default: scalar.properties.generalCategory == .spaceSeparator
        }
    }
}
