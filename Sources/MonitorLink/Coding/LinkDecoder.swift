import Vitals

/// A value that was read.
enum LinkNode {
    case null
    case boolean(Bool)
    case integer(Int64)
    /// A list of integers only, or an empty list.
    case integers([Int64])
    case string(String)
    case list([LinkNode])
    case object([(key: String, node: LinkNode)])

    /// The elements of a list.
    var elements: [LinkNode]? {
        switch self {
        case .list(let nodes): nodes
        case .integers(let values): values.map { .integer($0) }
        default: nil
        }
    }
}

/// Decodes a value from what was parsed.
struct LinkDecoder: Decoder {
    let node: LinkNode
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .object(let members) = node else { throw mismatch([String: Int].self) }
        return KeyedDecodingContainer(Keyed(members: members, codingPath: codingPath))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard let elements = node.elements else { throw mismatch([Int].self) }
        return Unkeyed(elements: elements, codingPath: codingPath)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        Single(node: node, codingPath: codingPath)
    }

    private func mismatch(_ type: Any.Type) -> DecodingError {
        .typeMismatch(type, DecodingError.Context(codingPath: codingPath, debugDescription: "another kind of value"))
    }

    /// Decodes the value here.
    fileprivate func value<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let value: Any?
        switch node {
        case .boolean(let boolean) where type == Bool.self: value = boolean
        case .string(let text) where type == String.self: value = text
        case .integers(let values) where type == [Int64].self: value = values
        case .integer(let number) where type == Int.self: value = Int(exactly: number)
        case .integer(let number) where type == Int64.self: value = number
        case .integer(let number) where type == UInt64.self: value = UInt64(bitPattern: number)
        case .integer(let number) where type == Int32.self: value = Int32(exactly: number)
        case .integer(let number) where type == UInt32.self: value = UInt32(exactly: number)
        case .integer(let number) where type == UInt8.self: value = UInt8(exactly: number)
        default:
            // A basic type's own decoding would recurse without end.
            if Self.isBasic(type) { throw mismatch(type) }
            let value = try Value(from: self)
            guard Self.isPossible(value) else { throw mismatch(type) }
            return value
        }
        guard let value = value as? Value else { throw mismatch(type) }
        return value
    }

    /// Whether a time lies within a century of the present, so that calculations with it cannot overflow.
    private static func isPossible<Value>(_ value: Value) -> Bool {
        if Value.self == Moment.self, let moment = value as? Moment { return LinkBounds.contains(moment) }
        if Value.self == Duration.self, let duration = value as? Duration { return LinkBounds.contains(duration) }
        return true
    }

    private static func isBasic(_ type: Any.Type) -> Bool {
        type == Bool.self || type == String.self || type is any BinaryInteger.Type
            || type is any BinaryFloatingPoint.Type
    }

    private struct Keyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let members: [(key: String, node: LinkNode)]
        let codingPath: [any CodingKey]
        var allKeys: [Key] { members.compactMap { Key(stringValue: $0.key) } }

        func contains(_ key: Key) -> Bool { members.contains { $0.key == key.stringValue } }

        private func decoder(_ key: any CodingKey) throws -> LinkDecoder {
            guard let member = members.first(where: { $0.key == key.stringValue }) else {
                throw DecodingError.keyNotFound(
                    key, DecodingError.Context(codingPath: codingPath, debugDescription: "it is missing"))
            }
            return LinkDecoder(node: member.node, codingPath: codingPath + [key])
        }

        func decodeNil(forKey key: Key) throws -> Bool {
            if case .null = try decoder(key).node { true } else { false }
        }

        func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
            try decoder(key).value(type)
        }

        func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type, forKey key: Key
        ) throws -> KeyedDecodingContainer<Nested> {
            try decoder(key).container(keyedBy: type)
        }

        func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
            try decoder(key).unkeyedContainer()
        }

        func superDecoder() throws -> any Decoder { try decoder(LinkKey(stringValue: "super")) }

        func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }
    }

    private struct Unkeyed: UnkeyedDecodingContainer {
        let elements: [LinkNode]
        let codingPath: [any CodingKey]
        var currentIndex = 0
        var count: Int? { elements.count }
        var isAtEnd: Bool { currentIndex >= elements.count }

        init(elements: [LinkNode], codingPath: [any CodingKey]) {
            (self.elements, self.codingPath) = (elements, codingPath)
        }

        private mutating func next() throws -> LinkDecoder {
            let path = codingPath + [LinkKey(intValue: currentIndex)]
            guard currentIndex < elements.count else {
                throw DecodingError.valueNotFound(
                    LinkNode.self, DecodingError.Context(codingPath: path, debugDescription: "the list has ended"))
            }
            defer { currentIndex += 1 }
            return LinkDecoder(node: elements[currentIndex], codingPath: path)
        }

        mutating func decodeNil() throws -> Bool {
            guard currentIndex < elements.count, case .null = elements[currentIndex] else { return false }
            currentIndex += 1
            return true
        }

        mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try next().value(type) }

        mutating func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type
        ) throws -> KeyedDecodingContainer<Nested> {
            try next().container(keyedBy: type)
        }

        mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try next().unkeyedContainer() }

        mutating func superDecoder() throws -> any Decoder { try next() }
    }

    private struct Single: SingleValueDecodingContainer {
        let node: LinkNode
        let codingPath: [any CodingKey]

        func decodeNil() -> Bool {
            if case .null = node { true } else { false }
        }

        func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
            try LinkDecoder(node: node, codingPath: codingPath).value(type)
        }
    }
}
