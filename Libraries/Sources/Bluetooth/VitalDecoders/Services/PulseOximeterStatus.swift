/// The measurement status of the Pulse Oximeter Service: the reliability of a measurement.
///
/// Source: Pulse Oximeter Service 1.0.1, Measurement Status.
public struct PulseOximeterMeasurementStatus: ClinicalStatusWord {
    /// The number on the wire.
    public let rawValue: UInt16

    @inlinable
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// Measuring is in progress.
    public static let measurementOngoing = Self(rawValue: 1 << 5)
    /// The value is a first estimate.
    public static let earlyEstimate = Self(rawValue: 1 << 6)
    /// The value is validated.
    public static let validated = Self(rawValue: 1 << 7)
    /// The value is fully qualified.
    public static let fullyQualified = Self(rawValue: 1 << 8)
    /// The value comes from the oximeter's memory.
    public static let fromStorage = Self(rawValue: 1 << 9)
    /// The value is for demonstration.
    public static let demonstration = Self(rawValue: 1 << 10)
    /// The value is for testing.
    public static let testing = Self(rawValue: 1 << 11)
    /// The oximeter is calibrating.
    public static let calibrationOngoing = Self(rawValue: 1 << 12)
    /// There is no measurement.
    public static let unavailable = Self(rawValue: 1 << 13)
    /// The measurement is questionable.
    public static let questionable = Self(rawValue: 1 << 14)
    /// The measurement is invalid.
    public static let invalid = Self(rawValue: 1 << 15)

    /// The assigned bits, with their names and their meanings for the value.
    public static let table: [StatusBit] = [
        StatusBit(5, "measurement ongoing", .usable, .information),
        StatusBit(6, "early estimated data", .questionable, .estimate),
        StatusBit(7, "validated data", .usable, .information),
        StatusBit(8, "fully qualified data", .usable, .information),
        StatusBit(9, "data from measurement storage", .unusable, .stored),
        StatusBit(10, "data for demonstration", .unusable, .demo),
        StatusBit(11, "data for testing", .unusable, .test),
        StatusBit(12, "calibration ongoing", .unusable, .calibrating),
        StatusBit(13, "measurement unavailable", .unusable, .signal),
        StatusBit(14, "questionable measurement detected", .questionable, .signal),
        StatusBit(15, "invalid measurement detected", .unusable, .signal),
    ]
}

/// The device and sensor status of the Pulse Oximeter Service.
///
/// Source: Pulse Oximeter Service 1.0.1, Device and Sensor Status.
public struct PulseOximeterDeviceAndSensorStatus: ClinicalStatusWord {
    /// 24 bits; the highest octet is always 0.
    public let rawValue: UInt32

    @inlinable
    public init(rawValue: UInt32) {
        self.rawValue = rawValue & 0xFF_FFFF
    }

    /// The display takes longer than usual to update.
    public static let extendedDisplayUpdateOngoing = Self(rawValue: 1 << 0)
    /// The oximeter has a fault.
    public static let equipmentMalfunction = Self(rawValue: 1 << 1)
    /// The signal processing is irregular.
    public static let signalProcessingIrregularity = Self(rawValue: 1 << 2)
    /// The signal is inadequate.
    public static let inadequateSignal = Self(rawValue: 1 << 3)
    /// The signal is poor.
    public static let poorSignal = Self(rawValue: 1 << 4)
    /// The perfusion is low.
    public static let lowPerfusion = Self(rawValue: 1 << 5)
    /// The signal is erratic.
    public static let erraticSignal = Self(rawValue: 1 << 6)
    /// The signal does not pulsate.
    public static let nonPulsatileSignal = Self(rawValue: 1 << 7)
    /// The pulse is questionable.
    public static let questionablePulse = Self(rawValue: 1 << 8)
    /// The signal is still being analysed.
    public static let signalAnalysisOngoing = Self(rawValue: 1 << 9)
    /// Something disturbs the sensor.
    public static let sensorInterference = Self(rawValue: 1 << 10)
    /// The sensor is not on the body.
    public static let sensorUnconnectedToUser = Self(rawValue: 1 << 11)
    /// The probe is of an unknown type.
    public static let unknownSensorConnected = Self(rawValue: 1 << 12)
    /// The sensor has slipped.
    public static let sensorDisplaced = Self(rawValue: 1 << 13)
    /// The sensor has a fault.
    public static let sensorMalfunctioning = Self(rawValue: 1 << 14)
    /// The probe is not plugged into the oximeter.
    public static let sensorDisconnected = Self(rawValue: 1 << 15)

    /// The assigned bits, with their names and their meanings for the value.
    public static let table: [StatusBit] = [
        StatusBit(0, "extended display update ongoing", .usable, .information),
        StatusBit(1, "equipment malfunction detected", .questionable, .equipmentFault),
        StatusBit(2, "signal processing irregularity detected", .questionable, .signal),
        StatusBit(3, "inadequate signal detected", .unusable, .signal),
        StatusBit(4, "poor signal detected", .questionable, .signal),
        StatusBit(5, "low perfusion detected", .questionable, .lowPerfusion),
        StatusBit(6, "erratic signal detected", .questionable, .signal),
        StatusBit(7, "non-pulsatile signal detected", .unusable, .lowPerfusion),
        StatusBit(8, "questionable pulse detected", .questionable, .signal),
        StatusBit(9, "signal analysis ongoing", .questionable, .searching),
        StatusBit(10, "sensor interference detected", .questionable, .signal),
        StatusBit(11, "sensor unconnected to user", .unusable, .offBody),
        StatusBit(12, "unknown sensor connected", .questionable, .equipmentFault),
        StatusBit(13, "sensor displaced", .unusable, .offBody),
        StatusBit(14, "sensor malfunctioning", .questionable, .equipmentFault),
        StatusBit(15, "sensor disconnected", .unusable, .equipmentFault),
    ]
}
