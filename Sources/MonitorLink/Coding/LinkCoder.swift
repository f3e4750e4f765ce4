import JSON

/// Encodes and decodes values as lines of JSON whose numbers are integers.
///
/// Foundation's coder would double the program's memory and start-up time, and may round integers beyond 2⁵³, as
/// nanoseconds are.
public enum LinkCoder {
    /// Encodes a value as one line without a line feed.
    ///
    /// - Throws: `EncodingError` for a number that is not an integer of a supported type.
    public static func line(_ value: some Encodable) throws -> [UInt8] {
        let slot = LinkSlot()
        try value.encode(to: LinkEncoder(slot: slot, codingPath: []))
        var writer = JSONWriter()
        slot.write(to: &writer)
        return writer.octets
    }

    /// Encodes a value as one line with a line feed, for sending.
    ///
    /// - Returns: The bytes; an empty line for a value that ``line(_:)`` refuses, which no message does.
    public static func endedLine(_ value: some Encodable) -> [UInt8] {
        ((try? line(value)) ?? []) + [UInt8(ascii: "\n")]
    }

    /// Decodes a value from one line.
    ///
    /// - Throws: ``LinkError`` for invalid JSON, `DecodingError` for JSON of another type.
    public static func value<Value: Decodable>(_ type: Value.Type, _ line: some Sequence<UInt8>) throws -> Value {
        let node = try LinkParser.parse(Array(line))
        return try Value(from: LinkDecoder(node: node, codingPath: []))
    }
}

/// Why a line cannot be read.
public struct LinkError: Error, Hashable, CustomStringConvertible {
    /// The offset of the byte in question.
    public var offset: Int
    /// What is wrong there.
    public var reason: String

    /// The error in one line.
    public var description: String { "octet \(offset): \(reason)" }
}

/// A key or an index within a value, for errors.
struct LinkKey: CodingKey {
    var stringValue: String
    var intValue: Int?

    init(stringValue: String) { self.stringValue = stringValue }

    init(intValue: Int) { (stringValue, self.intValue) = (String(intValue), intValue) }
}
