/// A large value that copies of what contains it share until one of them changes it.
///
/// For a part that seldom changes, in a value that is often copied: it is copied as one reference. It is encoded, compared
/// and hashed as the value itself.
@propertyWrapper
public struct Shared<Value: Sendable>: Sendable {
    private final class Box: @unchecked Sendable {
        // `@unchecked Sendable`: only changed while one `Shared` alone refers to it.
        var value: Value

        init(_ value: Value) {
            self.value = value
        }
    }

    private var box: Box

    public init(wrappedValue: Value) {
        box = Box(wrappedValue)
    }

    public var wrappedValue: Value {
        _read { yield box.value }
        _modify {
            if !isKnownUniquelyReferenced(&box) { box = Box(box.value) }
            yield &box.value
        }
    }
}

extension Shared: Equatable where Value: Equatable {
    public static func == (one: Shared, other: Shared) -> Bool {
        one.box === other.box || one.box.value == other.box.value
    }
}

extension Shared: Hashable where Value: Hashable {
    public func hash(into hasher: inout Hasher) {
        box.value.hash(into: &hasher)
    }
}

extension Shared: Encodable where Value: Encodable {
    public func encode(to encoder: any Encoder) throws {
        try box.value.encode(to: encoder)
    }
}

extension Shared: Decodable where Value: Decodable {
    public init(from decoder: any Decoder) throws {
        self.init(wrappedValue: try Value(from: decoder))
    }
}
