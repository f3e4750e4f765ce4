import BlueZ
import EventLoops
import KnownSensors
import Vitals

/// What is traced, until when, and how it is read from BlueZ; while nothing is traced, nothing is read.
struct SensorTrace {
    /// Until when each scope is traced.
    private(set) var scopes: [TraceScope: Moment] = [:]
    /// The readers of BlueZ; empty while nothing is traced.
    var deliveries: [BroadcastDelivery] = []
    /// Ends the trace when nobody has asked for it again.
    var timer: LoopTimer?
    /// When each peripheral's advertisement was traced last, and what it said.
    private var heard: [BluetoothAddress: (moment: Moment, data: AdvertisedData)] = [:]

    /// How many scopes there can be at once; each reader has one.
    private static let limit = 16
    /// How many peripherals' advertisements are compared.
    private static let heardLimit = 1024

    /// The longest time that a wish can trace for; a reader asks again in time.
    static let longest = Duration.seconds(SensorWish.traceLimit)

    var isOn: Bool { !scopes.isEmpty }

    /// When the trace ends; `nil` while there is none.
    var end: Moment? { scopes.values.max() }

    /// Adds a scope, or prolongs it.
    mutating func add(_ scope: TraceScope, until end: Moment) {
        guard scopes.count < Self.limit || scopes[scope] != nil else { return }
        scopes[scope] = max(scopes[scope] ?? end, end)
    }

    /// Ends what is due.
    mutating func expire(at now: Moment) {
        scopes = scopes.filter { $0.value > now }
        guard scopes.isEmpty else { return }
        deliveries = []
        heard = [:]
    }

    /// Whether a peripheral is traced, or would be if it were of interest.
    func covers(_ address: BluetoothAddress) -> Bool {
        scopes[.all] != nil || scopes[.sensor(address: address.description)] != nil
    }

    /// Whether a peripheral was named.
    func names(_ address: BluetoothAddress) -> Bool { scopes[.sensor(address: address.description)] != nil }

    /// Whether to trace an advertisement: at once when it says something new, else once a second.
    mutating func takes(_ data: AdvertisedData, of address: BluetoothAddress, at moment: Moment) -> Bool {
        if let last = heard[address], last.data == data, moment.since(last.moment) < SignalStrengthThrottle.interval {
            return false
        }
        if heard.count >= Self.heardLimit, heard[address] == nil { heard = [:] }
        heard[address] = (moment, data)
        return true
    }

    /// Forgets what was heard, so that the next advertisement is traced.
    mutating func forgetHeard() { heard = [:] }
}

/// The values that are part of an authentication, so that they are in no trace.
enum TraceSecrets {
    /// A value as a trace shows it.
    static func octets(_ octets: [UInt8], of characteristic: BluetoothUUID) -> TraceEntry.Octets {
        isSecret(octets, of: characteristic) ? .secret(count: octets.count) : .shown(octets)
    }

    /// The User Control Point, through which a consent code is sent to a device for several persons.
    private static let userControlPoint = BluetoothUUID(0x2A9F)

    private static func isSecret(_ octets: [UInt8], of characteristic: BluetoothUUID) -> Bool {
        switch characteristic {
        // The challenge and its answer: the identifier of the transmitter can be computed from them.
        case DexcomDriver.authentication, userControlPoint: true
        // The identifier of the transmitter that a bridge is told, or reports that it listens to.
        case XDripBridgeDriver.characteristic: [[0x06, 0x01], [0x07, 0xF1]].contains(Array(octets.prefix(2)))
        default: false
        }
    }
}

extension TraceEntry.Attribute {
    /// The characteristic of a reference.
    init(_ reference: CharacteristicReference) {
        // BlueZ names a characteristic after the handle of its declaration, which its value follows.
        let declaration = UInt16(handleIn: reference.path.description)
        self.init(
            uuid: reference.uuid.description, handle: declaration == 0 || declaration == .max ? 0 : declaration + 1)
    }
}

extension TraceEntry.Service {
    /// A service as it was discovered.
    init(_ service: BlueZ.Service) {
        self.init(
            uuid: service.uuid.description, handle: UInt16(handleIn: service.path.description),
            characteristics: service.characteristics.map {
                TraceEntry.Characteristic(
                    attribute: TraceEntry.Attribute($0.reference),
                    properties: UInt8(truncatingIfNeeded: $0.flags.rawValue), propertyNames: $0.flags.names,
                    configurationHandle: $0.descriptors.first { $0.uuid == .clientCharacteristicConfiguration }
                        .map { UInt16(handleIn: $0.path.description) } ?? 0)
            })
    }
}

extension TraceEntry.Operation {
    /// The operation of this program.
    init(_ kind: PeripheralOperation.Kind) {
        switch kind {
        case .connect: self = .connect
        case .disconnect: self = .disconnect
        case .pair: self = .pair
        case .remove: self = .remove
        case .read(let reference): self = .read(TraceEntry.Attribute(reference))
        case .write(let reference, let octets, let mode):
            self = .write(
                TraceEntry.Attribute(reference), TraceSecrets.octets(octets, of: reference.uuid),
                withResponse: mode != .withoutResponse)
        case .subscribe(let reference): self = .subscribe(TraceEntry.Attribute(reference))
        case .unsubscribe(let reference): self = .unsubscribe(TraceEntry.Attribute(reference))
        }
    }
}

extension UInt16 {
    /// The attribute handle at the end of an object's path, four hexadecimal digits; 0 if there is none.
    fileprivate init(handleIn path: String) {
        self = UInt16(path.suffix(4), radix: 16) ?? 0
    }
}

extension AdvertisedData {
    /// What a peripheral advertises, as BlueZ reports it.
    init(_ peripheral: Peripheral) {
        self.init(
            services: peripheral.uuids.map(\.description),
            companies: peripheral.manufacturerData.sorted { $0.key < $1.key }
                .map { Company(identifier: $0.key, octets: $0.value) },
            serviceData: peripheral.serviceData.sorted { $0.key < $1.key }
                .map { Service(uuid: $0.key.description, octets: $0.value) },
            appearance: peripheral.appearance?.rawValue, transmitPower: peripheral.txPower,
            flags: peripheral.advertisingFlags)
    }
}
