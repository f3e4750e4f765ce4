import DBus
import EventLoops

/// A remote device as BlueZ knows it (`org.bluez.Device1` and `org.bluez.Battery1`).
///
/// All texts come from strangers' radios: sanitize them before they reach a screen.
public struct Peripheral: Hashable, Sendable {
    /// The object on the bus; changes with the peripheral's address.
    public let path: ObjectPath
    /// The object of the adapter that it was seen by.
    public let adapter: ObjectPath
    /// Its address; a private one is replaced by the permanent one when the peripheral is paired.
    public var address: BluetoothAddress
    /// The kind of address; `nil` when the daemon does not report it.
    public var addressType: BluetoothAddressType?
    /// Its own name, at most 248 octets; `nil` when it has sent none yet.
    public var name: String?
    /// Its name on this computer; `nil` where BlueZ only made one from the address.
    public var alias: String?
    /// The strength of its newest advertisement in dBm; `nil` when no discovery runs.
    public var rssi: Int?
    /// Its reported transmission power, in dBm.
    public var txPower: Int?
    /// The services that it advertises, and after a connection those that it has.
    public var uuids: [BluetoothUUID] = []
    /// Manufacturer-specific data of its advertisements, by company identifier.
    public var manufacturerData: [UInt16: [UInt8]] = [:]
    /// Service data of its advertisements.
    public var serviceData: [BluetoothUUID: [UInt8]] = [:]
    /// What it looks like, by its own account, in an advertisement or once it was connected.
    public var appearance: BluetoothAppearance?
    /// The flags of its advertisements (Core Specification Supplement, Part A, 1.3); empty where BlueZ reports none.
    public var advertisingFlags: [UInt8] = []
    /// Whether there is a link, ours or another program's.
    public var isConnected = false
    /// Whether its services are known and can be used.
    public var areServicesResolved = false
    /// Whether it is paired.
    public var isPaired = false
    /// Whether it is trusted.
    public var isTrusted = false
    /// The charge of its battery in percent, 0 to 100, as the daemon read it from its Battery Service.
    public var batteryPercent: Int?
    /// When its newest advertisement arrived; `nil` for none since the start.
    public var lastHeard: Timestamp?

    public init(path: ObjectPath, adapter: ObjectPath, address: BluetoothAddress) {
        self.path = path
        self.adapter = adapter
        self.address = address
    }
}

extension Peripheral {
    /// Reads a peripheral from the properties of its object.
    ///
    /// - Returns: The peripheral, and how many properties are malformed; `nil` without a valid address or adapter.
    static func read(
        _ path: ObjectPath, _ properties: [String: DBusValue]
    ) -> (peripheral: Peripheral, malformed: Int)? {
        guard let address = properties["Address"]?.text.flatMap({ BluetoothAddress($0) }),
            let adapter = properties["Adapter"]?.path, adapter.description.utf8.count <= InputBounds.pathLength
        else { return nil }
        var peripheral = Peripheral(path: path, adapter: adapter, address: address)
        let malformed = properties.count { !peripheral.set($0.key, to: $0.value) }
        return (peripheral, malformed)
    }

    /// Sets a property; returns `false` when its type or value is invalid.
    mutating func set(_ property: String, to value: DBusValue) -> Bool {
        switch property {
        case "Address": assign(value.text.flatMap { BluetoothAddress($0) }, to: \.address)
        case "AddressType": assign(value.text.flatMap { BluetoothAddressType(rawValue: $0) }, to: \.addressType)
        case "Name": assign(value.deviceName, to: \.name)
        case "Alias": setAlias(value)
        case "RSSI": assign(value.integer.flatMap { (-127...20).contains($0) ? $0 : nil }, to: \.rssi)
        case "TxPower": assign(value.integer.flatMap { (-127...127).contains($0) ? $0 : nil }, to: \.txPower)
        case "UUIDs": setUUIDs(value)
        case "ManufacturerData": setManufacturerData(value)
        case "ServiceData": setServiceData(value)
        case "Appearance": assign(value.appearance, to: \.appearance)
        case "AdvertisingFlags": assign(value.advertisedOctets, to: \.advertisingFlags)
        case "Connected": assign(value.isTrue, to: \.isConnected)
        case "ServicesResolved": assign(value.isTrue, to: \.areServicesResolved)
        case "Paired": assign(value.isTrue, to: \.isPaired)
        case "Trusted": assign(value.isTrue, to: \.isTrusted)
        default: true
        }
    }

