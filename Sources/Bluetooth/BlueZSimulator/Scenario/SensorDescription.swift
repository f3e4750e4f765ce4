import VitalDecoders

/// A sensor, or any other peripheral, of a scenario.
struct SensorDescription: Hashable, Sendable {
    var name: String
    /// In upper-case hexadecimal with colons.
    var address: String
    var addressType = AddressType.random
    var kind: Kind
    /// In decibels of a milliwatt.
    var signalStrength = -60
    var signalNoise = 0
    /// Its advertised transmission power, if any.
    var transmitPower: Int?
    var appearance: UInt16?
    /// Percent; `nil` for a sensor without a Battery Service.
    var battery: Quantity?
    /// Seconds from one measurement to the next.
    var interval = 1.0
    var advertisedServices: [BluetoothUUID] = []
    /// By company identifier.
    var manufacturerData: [CompanyData] = []
    var information: DeviceInformation?
    var vitals = SimulatedVitals()
    /// Services besides those that its kind brings.
    var services: [CustomService] = []
    /// How it answers, and what it has stored.
    var conversation = ConversationDescription()
    /// How it is paired; `nil` for a sensor without pairing.
    var pairing: PairingBehaviour?
    /// Whether it is heard from the beginning.
    var isInRange = true

    /// What a sensor is; the raw value is the word in a scenario.
    enum Kind: String, CaseIterable, Hashable, Sendable {
        case thermometer, core, heartRateStrap, oximeter, generic
        // Those that are written in the language of scenarios themselves; see ``BuiltInDevice``.
        case bloodPressureMonitor, glucoseMeter, continuousGlucose, miaoMiao, xDripBridge, dexcomTransmitter
        case oximeterRing, fingertipOximeter, jumperOximeter, bciOximeter, noninOximeter, weightScale
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
    /// The values it notifies in a cycle; the first one can also be read.
    var values: [OctetTemplate]
    /// Those while the sensor is not worn; the others if there are none.
    var offBody: [OctetTemplate] = []

    /// The most octets of a notification; longer values are sent in pieces.
    var pieces: Int?

    /// All of both.
    var templates: [OctetTemplate] { values + offBody }
    /// The characteristic of the same service whose written octets it notifies, and gives to read.
    var echoes: BluetoothUUID?
    /// Whether it requires pairing.
    var needsPairing = false
}

/// What can be done with a characteristic; the raw value is the word of `GattCharacteristic1.Flags`.
enum CharacteristicFlag: String, CaseIterable, Hashable, Sendable {
    case read, write
    case writeWithoutResponse = "write-without-response"
    case notify, indicate
}
