/// The Pulse Oximeter Service (1822).
public enum PulseOximeterService {
    /// The UUID of the service.
    public static let uuid = BluetoothUUID(0x1822)

    /// Its characteristics.
    public static let characteristics: [CharacteristicType] = [
        .pulseOximeterSpotCheck, .pulseOximeterContinuous, .pulseOximeterFeatures,
    ]
}

extension Specification {
    /// Pulse Oximeter Service 1.0.1.
    public static let pulseOximeter = Specification("Pulse Oximeter Service", "1.0.1")
}

extension CharacteristicType {
    /// PLX Spot-Check Measurement (2A5E, indicated).
    public static let pulseOximeterSpotCheck = CharacteristicType(
        BluetoothUUID(0x2A5E), "PLX Spot-Check Measurement", .pulseOximeter, PulseOximeterSpotCheckMeasurement.self)

    /// PLX Continuous Measurement (2A5F, notified).
    public static let pulseOximeterContinuous = CharacteristicType(
        BluetoothUUID(0x2A5F), "PLX Continuous Measurement", .pulseOximeter, PulseOximeterContinuousMeasurement.self)

    /// PLX Features (2A60, read).
    public static let pulseOximeterFeatures = CharacteristicType(
        BluetoothUUID(0x2A60), "PLX Features", .pulseOximeter, PulseOximeterFeatures.self)
}

/// Oxygen saturation and pulse rate from one algorithm of an oximeter.
public struct OxygenSaturationAndPulseRate: Hashable, Sendable {
    /// Peripheral oxygen saturation (SpO2) in percent.
    public var oxygenSaturation: MedicalShortFloat
    /// Beats a minute.
    public var pulseRate: MedicalShortFloat

    public init(oxygenSaturation: MedicalShortFloat, pulseRate: MedicalShortFloat) {
        self.oxygenSaturation = oxygenSaturation
        self.pulseRate = pulseRate
    }

    @inlinable @inline(__always)
    init(
        from reader: inout OctetReader<some FieldLog>, _ saturationName: StaticString, _ rateName: StaticString,
        _ presence: FieldPresence
    ) throws(MalformedValueError) {
        let saturation = try reader.shortFloat(saturationName, presence)
        reader.explain("\(saturation) %")
        let rate = try reader.shortFloat(rateName, presence)
        reader.explain("\(rate) beats a minute")
        oxygenSaturation = saturation
        pulseRate = rate
    }

    func encode(to writer: inout OctetWriter) {
        writer.shortFloat(oxygenSaturation)
        writer.shortFloat(pulseRate)
    }
}

extension OctetReader {
    @inlinable @inline(__always)
    mutating func measurementStatus() throws(MalformedValueError) -> PulseOximeterMeasurementStatus {
        let status = PulseOximeterMeasurementStatus(rawValue: try uint16("measurement status", .announced))
        explain(status.explanation)
        return status
    }

    @inlinable @inline(__always)
    mutating func deviceAndSensorStatus() throws(MalformedValueError) -> PulseOximeterDeviceAndSensorStatus {
        let status = PulseOximeterDeviceAndSensorStatus(rawValue: try uint24("device and sensor status", .announced))
        explain(status.explanation)
        return status
    }

    @inlinable @inline(__always)
    mutating func pulseAmplitudeIndex() throws(MalformedValueError) -> MedicalShortFloat {
        let index = try shortFloat("pulse amplitude index", .announced)
        explain("\(index) %")
        return index
    }
}

/// A value of PLX Continuous Measurement (2A5F).
///
/// Source: Pulse Oximeter Service 1.0.1, section 3.2.
public struct PulseOximeterContinuousMeasurement: CharacteristicValue {
    /// The result of the normal algorithm.
    public var normal: OxygenSaturationAndPulseRate
    /// The result of an algorithm with a fast response, when sent.
    public var fast: OxygenSaturationAndPulseRate?
    /// The result of an algorithm with a slow response, when sent.
    public var slow: OxygenSaturationAndPulseRate?
    /// The reliability of the measurement, when sent.
    public var measurementStatus: PulseOximeterMeasurementStatus?
    /// The status of the oximeter and its probe, when sent.
    public var deviceAndSensorStatus: PulseOximeterDeviceAndSensorStatus?
    /// The strength of the pulsation in percent, when sent.
    public var pulseAmplitudeIndex: MedicalShortFloat?

