/// One field as it lies in the octets of a value: for laying octets out before people.
public struct FieldRecord: Hashable, Sendable {
    /// The field's name, such as `temperature`.
    public var name: String
    /// How it is encoded, such as `FLOAT` or `uint16`.
    public var format: String
    /// The offset of its first octet, from 0.
    public var offset: Int
    /// The number of its octets.
    public var count: Int
    /// What it says, such as `36.5`.
    public var meaning: String

    /// Makes a record.
    public init(name: String, format: String, offset: Int, count: Int, meaning: String) {
        self.name = name
        self.format = format
        self.offset = offset
        self.count = count
        self.meaning = meaning
    }
}

/// What is known from other characteristics of a sensor and needed to read its values.
public struct DecodingContext: Hashable, Sendable {
    /// Whether values of the Continuous Glucose Monitoring Service end in an E2E-CRC (CGM Feature, bit 12), or `nil`
    /// when the feature was not read; then a length that leaves exactly two octets over is taken to mean that they do.
    public var endToEndCRC: Bool?

    /// Makes a context.
    @inlinable
    public init(endToEndCRC: Bool? = nil) {
        self.endToEndCRC = endToEndCRC
    }
}
