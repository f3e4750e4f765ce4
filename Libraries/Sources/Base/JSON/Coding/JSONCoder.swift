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

/// A slot in a value that is being encoded; containers may fill it in any order.
final class JSONSlot {
    var content = Content.null

    enum Content {
        case null
        case boolean(Bool)
        case integer(Int64)
        case integers([Int64])
        case string(String)
        case list([JSONSlot])
        case object([(key: String, slot: JSONSlot)])
    }

    func append() -> JSONSlot {
        let slot = JSONSlot()
        guard case .list(var slots) = content else {
            content = .list([slot])
            return slot
        }
        // Taken out, so that appending does not copy the list for each element.
        content = .null
        slots.append(slot)
        content = .list(slots)
        return slot
    }

    func member(_ key: String) -> JSONSlot {
        let slot = JSONSlot()
        guard case .object(var members) = content else {
            content = .object([(key, slot)])
            return slot
        }
        content = .null
        members.append((key, slot))
        content = .object(members)
        return slot
    }

    var count: Int {
        if case .list(let slots) = content { slots.count } else { 0 }
    }

    func write(to writer: inout JSONWriter) {
        switch content {
        case .null: writer.null()
        case .boolean(let value): writer.bool(value)
        case .integer(let value): writer.integer(value)
        case .string(let value): writer.string(value)
        case .integers(let values):
            writer.beginArray()
            for value in values { writer.integer(value) }
            writer.endArray()
        case .list(let slots):
            writer.beginArray()
            for slot in slots { slot.write(to: &writer) }
            writer.endArray()
        case .object(let members):
            writer.beginObject()
            for member in members {
                writer.key(member.key)
                member.slot.write(to: &writer)
            }
            writer.endObject()
        }
    }
}
