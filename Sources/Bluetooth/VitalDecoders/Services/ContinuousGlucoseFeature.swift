/// The value of CGM Feature (2AA8): the features of a continuous glucose monitor.
///
/// Source: Continuous Glucose Monitoring Service 1.0.2, section 3.2; GATT Specification Supplement, CGM Feature.
public struct ContinuousGlucoseFeature: CharacteristicValue {
    /// The supported features.
    public var features: Supported
    /// The sampled fluid and its location.
    public var source: GlucoseSampleSource
    /// The field that is sent without an E2E-CRC, usually 0xFFFF; `nil` when it is missing.
    public var unusedCRC: UInt16?

    public init(features: Supported, source: GlucoseSampleSource, unusedCRC: UInt16? = 0xFFFF) {
        self.features = features
        self.source = source
        self.unusedCRC = features.contains(.endToEndCRC) ? nil : unusedCRC
    }

    /// The features of a continuous glucose monitor.
    public struct Supported: StatusWord {
        /// 24 bits; the highest octet is always 0.
        public let rawValue: UInt32

        public init(rawValue: UInt32) {
            self.rawValue = rawValue & 0xFF_FFFF
        }

        /// The values of the service end in an E2E-CRC.
        public static let endToEndCRC = Supported(rawValue: 1 << 12)

        /// The assigned bits, with their names.
        public static let bits: [(bit: Int, name: String)] = [
            (0, "calibration"), (1, "patient high and low alerts"), (2, "hypo alerts"), (3, "hyper alerts"),
            (4, "rate of increase and decrease alerts"), (5, "device-specific alert"),
            (6, "sensor malfunction detection"), (7, "temperature high and low detection"),
            (8, "result high and low detection"), (9, "low battery detection"), (10, "sensor type error detection"),
            (11, "general device fault"), (12, "E2E-CRC"), (13, "multiple bonds"), (14, "multiple sessions"),
            (15, "trend"), (16, "quality"),
        ]
    }

    public init(from reader: inout OctetReader<some FieldLog>) throws(MalformedValueError) {
        let features = Supported(rawValue: try reader.uint24("features"))
        reader.explain(features.description)
        let source = GlucoseSampleSource(rawValue: try reader.uint8("type and sample location"))
        reader.explain("\(source.fluid.name), \(source.location.name)")
        self.features = features
        self.source = source
        unusedCRC = nil
        if features.contains(.endToEndCRC) {
            _ = try reader.endToEndCRC(over: 0)
        } else if reader.remaining >= 2 {
            unusedCRC = try reader.uint16("E2E-CRC")
            reader.explain("not supported")
        }
        try reader.expectEnd()
    }

    /// Writes the fields in the order of the specification.
    public func encode(to writer: inout OctetWriter) {
        writer.uint24(features.rawValue)
        writer.uint8(source.rawValue)
        if features.contains(.endToEndCRC) {
            writer.endToEndCRC(over: 0)
        } else if let unusedCRC {
            writer.uint16(unusedCRC)
        }
    }

    /// The fields as `bedside decode` prints them.
    public var fields: [Field] {
        [
            Field("features", FieldValue(features.rawValue)),
            Field("fluid_type", FieldValue(source.fluid.rawValue)),
            Field("sample_location", FieldValue(source.location.rawValue)),
            Field("e2e_crc_supported", .bool(features.contains(.endToEndCRC))),
            Field(
                "crc",
                FieldValue(
                    endToEndCRCOf: octets, isThere: features.contains(.endToEndCRC) || unusedCRC != nil)),
        ]
    }
}