    public init(
        normal: OxygenSaturationAndPulseRate, fast: OxygenSaturationAndPulseRate? = nil,
        slow: OxygenSaturationAndPulseRate? = nil, measurementStatus: PulseOximeterMeasurementStatus? = nil,
        deviceAndSensorStatus: PulseOximeterDeviceAndSensorStatus? = nil, pulseAmplitudeIndex: MedicalShortFloat? = nil
    ) {
        self.normal = normal
        self.fast = fast
        self.slow = slow
        self.measurementStatus = measurementStatus
        self.deviceAndSensorStatus = deviceAndSensorStatus
        self.pulseAmplitudeIndex = pulseAmplitudeIndex
    }

    /// Decodes a value without copying it, and without an allocation.
    ///
    /// - Throws: ``MalformedValueError`` when the octets are not allowed for the characteristic.
    @inlinable @inline(__always)
    public init(decoding octets: Span<UInt8>, context: DecodingContext) throws(MalformedValueError) {
        var reader = OctetReader(octets, context: context, log: NoFieldLog())
        try self.init(from: &reader)
    }

    /// Decodes a value without copying it; repeated here, so that it is not looked up in a witness table at run time.
    ///
    /// - Throws: ``MalformedValueError`` when the octets are not allowed for the characteristic.
    @inlinable @inline(__always)
    public init(decoding octets: Span<UInt8>) throws(MalformedValueError) {
        var reader = OctetReader(octets, context: DecodingContext(), log: NoFieldLog())
        try self.init(from: &reader)
    }

    @inlinable @inline(__always)
    public init(from reader: inout OctetReader<some FieldLog>) throws(MalformedValueError) {
        let flags = try reader.uint8("flags")
        reader.explain(
            FlagText.describe(
                flags,
                [
                    (0, "SpO2PR-Fast"), (1, "SpO2PR-Slow"), (2, "measurement status"), (3, "device and sensor status"),
                    (4, "pulse amplitude index"),
                ]))
        normal = try OxygenSaturationAndPulseRate(
            from: &reader, "SpO2PR-Normal SpO2", "SpO2PR-Normal pulse rate", .required)
        fast =
            flags & 1 << 0 == 0
            ? nil
            : try OxygenSaturationAndPulseRate(from: &reader, "SpO2PR-Fast SpO2", "SpO2PR-Fast pulse rate", .announced)
        slow =
            flags & 1 << 1 == 0
            ? nil
            : try OxygenSaturationAndPulseRate(from: &reader, "SpO2PR-Slow SpO2", "SpO2PR-Slow pulse rate", .announced)
        measurementStatus = flags & 1 << 2 == 0 ? nil : try reader.measurementStatus()
        deviceAndSensorStatus = flags & 1 << 3 == 0 ? nil : try reader.deviceAndSensorStatus()
        pulseAmplitudeIndex = flags & 1 << 4 == 0 ? nil : try reader.pulseAmplitudeIndex()
    }

    /// Writes the fields in the order of the specification.
    public func encode(to writer: inout OctetWriter) {
        var flags: UInt8 = 0
        if fast != nil { flags |= 1 << 0 }
        if slow != nil { flags |= 1 << 1 }
        if measurementStatus != nil { flags |= 1 << 2 }
        if deviceAndSensorStatus != nil { flags |= 1 << 3 }
        if pulseAmplitudeIndex != nil { flags |= 1 << 4 }
        writer.uint8(flags)
        normal.encode(to: &writer)
        fast?.encode(to: &writer)
        slow?.encode(to: &writer)
        if let measurementStatus { writer.uint16(measurementStatus.rawValue) }
        if let deviceAndSensorStatus { writer.uint24(deviceAndSensorStatus.rawValue) }
        if let pulseAmplitudeIndex { writer.shortFloat(pulseAmplitudeIndex) }
    }

    /// The fields as `bedside decode` prints them.
    public var fields: [Field] {
        [
            Field("spo2_percent", FieldValue(normal.oxygenSaturation)),
            Field("pulse_rate_bpm", FieldValue(normal.pulseRate)),
            Field("spo2_fast_percent", FieldValue(fast?.oxygenSaturation)),
            Field("pulse_rate_fast_bpm", FieldValue(fast?.pulseRate)),
            Field("spo2_slow_percent", FieldValue(slow?.oxygenSaturation)),
            Field("pulse_rate_slow_bpm", FieldValue(slow?.pulseRate)),
            Field("measurement_status", FieldValue(measurementStatus?.rawValue)),
            Field("device_and_sensor_status", FieldValue(deviceAndSensorStatus?.rawValue)),
            Field("pulse_amplitude_index_percent", FieldValue(pulseAmplitudeIndex)),
        ]
    }
}

