import Base
import VitalDecoders

/// The services of a sensor with their handles, with the same layout as in the virtual machine with the real
/// bluetoothd.
struct GattDatabase {
    struct Service {
        var uuid: BluetoothUUID
        var handle: Int
        /// BlueZ does not export the Generic Access service (1800).
        var isHidden = false
        var characteristics: [Characteristic] = []
    }

    struct Characteristic {
        var uuid: BluetoothUUID
        var handle: Int
        var flags: [CharacteristicFlag]
        var content: Content
        /// The handle of the Client Characteristic Configuration descriptor (2902), where there is one.
        var configurationHandle: Int?
        /// Whether it requires pairing.
        var isProtected = false
        /// The longest notification, in octets; longer values are sent in pieces.
        var pieces: Int?
        /// What it sends many times a second, besides its content.
        var wave: WaveDescription?

        /// Whether a sensor sends it repeatedly.
        var isMeasurement: Bool { content.isMeasurement || wave != nil }
        var isNotifying: Bool { flags.contains(.notify) || flags.contains(.indicate) }
    }

    /// The content of a characteristic.
    enum Content: Hashable {
        case octets([UInt8])
        /// Octets with placeholders.
        case template(OctetTemplate)
        case batteryLevel
        case temperatureMeasurement, measurementInterval, coreBodyTemperature, coreControlPoint
        case heartRateMeasurement, heartRateControlPoint
        case pulseOximeterContinuous, pulseOximeterSpotCheck
        case polarControl, polarData
        /// The octets that were last written to this characteristic or another of its service.
        case echo(of: BluetoothUUID)
        /// Values given in a scenario, in sequence, and those while the sensor is not worn, if they differ.
        case sequence([OctetTemplate], offBody: [OctetTemplate])

        /// Whether it never changes, except when a client writes to it.
        var isConstant: Bool {
            switch self {
            case .octets: true
            case .template(let template): template.isConstant
            default: false
            }
        }

        /// Whether a sensor sends it repeatedly.
        var isMeasurement: Bool {
            switch self {
            case .temperatureMeasurement, .coreBodyTemperature, .heartRateMeasurement, .pulseOximeterContinuous: true
            case .sequence(let values, let offBody): !values.isEmpty || !offBody.isEmpty
            default: false
            }
        }
    }

    private(set) var services: [Service] = []
    private var nextHandle = 1

    /// The UUIDs of all services, in BlueZ's order.
    var serviceUUIDs: [String] { services.map(\.uuid.fullDescription).sorted() }

    init(of sensor: SensorDescription) {
        addGenericServices(name: sensor.name, appearance: sensor.appearance)
        if let information = sensor.information { addInformation(information) }
        if sensor.battery != nil {
            add(BatteryService.uuid)
            add(0x2A19, [.read, .notify], .batteryLevel)
        }
        let firstVital = services.count
        addVitalServices(sensor)
        if sensor.pairing != nil { protect(from: firstVital) }
        for service in sensor.services {
            add(service.uuid)
            for item in service.characteristics {
                add(item.uuid, item.flags, content(of: item))
                changeLast {
                    if item.needsPairing { $0.isProtected = true }
                    $0.pieces = item.pieces
                    $0.wave = item.wave
                }
            }
        }
    }

    /// Moves all services but the first, the Generic Attribute service, to other handles, in reversed order.
    mutating func moveServices() {
        services = services.prefix(1) + services.dropFirst().reversed()
        nextHandle = 1
        for service in services.indices {
            services[service].handle = take()
            for index in services[service].characteristics.indices {
                services[service].characteristics[index].handle = take(2)
                if services[service].characteristics[index].isNotifying {
                    services[service].characteristics[index].configurationHandle = take()
                }
            }
        }
    }

    private func content(of item: CustomCharacteristic) -> Content {
        if let echoed = item.echoes { return .echo(of: echoed) }
        let isSent = item.flags.contains(.notify) || item.flags.contains(.indicate)
        return isSent
            ? .sequence(item.values, offBody: item.offBody) : .template(item.values.first ?? OctetTemplate(octets: []))
    }

    /// Makes the services of the sensor's kind require pairing.
    private mutating func protect(from first: Int) {
        for service in services.indices.dropFirst(first) {
            for index in services[service].characteristics.indices {
                services[service].characteristics[index].isProtected = true
            }
        }
    }

    /// Changes the characteristic that was added last.
    private mutating func changeLast(_ change: (inout Characteristic) -> Void) {
        let service = services.count - 1
        change(&services[service].characteristics[services[service].characteristics.count - 1])
    }

