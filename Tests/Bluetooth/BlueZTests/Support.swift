import DBus

@testable import BlueZ

/// A path that is written in a test.
func path(_ text: String) throws -> ObjectPath {
    guard let path = ObjectPath(text) else { throw InvalidTestPath(text: text) }
    return path
}

struct InvalidTestPath: Error {
    let text: String
}

extension BlueZEvent.Kind {
    /// The event in short, for comparing sequences.
    var text: String {
        switch self {
        case .bus(.connected): "bus connected"
        case .bus(.silent): "bus silent"
        case .bus(.lost): "bus lost"
        case .bus(.foreign(let isMarked)): "bus foreign \(isMarked)"
        case .daemon(.running): "daemon running"
        case .daemon(.silent): "daemon silent"
        case .daemon(.gone): "daemon gone"
        case .daemon(.refused): "daemon refused"
        case .daemon(.unusable): "daemon unusable"
        case .adapter(let change, let adapter): "\(adapter.id) \(change)"
        case .peripheral(let change, let peripheral): "\(peripheral.name ?? "?") \(change)"
        case .connected(let peripheral): "\(peripheral.name ?? "?") connected"
        case .disconnected(let peripheral): "\(peripheral.name ?? "?") disconnected"
        case .servicesResolved(let peripheral): "\(peripheral.name ?? "?") resolved"
        case .servicesChanged(let peripheral): "\(peripheral.name ?? "?") services changed"
        case .notification(let characteristic, let octets): "\(characteristic.uuid.description.lowercased()) \(octets)"
        }
    }
}

/// The objects of a bluetoothd with one adapter and one heart-rate strap, as signals carry them.
enum Strap {
    static let adapter = "/org/bluez/hci0"
    static let device = "/org/bluez/hci0/dev_C0_52_49_00_00_02"
    static let service = device + "/service001b"
    static let measurement = service + "/char001c"
    static let configuration = measurement + "/desc001e"
    static let location = service + "/char001f"
    static let address = BluetoothAddress(rawValue: 0xC052_4900_0002)

    static let adapterProperties: [(name: String, value: DBusValue)] = [
        ("Address", .string("00:1B:DC:00:00:01")), ("Alias", .string("ward")), ("Powered", .boolean(true)),
        ("Discovering", .boolean(false)), ("Roles", .strings(["central"])), ("Discoverable", .boolean(false)),
        ("DiscoverableTimeout", .uint32(180)), ("Pairable", .boolean(false)), ("PairableTimeout", .uint32(0)),
    ]

    static func deviceProperties(
        isConnected: Bool = false, isResolved: Bool = false
    ) throws -> [(name: String, value: DBusValue)] {
        [
            ("Address", .string(address.description)), ("AddressType", .string("random")),
            ("Name", .string("Polar")), ("Alias", .string("Polar")), ("RSSI", .int16(-58)),
            ("Connected", .boolean(isConnected)), ("UUIDs", .strings(["180d"])),
            ("Adapter", .objectPath(try path(adapter))), ("ServicesResolved", .boolean(isResolved)),
            ("Trusted", .boolean(false)),
        ]
    }

    static func serviceProperties() throws -> [(name: String, value: DBusValue)] {
        [
            ("UUID", .string("0000180d-0000-1000-8000-00805f9b34fb")), ("Device", .objectPath(try path(device))),
            ("Primary", .boolean(true)),
        ]
    }

    static func measurementProperties() throws -> [(name: String, value: DBusValue)] {
        [
            ("UUID", .string("00002a37-0000-1000-8000-00805f9b34fb")), ("Service", .objectPath(try path(service))),
            ("Value", .bytes([0x06, 99])), ("Notifying", .boolean(false)), ("Flags", .strings(["notify", "read"])),
            ("MTU", .uint16(247)),
        ]
    }

    static func locationProperties() throws -> [(name: String, value: DBusValue)] {
        [
            ("UUID", .string("00002a38-0000-1000-8000-00805f9b34fb")), ("Service", .objectPath(try path(service))),
            ("Value", .bytes([])), ("Flags", .strings(["read"])),
        ]
    }

    static func configurationProperties() throws -> [(name: String, value: DBusValue)] {
        [
            ("UUID", .string("00002902-0000-1000-8000-00805f9b34fb")),
            ("Characteristic", .objectPath(try path(measurement))),
        ]
    }

    /// The reference of the Heart Rate Measurement.
    static func reference() throws -> CharacteristicReference {
        CharacteristicReference(
            path: try path(measurement), uuid: BluetoothUUID(0x2A37), service: BluetoothUUID(0x180D),
            peripheral: address)
    }
}
