/// Information from other characteristics that is needed to decode a sensor's values.
public struct DecodingContext: Hashable, Sendable {
    /// Whether values of the Continuous Glucose Monitoring Service end in an E2E-CRC (CGM Feature, bit 12).
    ///
    /// `nil` when the feature was not read; then exactly two extra octets are taken for the CRC.
    public var endToEndCRC: Bool?

    @inlinable
    public init(endToEndCRC: Bool? = nil) {
        self.endToEndCRC = endToEndCRC
    }
}
