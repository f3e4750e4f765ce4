/// A sequence of complete types, as a message's body has (D-Bus specification, "Signatures").
public struct DBusSignature: Hashable, Sendable, CustomStringConvertible {
    /// The types, in order.
    public let types: [DBusType]

    /// Creates a signature from its types.
    public init(_ types: [DBusType]) {
        self.types = types
    }

    /// Parses a signature such as `sa{sv}as`.
    ///
    /// Throws ``InvalidSignatureError`` with the offset of the first invalid character. The specification's bounds
    /// hold: 255 characters, 32 nested arrays, 32 nested structures.
    public init(parsing text: String) throws(InvalidSignatureError) {
        var parser = SignatureParser(text: Array(text.utf8))
        types = try parser.parseAll()
    }

    /// The signature as text.
    public var description: String {
        types.map(\.signature).joined()
    }
}

/// A text that is not a D-Bus signature.
public struct InvalidSignatureError: Error, Hashable, CustomStringConvertible {
    /// The offset of the first invalid character.
    public let offset: Int
    /// The error.
    public let reason: String

    /// A sentence with both.
    public var description: String { "\(reason) at offset \(offset)" }
}

private struct SignatureParser {
    static let greatestLength = 255
    static let greatestDepth = 32

    let text: [UInt8]
    var offset = 0

    mutating func parseAll() throws(InvalidSignatureError) -> [DBusType] {
        if text.count > Self.greatestLength {
            throw InvalidSignatureError(offset: Self.greatestLength, reason: "longer than 255 characters")
        }
        var types: [DBusType] = []
        while offset < text.count { types.append(try parseType(arrays: 0, structures: 0)) }
        return types
    }

    mutating func parseType(arrays: Int, structures: Int) throws(InvalidSignatureError) -> DBusType {
        guard let code = consume() else { throw failure("a type is missing") }
        switch code {
        case UInt8(ascii: "y"): return .byte
        case UInt8(ascii: "b"): return .boolean
        case UInt8(ascii: "n"): return .int16
        case UInt8(ascii: "q"): return .uint16
        case UInt8(ascii: "i"): return .int32
        case UInt8(ascii: "u"): return .uint32
        case UInt8(ascii: "x"): return .int64
        case UInt8(ascii: "t"): return .uint64
        case UInt8(ascii: "d"): return .double
        case UInt8(ascii: "s"): return .string
        case UInt8(ascii: "o"): return .objectPath
        case UInt8(ascii: "g"): return .signature
        case UInt8(ascii: "h"): return .unixFileDescriptor
        case UInt8(ascii: "v"): return .variant
        case UInt8(ascii: "a"):
            if arrays == Self.greatestDepth { throw failure("more than 32 nested arrays", back: 1) }
            guard peek() == UInt8(ascii: "{") else {
                return .array(try parseType(arrays: arrays + 1, structures: structures))
            }
            offset += 1
            return try parseEntry(arrays: arrays + 1, structures: structures)
        case UInt8(ascii: "("):
            if structures == Self.greatestDepth { throw failure("more than 32 nested structures", back: 1) }
            var fields: [DBusType] = []
            while let next = peek(), next != UInt8(ascii: ")") {
                fields.append(try parseType(arrays: arrays, structures: structures + 1))
            }
            guard consume() != nil else { throw failure("a structure is not closed") }
            if fields.isEmpty { throw failure("a structure is empty", back: 1) }
            return .structure(fields)
        default:
            throw failure("no type has this code", back: 1)
        }
    }

    mutating func parseEntry(arrays: Int, structures: Int) throws(InvalidSignatureError) -> DBusType {
        let start = offset
        let key = try parseType(arrays: arrays, structures: structures)
        if !key.isBasic { throw InvalidSignatureError(offset: start, reason: "a dictionary key is not basic") }
        let value = try parseType(arrays: arrays, structures: structures)
        guard peek() == UInt8(ascii: "}") else { throw failure("a dictionary entry is not closed") }
        offset += 1
        return .dictionary(key: key, value: value)
    }

    func peek() -> UInt8? { offset < text.count ? text[offset] : nil }

    mutating func consume() -> UInt8? {
        guard let code = peek() else { return nil }
        offset += 1
        return code
    }

    func failure(_ reason: String, back: Int = 0) -> InvalidSignatureError {
        InvalidSignatureError(offset: min(offset, text.count) - min(back, offset), reason: reason)
    }
}
