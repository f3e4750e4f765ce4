/// Decodes a value from parsed JSON.
struct JSONValueDecoder: Decoder {
    let value: JSON5Value
    let codingPath: [any CodingKey]
    let isPlausible: (any Decodable) -> Bool
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .object(let members) = value.content else { throw mismatch([String: Int].self) }
        return KeyedDecodingContainer(Keyed(decoder: self, members: members))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard let elements = value.elements else { throw mismatch([Int].self) }
        return Unkeyed(decoder: self, elements: elements)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        Single(decoder: self)
    }

    /// A decoder of a value within this one.
    private func decoder(_ value: JSON5Value, _ key: any CodingKey) -> JSONValueDecoder {
        JSONValueDecoder(value: value, codingPath: codingPath + [key], isPlausible: isPlausible)
    }

    private func mismatch(_ type: Any.Type) -> DecodingError {
        .typeMismatch(type, DecodingError.Context(codingPath: codingPath, debugDescription: "another kind of value"))
    }

    /// Decodes the value here.
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let decoded: Any?
        switch value.content {
        case .boolean(let boolean) where type == Bool.self: decoded = boolean
        case .string(let text) where type == String.self: decoded = text
        case .array(let elements) where type == [Int64].self: decoded = Self.integers(elements)
        case .integer(let number) where type == Int.self: decoded = Int(exactly: number)
        case .integer(let number) where type == Int64.self: decoded = number
        case .integer(let number) where type == UInt64.self: decoded = UInt64(bitPattern: number)
        case .integer(let number) where type == Int32.self: decoded = Int32(exactly: number)
        case .integer(let number) where type == UInt32.self: decoded = UInt32(exactly: number)
        case .integer(let number) where type == UInt16.self: decoded = UInt16(exactly: number)
        case .integer(let number) where type == UInt8.self: decoded = UInt8(exactly: number)
        default:
            // A basic type's own decoding would recurse without end.
            if Self.isBasic(type) { throw mismatch(type) }
            let decoded = try Value(from: self)
            guard isPlausible(decoded) else { throw mismatch(type) }
            return decoded
        }
        guard let decoded = decoded as? Value else { throw mismatch(type) }
        return decoded
    }

    /// The elements of a list that contains only integers.
    private static func integers(_ elements: [JSON5Value]) -> [Int64]? {
        var integers: [Int64] = []
        integers.reserveCapacity(elements.count)
        for element in elements {
            guard case .integer(let integer) = element.content else { return nil }
            integers.append(integer)
        }
        return integers
    }

    private static func isBasic(_ type: Any.Type) -> Bool {
        type == Bool.self || type == String.self || type is any BinaryInteger.Type
            || type is any BinaryFloatingPoint.Type
    }

    private struct Keyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
        private let decoder: JSONValueDecoder
        private let members: [JSON5Member]
        /// The members of a large object by name: a dictionary looks up each of its keys.
        private let places: [String: Int]

        init(decoder: JSONValueDecoder, members: [JSON5Member]) {
            (self.decoder, self.members) = (decoder, members)
            places =
                members.count <= 32
                ? [:]
                : Dictionary(members.indices.map { (members[$0].name, $0) }, uniquingKeysWith: { first, _ in first })
        }

        var codingPath: [any CodingKey] { decoder.codingPath }
        var allKeys: [Key] { members.compactMap { Key(stringValue: $0.name) } }

        func contains(_ key: Key) -> Bool { place(key) != nil }

        private func place(_ key: any CodingKey) -> Int? {
            let name = key.stringValue
            return places.isEmpty ? members.firstIndex { $0.name == name } : places[name]
        }

        private func decoder(_ key: any CodingKey) throws -> JSONValueDecoder {
            guard let place = place(key) else {
                throw DecodingError.keyNotFound(
                    key, DecodingError.Context(codingPath: codingPath, debugDescription: "it is missing"))
            }
            return decoder.decoder(members[place].value, key)
        }

        func decodeNil(forKey key: Key) throws -> Bool { try decoder(key).value.isNull }

        func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
            try decoder(key).decode(type)
        }

        func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type, forKey key: Key
        ) throws -> KeyedDecodingContainer<Nested> {
            try decoder(key).container(keyedBy: type)
        }

        func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
            try decoder(key).unkeyedContainer()
        }

        func superDecoder() throws -> any Decoder { try decoder(JSONKey(stringValue: "super")) }

        func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }
    }

    private struct Unkeyed: UnkeyedDecodingContainer {
        private let decoder: JSONValueDecoder
        private let elements: [JSON5Value]
        private(set) var currentIndex = 0

        init(decoder: JSONValueDecoder, elements: [JSON5Value]) {
            (self.decoder, self.elements) = (decoder, elements)
        }

        var codingPath: [any CodingKey] { decoder.codingPath }
        var count: Int? { elements.count }
        var isAtEnd: Bool { currentIndex >= elements.count }

        private mutating func next() throws -> JSONValueDecoder {
            let key = JSONKey(intValue: currentIndex)
            guard !isAtEnd else {
                throw DecodingError.valueNotFound(
                    JSON5Value.self,
                    DecodingError.Context(codingPath: codingPath + [key], debugDescription: "the list has ended"))
            }
            defer { currentIndex += 1 }
            return decoder.decoder(elements[currentIndex], key)
        }

        mutating func decodeNil() throws -> Bool {
            guard !isAtEnd, elements[currentIndex].isNull else { return false }
            currentIndex += 1
            return true
        }

        mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try next().decode(type) }

        mutating func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type
        ) throws -> KeyedDecodingContainer<Nested> {
            try next().container(keyedBy: type)
        }

        mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try next().unkeyedContainer() }

        mutating func superDecoder() throws -> any Decoder { try next() }
    }

    private struct Single: SingleValueDecodingContainer {
        let decoder: JSONValueDecoder
        var codingPath: [any CodingKey] { decoder.codingPath }

        func decodeNil() -> Bool { decoder.value.isNull }

        func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decoder.decode(type) }
    }
}

/// A key or an index within a value, for errors.
private struct JSONKey: CodingKey {
    var stringValue: String
    var intValue: Int?

    init(stringValue: String) { self.stringValue = stringValue }

    init(intValue: Int) { (stringValue, self.intValue) = (String(intValue), intValue) }
}
