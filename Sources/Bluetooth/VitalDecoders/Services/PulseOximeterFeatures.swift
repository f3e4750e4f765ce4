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
