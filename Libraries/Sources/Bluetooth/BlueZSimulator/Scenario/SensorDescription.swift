import VitalDecoders

/// A sensor, or any other peripheral, of a scenario.
struct SensorDescription: Hashable, Sendable {
    var name: String
    /// The address in upper-case hexadecimal with colons.
    var address: String
    var addressType = AddressType.random
    var kind: Kind
    /// The signal strength in dBm.
    var signalStrength = -60
    var signalNoise = 0
    /// Its advertised transmission power, if any.
    var transmitPower: Int?
    var appearance: UInt16?
    /// The charge in percent; `nil` for a sensor without a Battery Service.
    var battery: Quantity?
    /// Seconds between two measurements.
    var interval = 1.0
    var advertisedServices: [BluetoothUUID] = []
    /// Manufacturer data by company identifier.
    var manufacturerData: [CompanyData] = []
    var information: DeviceInformation?
    var vitals = SimulatedVitals()
    /// Services in addition to those of its kind.
    var services: [CustomService] = []
    /// Its reactions to requests, and its stored values.
    var conversation = ConversationDescription()
    /// Its behaviour during pairing; `nil` for a sensor without pairing.
    var pairing: PairingBehaviour?
    /// Whether it can be heard from the beginning.
    var isInRange = true

    /// The kind of a sensor; the raw value is the word in a scenario.
    enum Kind: String, CaseIterable, Hashable, Sendable {
        case thermometer, core, heartRateStrap, oximeter, generic
        // Devices that are written in the language of scenarios; see ``BuiltInDevice``.
        case bloodPressureMonitor, glucoseMeter, continuousGlucose, miaoMiao, xDripBridge, dexcomTransmitter
        case oximeterRing, oximeterRingS, fingertipOximeter, jumperOximeter, bciOximeter, noninOximeter
        case ecgRecorder, weightScale

        /// Whether it measures a heart rate, and not a pulse rate.
        var hasHeartRate: Bool { self == .heartRateStrap || self == .ecgRecorder }
    }

    enum AddressType: String, CaseIterable, Hashable, Sendable {
        case random, `public`
    }

    /// Manufacturer-specific advertising data.
    struct CompanyData: Hashable, Sendable {
        var company: UInt16
        var octets: [UInt8]
    }

    /// The strings of the Device Information Service (180A).
    struct DeviceInformation: Hashable, Sendable {
        var manufacturer = "Bedside"
        var model = "Simulated sensor"
        var serial = "1"
        var firmware = "1.0.0"
    }
}

/// A service defined by a scenario.
struct CustomService: Hashable, Sendable {
    var uuid: BluetoothUUID
    var characteristics: [CustomCharacteristic]
}

/// A characteristic defined by a scenario.
struct CustomCharacteristic: Hashable, Sendable {
    var uuid: BluetoothUUID
    var flags: [CharacteristicFlag]
    /// The values that it notifies in a cycle; the first one can also be read.
    var values: [OctetTemplate]
    /// The values while the sensor is not worn; empty for the same ones.
    var offBody: [OctetTemplate] = []

    /// The longest notification, in octets; longer values are sent in pieces.
    var pieces: Int?

    /// What it sends many times a second, besides its values.
    var wave: WaveDescription?

    var templates: [OctetTemplate] { values + offBody + (wave?.templates ?? []) }
    /// The characteristic of the same service whose written octets it notifies and returns to reads.
    var echoes: BluetoothUUID?
    /// Whether it requires pairing.
    var needsPairing = false
}

/// An operation on a characteristic; the raw value is the word of `GattCharacteristic1.Flags`.
enum CharacteristicFlag: String, CaseIterable, Hashable, Sendable {
    case read, write
    case writeWithoutResponse = "write-without-response"
    case notify, indicate
}