    /// Clears a property that the daemon has declared invalid without a new value.
    mutating func clear(_ property: String) {
        switch property {
        case "Name": name = nil
        case "RSSI": rssi = nil
        case "TxPower": txPower = nil
        case "ManufacturerData": manufacturerData = [:]
        case "ServiceData": serviceData = [:]
        case "Appearance": appearance = nil
        case "AdvertisingFlags": advertisingFlags = []
        default: break
        }
    }

    /// Sets a property of `org.bluez.Battery1`.
    mutating func setBattery(_ property: String, to value: DBusValue) -> Bool {
        guard property == "Percentage" else { return true }
        return assign(value.integer.flatMap { (0...100).contains($0) ? $0 : nil }, to: \.batteryPercent)
    }

    /// Whether a property comes from advertisements.
    static func isAdvertised(_ property: String) -> Bool {
        property == "RSSI" || property == "ManufacturerData" || property == "ServiceData"
    }

    /// Whether this differs from an older state in more than every advertisement may change.
    func differsLastingly(from old: Peripheral) -> Bool {
        var comparable = self
        if rssi != nil { comparable.rssi = old.rssi }
        comparable.txPower = old.txPower
        comparable.manufacturerData = old.manufacturerData
        comparable.serviceData = old.serviceData
        comparable.advertisingFlags = old.advertisingFlags
        comparable.lastHeard = old.lastHeard
        return comparable != old
    }

    private mutating func assign<Value>(_ value: Value?, to property: WritableKeyPath<Peripheral, Value>) -> Bool {
        guard let value else { return false }
        self[keyPath: property] = value
        return true
    }

    private mutating func assign<Value>(_ value: Value?, to property: WritableKeyPath<Peripheral, Value?>) -> Bool {
        guard let value else { return false }
        self[keyPath: property] = value
        return true
    }

    private mutating func setAlias(_ value: DBusValue) -> Bool {
        guard let text = value.deviceName else { return false }
        // Quirk alias-is-made-up: without a name BlueZ makes one from the address, with hyphens.
        let isMadeUp = BluetoothAddress(String(text.map { $0 == "-" ? ":" : $0 })) != nil
        alias = isMadeUp ? nil : text
        return true
    }

    private mutating func setUUIDs(_ value: DBusValue) -> Bool {
        guard let found = value.uuids else { return false }
        uuids = found.valid
        return found.malformed == 0
    }

    private mutating func setManufacturerData(_ value: DBusValue) -> Bool {
        guard let entries = value.entries else { return false }
        var data: [UInt16: [UInt8]] = [:]
        for entry in entries.prefix(InputBounds.advertisedEntries) {
            guard case .uint16(let company) = entry.key, let octets = entry.value.advertisedOctets else { continue }
            data[company] = octets
        }
        manufacturerData = data
        return data.count == entries.count
    }

    private mutating func setServiceData(_ value: DBusValue) -> Bool {
        guard let entries = value.entries else { return false }
        var data: [BluetoothUUID: [UInt8]] = [:]
        for entry in entries.prefix(InputBounds.advertisedEntries) {
            guard let uuid = entry.key.uuid, let octets = entry.value.advertisedOctets else { continue }
            data[uuid] = octets
        }
        serviceData = data
        return data.count == entries.count
    }
}
