/// Encodes and decodes `Codable` values as JSON (RFC 8259) whose numbers are integers.
///
/// Foundation's coder would double the program's memory and start-up time, and may round integers beyond 2⁵³, such as
/// nanoseconds. All bits of a 64-bit integer are kept; a `UInt64` is written as the signed number of the same bits.
public enum JSONCoder {
    /// Encodes a value as one line without a line feed.
    ///
    /// - Throws: `EncodingError` for a number that is not an integer of a supported type.
    public static func encode(_ value: some Encodable) throws -> [UInt8] {
        let slot = JSONSlot()
        try value.encode(to: JSONValueEncoder(slot: slot, codingPath: []))
        var writer = JSONWriter()
        slot.write(to: &writer)
        return writer.bytes
    }

    /// Decodes a value.
    ///
    /// - Parameters:
    ///   - type: The value's type.
    ///   - bytes: The JSON; it need not be trusted.
    ///   - isPlausible: Checks each structured value within the value; a refused one is a mismatch.
    /// - Throws: ``JSON5Error`` for invalid JSON, `DecodingError` for JSON of another type.
    public static func decode<Value: Decodable>(
        _ type: Value.Type, from bytes: [UInt8], isPlausible: @escaping (any Decodable) -> Bool = { _ in true }
    ) throws -> Value {
        let value = try JSON5Parser.parse(bytes, .json)
        return try JSONValueDecoder(value: value, codingPath: [], isPlausible: isPlausible).decode(type)
    }
}
