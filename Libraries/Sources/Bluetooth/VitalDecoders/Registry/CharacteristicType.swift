/// A characteristic: its UUID, its name, its specification, and how to decode its values.
public struct CharacteristicType: Sendable {
    /// The UUID.
    public let uuid: BluetoothUUID
    /// The name from the Bluetooth SIG or the maker.
    public let name: String
    /// The specification of its octets.
    public let specification: Specification

    private let decode: @Sendable (Span<UInt8>, DecodingContext) throws(MalformedValueError) -> [Field]
    private let explain:
        @Sendable (Span<UInt8>, DecodingContext) -> (records: [FieldRecord], error: MalformedValueError?)
    private let encode: @Sendable (Span<UInt8>, DecodingContext) throws(MalformedValueError) -> [UInt8]

    /// Declares a characteristic whose values are of one type.
    ///
    /// - Parameters:
    ///   - uuid: The UUID.
    ///   - name: The name from the Bluetooth SIG or the maker.
    ///   - specification: The specification of its octets.
    ///   - type: The type of its values.
    public init<Value: CharacteristicValue>(
        _ uuid: BluetoothUUID, _ name: String, _ specification: Specification, _ type: Value.Type
    ) {
        self.uuid = uuid
        self.name = name
        self.specification = specification
        decode = { (octets: Span<UInt8>, context: DecodingContext) throws(MalformedValueError) -> [Field] in
            try Value(decoding: octets, context: context).fields
        }
        explain = { octets, context in
            var reader = OctetReader(octets, context: context, log: FieldRecorder())
            do throws(MalformedValueError) {
                _ = try Value(from: &reader)
                return (reader.log.records, nil)
            } catch {
                return (reader.log.records, error)
            }
        }
        encode = { (octets: Span<UInt8>, context: DecodingContext) throws(MalformedValueError) -> [UInt8] in
            try Value(decoding: octets, context: context).octets
        }
    }

    /// Decodes a value to its fields, in the order in which `bedside decode` prints them.
    ///
    /// - Throws: ``MalformedValueError`` when the octets are not allowed for the characteristic.
    public func fields(
        of octets: Span<UInt8>, context: DecodingContext = DecodingContext()
    ) throws(MalformedValueError) -> [Field] {
        try decode(octets, context)
    }

    /// Explains a value field by field, up to the first error.
    ///
    /// - Returns: The fields with their places, and the error, if there is one.
    public func layout(
        of octets: Span<UInt8>, context: DecodingContext = DecodingContext()
    ) -> (records: [FieldRecord], error: MalformedValueError?) {
        explain(octets, context)
    }

    /// Decodes a value and encodes it again in the canonical form of this module.
    ///
    /// Reserved and unannounced octets are lost; encoding the result again changes nothing.
    ///
    /// - Throws: ``MalformedValueError`` when the octets are not allowed for the characteristic.
    public func canonicalOctets(
        of octets: Span<UInt8>, context: DecodingContext = DecodingContext()
    ) throws(MalformedValueError) -> [UInt8] {
        try encode(octets, context)
    }
}

/// A document that specifies characteristics.
public struct Specification: Hashable, Sendable {
    /// The title, such as `Heart Rate Service`.
    public let title: String
    /// The revision, such as `1.0`.
    public let revision: String

    /// Creates a reference to a document.
    public init(_ title: String, _ revision: String) {
        self.title = title
        self.revision = revision
    }
}

extension CharacteristicType {
    /// Every characteristic that this module decodes, by service.
    public static let all: [CharacteristicType] =
        HealthThermometerService.characteristics
        + HeartRateService.characteristics
        + PulseOximeterService.characteristics
        + BatteryService.characteristics
        + DeviceInformationService.characteristics
        + BloodPressureService.characteristics
        + WeightScaleService.characteristics
        + CurrentTimeService.characteristics
        + GlucoseService.characteristics
        + ContinuousGlucoseMonitoringService.characteristics
        + [.recordAccessControlPoint]
        + CoreBodyTemperatureService.characteristics
        + PolarMeasurementDataService.characteristics

    private static let byUUID: [BluetoothUUID: CharacteristicType] = {
        var result: [BluetoothUUID: CharacteristicType] = [:]
        for characteristic in all {
            result[characteristic.uuid] = characteristic
        }
        return result
    }()

    /// The characteristic with this UUID, or `nil` when this module does not decode it.
    public static func with(uuid: BluetoothUUID) -> CharacteristicType? {
        byUUID[uuid]
    }
}
