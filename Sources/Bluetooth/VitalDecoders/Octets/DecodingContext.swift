/// What is known from other characteristics of a sensor and needed to read its values.
public struct DecodingContext: Hashable, Sendable {
    /// Whether values of the Continuous Glucose Monitoring Service end in an E2E-CRC (CGM Feature, bit 12), or `nil`
    /// when the feature was not read; then a length that leaves exactly two octets over is taken to mean that they do.
    public var endToEndCRC: Bool?

    @inlinable
    public init(endToEndCRC: Bool? = nil) {
        self.endToEndCRC = endToEndCRC
    }
}
