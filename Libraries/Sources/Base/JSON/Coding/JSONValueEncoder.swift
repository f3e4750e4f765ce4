/// Encodes a value into a slot.
struct JSONValueEncoder: Encoder {
    let slot: JSONSlot
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        // A value without members is an object, too.
        if case .null = slot.content { slot.content = .object([]) }
        return KeyedEncodingContainer(Keyed(slot: slot, codingPath: codingPath))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        if case .null = slot.content { slot.content = .list([]) }
        return Unkeyed(slot: slot, codingPath: codingPath)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        Single(slot: slot, codingPath: codingPath)
    }

    private struct Keyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
        let slot: JSONSlot
        let codingPath: [any CodingKey]

        mutating func encodeNil(forKey key: Key) throws {
            slot.member(key.stringValue).content = .null
        }

        mutating func encode(_ value: some Encodable, forKey key: Key) throws {
            try slot.member(key.stringValue).fill(value, codingPath + [key])
        }

        mutating func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type, forKey key: Key
        ) -> KeyedEncodingContainer<Nested> {
            JSONValueEncoder(slot: slot.member(key.stringValue), codingPath: codingPath + [key]).container(
                keyedBy: type)
        }

        mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
            JSONValueEncoder(slot: slot.member(key.stringValue), codingPath: codingPath + [key]).unkeyedContainer()
        }

        mutating func superEncoder() -> any Encoder {
            JSONValueEncoder(slot: slot.member("super"), codingPath: codingPath)
        }

        mutating func superEncoder(forKey key: Key) -> any Encoder {
            JSONValueEncoder(slot: slot.member(key.stringValue), codingPath: codingPath + [key])
        }
    }

    private struct Unkeyed: UnkeyedEncodingContainer {
        let slot: JSONSlot
        let codingPath: [any CodingKey]
        var count: Int { slot.count }

        mutating func encodeNil() throws {
            slot.append().content = .null
        }

        mutating func encode(_ value: some Encodable) throws {
            try slot.append().fill(value, codingPath)
        }

        mutating func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type
        ) -> KeyedEncodingContainer<Nested> {
            JSONValueEncoder(slot: slot.append(), codingPath: codingPath).container(keyedBy: type)
        }

        mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
            JSONValueEncoder(slot: slot.append(), codingPath: codingPath).unkeyedContainer()
        }

        mutating func superEncoder() -> any Encoder {
            JSONValueEncoder(slot: slot.append(), codingPath: codingPath)
        }
    }

    private struct Single: SingleValueEncodingContainer {
        let slot: JSONSlot
        let codingPath: [any CodingKey]

        mutating func encodeNil() throws { slot.content = .null }

        mutating func encode(_ value: some Encodable) throws { try slot.fill(value, codingPath) }
    }
}

extension JSONSlot {
    /// Encodes a value here.
    fileprivate func fill(_ value: some Encodable, _ path: [any CodingKey]) throws {
        switch value {
        case let value as String: content = .string(value)
        case let value as Int: content = .integer(Int64(value))
        case let value as Int64: content = .integer(value)
        case let value as Bool: content = .boolean(value)
        case let values as [Int64]: content = .integers(values)
        // Half of a `Duration`; written as the signed number of the same bits.
        case let value as UInt64: content = .integer(Int64(bitPattern: value))
        case let value as Int32: content = .integer(Int64(value))
        case let value as UInt32: content = .integer(Int64(value))
        case let value as UInt16: content = .integer(Int64(value))
        case let value as UInt8: content = .integer(Int64(value))
        case is Double, is Float, is UInt, is Int8, is Int16:
            throw EncodingError.invalidValue(
                value, EncodingError.Context(codingPath: path, debugDescription: "this type of number is not supported")
            )
        default: try value.encode(to: JSONValueEncoder(slot: self, codingPath: path))
        }
    }
}