/// A value of PLX Spot-Check Measurement (2A5E).
///
/// Source: Pulse Oximeter Service 1.0.1, section 3.1.
public struct PulseOximeterSpotCheckMeasurement: CharacteristicValue {
    /// Oxygen saturation and pulse rate.
    public var normal: OxygenSaturationAndPulseRate
    /// The sensor's own time, when sent; unreliable when ``isDeviceClockNotSet``.
    public var timestamp: DateTime?
    /// The reliability of the measurement, when sent.
    public var measurementStatus: PulseOximeterMeasurementStatus?
    /// The status of the oximeter and its probe, when sent.
    public var deviceAndSensorStatus: PulseOximeterDeviceAndSensorStatus?
    /// The strength of the pulsation in percent, when sent.
    public var pulseAmplitudeIndex: MedicalShortFloat?
    /// Whether the oximeter reports that its clock was never set.
    public var isDeviceClockNotSet: Bool

    public init(
        normal: OxygenSaturationAndPulseRate, timestamp: DateTime? = nil,
        measurementStatus: PulseOximeterMeasurementStatus? = nil,
        deviceAndSensorStatus: PulseOximeterDeviceAndSensorStatus? = nil, pulseAmplitudeIndex: MedicalShortFloat? = nil,
        isDeviceClockNotSet: Bool = false
    ) {
        self.normal = normal
        self.timestamp = timestamp
        self.measurementStatus = measurementStatus
        self.deviceAndSensorStatus = deviceAndSensorStatus
        self.pulseAmplitudeIndex = pulseAmplitudeIndex
        self.isDeviceClockNotSet = isDeviceClockNotSet
    }

    public init(from reader: inout OctetReader<some FieldLog>) throws(MalformedValueError) {
        let flags = try reader.uint8("flags")
        reader.explain(
            FlagText.describe(
                flags,
                [
                    (0, "time stamp"), (1, "measurement status"), (2, "device and sensor status"),
                    (3, "pulse amplitude index"), (4, "device clock is not set"),
                ]))
        isDeviceClockNotSet = flags & 1 << 4 != 0
        normal = try OxygenSaturationAndPulseRate(from: &reader, "SpO2", "pulse rate", .required)
        timestamp = flags & 1 << 0 == 0 ? nil : try reader.dateTime("time stamp", .announced)
        measurementStatus = flags & 1 << 1 == 0 ? nil : try reader.measurementStatus()
        deviceAndSensorStatus = flags & 1 << 2 == 0 ? nil : try reader.deviceAndSensorStatus()
        pulseAmplitudeIndex = flags & 1 << 3 == 0 ? nil : try reader.pulseAmplitudeIndex()
    }

    /// Writes the fields in the order of the specification.
    public func encode(to writer: inout OctetWriter) {
        var flags: UInt8 = 0
        if timestamp != nil { flags |= 1 << 0 }
        if measurementStatus != nil { flags |= 1 << 1 }
        if deviceAndSensorStatus != nil { flags |= 1 << 2 }
        if pulseAmplitudeIndex != nil { flags |= 1 << 3 }
        if isDeviceClockNotSet { flags |= 1 << 4 }
        writer.uint8(flags)
        normal.encode(to: &writer)
        if let timestamp { writer.dateTime(timestamp) }
        if let measurementStatus { writer.uint16(measurementStatus.rawValue) }
        if let deviceAndSensorStatus { writer.uint24(deviceAndSensorStatus.rawValue) }
        if let pulseAmplitudeIndex { writer.shortFloat(pulseAmplitudeIndex) }
    }

    /// The fields as `bedside decode` prints them.
    public var fields: [Field] {
        [
            Field("spo2_percent", FieldValue(normal.oxygenSaturation)),
            Field("pulse_rate_bpm", FieldValue(normal.pulseRate)),
        ] + Field.time("timestamp", timestamp) + [
            Field("measurement_status", FieldValue(measurementStatus?.rawValue)),
            Field("device_and_sensor_status", FieldValue(deviceAndSensorStatus?.rawValue)),
            Field("pulse_amplitude_index_percent", FieldValue(pulseAmplitudeIndex)),
            Field("device_clock_not_set", .bool(isDeviceClockNotSet)),
        ]
    }
}

