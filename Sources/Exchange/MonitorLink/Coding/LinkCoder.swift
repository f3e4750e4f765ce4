import JSON

/// Encodes and decodes messages as lines of JSON, whose times are plausible.
public enum LinkCoder {
    /// Encodes a value as one line without a line feed.
    ///
    /// - Throws: `EncodingError` for a number that is not an integer of a supported type.
    public static func line(_ value: some Encodable) throws -> [UInt8] {
        try JSONCoder.encode(value)
    }

    /// Encodes a value as one line with a line feed, for sending.
    ///
    /// - Returns: The bytes; an empty line for a value that ``line(_:)`` refuses, which no message does.
    public static func endedLine(_ value: some Encodable) -> [UInt8] {
        ((try? line(value)) ?? []) + [UInt8(ascii: "\n")]
    }

    /// Decodes a value from one line.
    ///
    /// - Throws: `JSON5Error` for invalid JSON, `DecodingError` for JSON of another type or an implausible time.
    public static func value<Value: Decodable>(_ type: Value.Type, _ line: some Sequence<UInt8>) throws -> Value {
        try JSONCoder.decode(type, from: Array(line), isPlausible: LinkBounds.contains)
    }
}
