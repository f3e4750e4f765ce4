/// Polar's service for measurement streams, such as the ECG of a chest strap (PMD).
///
/// Streams are started and stopped by its control point, and come as frames of its data characteristic. A sensor whose
/// stream was not stopped stays awake until its battery is empty. Source: Polar Measurement Data Specification, and
/// the technical documentation of the Polar BLE SDK.
public enum PolarMeasurementDataService {
    /// The UUID of the service.
    public static let uuid = characteristic(0x5C80)

    /// Its characteristics.
    public static let characteristics: [CharacteristicType] = [.polarMeasurementControl, .polarMeasurementData]

    fileprivate static func characteristic(_ number: UInt64) -> BluetoothUUID {
        BluetoothUUID(high: 0xFB00_0000_02E7_F387 | number << 32, low: 0x1CAD_8ACD_2D8D_F0C8)
    }
}

extension Specification {
    /// Polar Measurement Data Specification, in the state of the Polar BLE SDK 5.
    public static let polarMeasurementData = Specification("Polar Measurement Data Specification", "SDK 5")
}

extension CharacteristicType {
    /// The control point of Polar Measurement Data (FB005C81, read, written and indicated).
    public static let polarMeasurementControl = CharacteristicType(
        PolarMeasurementDataService.characteristic(0x5C81), "Polar Measurement Control Point", .polarMeasurementData,
        PolarMeasurementControl.self)

    /// The data of Polar Measurement Data (FB005C82, notified).
    public static let polarMeasurementData = CharacteristicType(
        PolarMeasurementDataService.characteristic(0x5C82), "Polar Measurement Data", .polarMeasurementData,
        PolarMeasurementFrame.self)
}

/// What a stream of a Polar sensor measures.
public struct PolarMeasurementType: AssignedNumber {
    /// The number on the wire, 0 to 63.
    public let rawValue: UInt8

    /// Creates a type; the two upper bits, which say something else, are left out.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue & 0x3F
    }

    /// Electrocardiogram.
    public static let electrocardiogram = Self(rawValue: 0)
    /// Photoplethysmogram: the light that comes back from the skin.
    public static let photoplethysmogram = Self(rawValue: 1)
    /// Acceleration.
    public static let acceleration = Self(rawValue: 2)
    /// Intervals between pulses, found by light.
    public static let pulseIntervals = Self(rawValue: 3)

    /// The assigned numbers, with the names that `bedside decode` prints.
    public static let assigned: [(number: PolarMeasurementType, name: String)] = [
        (electrocardiogram, "ecg"), (photoplethysmogram, "ppg"), (acceleration, "acceleration"),
        (pulseIntervals, "pulse_intervals"), (.init(rawValue: 5), "gyroscope"), (.init(rawValue: 6), "magnetometer"),
        (.init(rawValue: 7), "skin_temperature"), (.init(rawValue: 9), "sdk_mode"), (.init(rawValue: 10), "location"),
        (.init(rawValue: 11), "pressure"), (.init(rawValue: 12), "temperature"),
    ]
}