    private mutating func addGenericServices(name: String, appearance: UInt16?) {
        add(BluetoothUUID(0x1801))
        add(0x2A05, [.indicate], .octets([]))
        add(0x2B29, [.read, .write], .octets([0]))
        add(0x2B2A, [.read], .octets(hash(of: name)))
        add(BluetoothUUID(0x1800), isHidden: true)
        add(0x2A00, [.read], .octets(Array(name.utf8)))
        add(0x2A01, [.read], .octets([UInt8(truncatingIfNeeded: appearance ?? 0), UInt8((appearance ?? 0) >> 8)]))
    }

    private mutating func addInformation(_ information: SensorDescription.DeviceInformation) {
        add(DeviceInformationService.uuid)
        add(0x2A29, [.read], .octets(Array(information.manufacturer.utf8)))
        add(0x2A24, [.read], .octets(Array(information.model.utf8)))
        add(0x2A25, [.read], .octets(Array(information.serial.utf8)))
        add(0x2A26, [.read], .octets(Array(information.firmware.utf8)))
    }

    private mutating func addVitalServices(_ sensor: SensorDescription) {
        switch sensor.kind {
        case .thermometer, .core:
            add(HealthThermometerService.uuid)
            add(0x2A1C, [.indicate], .temperatureMeasurement)
            let type = sensor.vitals.temperature.type ?? .body
            add(0x2A1D, [.read], .octets(type.octets))
            guard sensor.kind == .core else { return add(0x2A21, [.read, .write], .measurementInterval) }
            add(CoreBodyTemperatureService.uuid)
            add(Self.coreUUID(0x2101), [.read, .notify], .coreBodyTemperature)
            add(Self.coreUUID(0x2102), [.write, .indicate], .coreControlPoint)
        case .heartRateStrap:
            add(HeartRateService.uuid)
            add(0x2A37, [.notify], .heartRateMeasurement)
            add(0x2A38, [.read], .octets(sensor.vitals.heartRate.location.octets))
            add(0x2A39, [.write], .heartRateControlPoint)
            guard sensor.vitals.electrocardiogram != nil else { return }
            add(PolarMeasurementDataService.uuid)
            add(CharacteristicType.polarMeasurementControl.uuid, [.read, .write, .indicate], .polarControl)
            add(CharacteristicType.polarMeasurementData.uuid, [.notify], .polarData)
        case .oximeter:
            add(PulseOximeterService.uuid)
            let isStoring = sensor.conversation.records != nil
            add(0x2A60, [.read], .octets(MeasurementEncoder.features(sensor.vitals.oximetry, isStoring: isStoring)))
            add(0x2A5E, [.indicate], .pulseOximeterSpotCheck)
            add(0x2A5F, [.notify], .pulseOximeterContinuous)
            if isStoring { add(0x2A52, [.write, .indicate], .octets([])) }
        default:
            return
        }
    }

    /// A characteristic of the CORE service, whose UUID differs from the service's in one number.
    private static func coreUUID(_ number: UInt64) -> BluetoothUUID {
        let service = CoreBodyTemperatureService.uuid
        return BluetoothUUID(high: service.high & ~(0xFFFF << 32) | number << 32, low: service.low)
    }

    /// Sixteen octets instead of the database hash.
    private func hash(of text: String) -> [UInt8] {
        let noise = Noise(seed: text.utf8.reduce(0) { $0 &* 31 &+ UInt64($1) })
        return (0..<16).map { UInt8(truncatingIfNeeded: noise.bits(at: $0)) }
    }

    // MARK: Handles

    private mutating func take(_ count: Int = 1) -> Int {
        defer { nextHandle += count }
        return nextHandle
    }

    private mutating func add(_ uuid: BluetoothUUID, isHidden: Bool = false) {
        services.append(Service(uuid: uuid, handle: take(), isHidden: isHidden))
    }

    private mutating func add(_ uuid: UInt16, _ flags: [CharacteristicFlag], _ content: Content) {
        add(BluetoothUUID(uuid), flags, content)
    }

    private mutating func add(_ uuid: BluetoothUUID, _ flags: [CharacteristicFlag], _ content: Content) {
        // The declaration and the value each have a handle.
        var characteristic = Characteristic(uuid: uuid, handle: take(2), flags: flags, content: content)
        if characteristic.isNotifying { characteristic.configurationHandle = take() }
        services[services.count - 1].characteristics.append(characteristic)
    }
}