/// The value of PLX Features (2A60): the features of an oximeter.
///
/// Source: Pulse Oximeter Service 1.0.1, section 3.3.
public struct PulseOximeterFeatures: CharacteristicValue {
    /// The supported features; ``Supported/measurementStatus`` and ``Supported/deviceAndSensorStatus`` follow from the
    /// fields below.
    public var supported: Supported {
        get {
            var all = otherFeatures
            if measurementStatusSupport != nil { all.insert(.measurementStatus) }
            if deviceAndSensorStatusSupport != nil { all.insert(.deviceAndSensorStatus) }
            return all
        }
        set { otherFeatures = newValue.subtracting([.measurementStatus, .deviceAndSensorStatus]) }
    }

    /// The bits of the measurement status that it can set, if it sends that word.
    public var measurementStatusSupport: PulseOximeterMeasurementStatus?
    /// The bits of the device and sensor status that it can set, if it sends that word.
    public var deviceAndSensorStatusSupport: PulseOximeterDeviceAndSensorStatus?

    private var otherFeatures: Supported

    public init(
        supported: Supported, measurementStatusSupport: PulseOximeterMeasurementStatus? = nil,
        deviceAndSensorStatusSupport: PulseOximeterDeviceAndSensorStatus? = nil
    ) {
        self.measurementStatusSupport = measurementStatusSupport
        self.deviceAndSensorStatusSupport = deviceAndSensorStatusSupport
        otherFeatures = supported.subtracting([.measurementStatus, .deviceAndSensorStatus])
    }

    /// The features of an oximeter.
    public struct Supported: StatusWord {
        /// The number on the wire.
        public let rawValue: UInt16

        public init(rawValue: UInt16) {
            self.rawValue = rawValue
        }

        /// Sends the measurement status.
        public static let measurementStatus = Supported(rawValue: 1 << 0)
        /// Sends the device and sensor status.
        public static let deviceAndSensorStatus = Supported(rawValue: 1 << 1)
        /// Stores spot-check measurements.
        public static let spotCheckStorage = Supported(rawValue: 1 << 2)
        /// Sends the time of spot-check measurements.
        public static let spotCheckTimestamp = Supported(rawValue: 1 << 3)
        /// Has an algorithm with a fast response.
        public static let fast = Supported(rawValue: 1 << 4)
        /// Has an algorithm with a slow response.
        public static let slow = Supported(rawValue: 1 << 5)
        /// Sends the pulse amplitude index.
        public static let pulseAmplitudeIndex = Supported(rawValue: 1 << 6)
        /// Can be bonded with more than one central.
        public static let multipleBonds = Supported(rawValue: 1 << 7)

        /// The assigned bits, with their names.
        public static let bits: [(bit: Int, name: String)] = [
            (0, "measurement status"), (1, "device and sensor status"), (2, "spot-check storage"),
            (3, "spot-check time stamp"), (4, "SpO2PR-Fast"), (5, "SpO2PR-Slow"), (6, "pulse amplitude index"),
            (7, "multiple bonds"),
        ]
    }

    public init(from reader: inout OctetReader<some FieldLog>) throws(MalformedValueError) {
        let supported = Supported(rawValue: try reader.uint16("supported features"))
        reader.explain(supported.description)
        otherFeatures = supported.subtracting([.measurementStatus, .deviceAndSensorStatus])
        measurementStatusSupport = nil
        deviceAndSensorStatusSupport = nil
        if supported.contains(.measurementStatus) {
            measurementStatusSupport = try reader.measurementStatus()
        }
        if supported.contains(.deviceAndSensorStatus) {
            deviceAndSensorStatusSupport = try reader.deviceAndSensorStatus()
        }
    }

    /// Writes the fields in the order of the specification.
    public func encode(to writer: inout OctetWriter) {
        writer.uint16(supported.rawValue)
        if let measurementStatusSupport { writer.uint16(measurementStatusSupport.rawValue) }
        if let deviceAndSensorStatusSupport { writer.uint24(deviceAndSensorStatusSupport.rawValue) }
    }

    /// The fields as `bedside decode` prints them.
    public var fields: [Field] {
        [
            Field("supported_features", FieldValue(supported.rawValue)),
            Field("measurement_status_support", FieldValue(measurementStatusSupport?.rawValue)),
            Field("device_and_sensor_status_support", FieldValue(deviceAndSensorStatusSupport?.rawValue)),
        ]
    }
}
