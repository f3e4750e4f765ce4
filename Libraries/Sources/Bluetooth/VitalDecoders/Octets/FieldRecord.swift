/// A field and its place in the octets of a value, to show the layout to users.
public struct FieldRecord: Hashable, Sendable {
    /// The field's name, such as `temperature`.
    public var name: String
    /// How it is encoded, such as `FLOAT` or `uint16`.
    public var format: String
    /// The offset of its first octet, from 0.
    public var offset: Int
    /// The number of its octets.
    public var count: Int
    /// Its meaning, such as `36.5`.
    public var meaning: String

    public init(name: String, format: String, offset: Int, count: Int, meaning: String) {
        self.name = name
        self.format = format
        self.offset = offset
        self.count = count
        self.meaning = meaning
    }
}

/// Receives the names and meanings of the fields that an ``OctetReader`` reads.
public protocol FieldLog {
    /// Records a field.
    ///
    /// - Parameters:
    ///   - name: The field's name.
    ///   - format: How it is encoded.
    ///   - offset: The offset of its first octet.
    ///   - count: The number of its octets.
    ///   - meaning: Creates the text of its meaning.
    mutating func record(
        _ name: StaticString, _ format: StaticString, offset: Int, count: Int, _ meaning: () -> String)

    /// Replaces the meaning of the last recorded field.
    mutating func explain(_ meaning: () -> String)
}

/// Records nothing; reading with it compiles to reading alone.
public struct NoFieldLog: FieldLog {
    @inlinable
    public init() {}

    /// Does nothing.
    @inlinable @inline(__always)
    public func record(
        _ name: StaticString, _ format: StaticString, offset: Int, count: Int, _ meaning: () -> String
    ) {}

    /// Does nothing.
    @inlinable @inline(__always)
    public func explain(_ meaning: () -> String) {}
}

/// Records every field.
public struct FieldRecorder: FieldLog {
    /// The fields in the order of reading.
    public private(set) var records: [FieldRecord] = []

    public init() {}

    /// Records a field.
    public mutating func record(
        _ name: StaticString, _ format: StaticString, offset: Int, count: Int, _ meaning: () -> String
    ) {
        records.append(
            FieldRecord(name: "\(name)", format: "\(format)", offset: offset, count: count, meaning: meaning()))
    }

    /// Replaces the meaning of the last record.
    public mutating func explain(_ meaning: () -> String) {
        guard let last = records.indices.last else { return }
        records[last].meaning = meaning()
    }
}
