import DBus
import Testing

/// Another client of bluetoothd, such as `bluetoothctl`, a phone companion or a second monitor.
struct OtherProgram: Sendable {
    let connection: DBusConnection

    private static let adapterPath = ObjectPath("/org/bluez/hci0")

    /// The path of a sensor of ``Steady``.
    static func path(of sensor: String) throws -> ObjectPath {
        let place = try #require(Steady.all.firstIndex(of: sensor))
        return try #require(ObjectPath("/org/bluez/hci0/dev_C0_52_49_00_00_0\(place + 1)"))
    }

    /// Leaves the bus, as when it is ended.
    func leave() async {
        await connection.close()
    }

    // MARK: The adapter

    /// A property of the adapter; `nil` when there is no adapter, no bluetoothd or no bus.
    func adapter(_ property: String) async throws -> DBusValue? {
        let path = try #require(Self.adapterPath)
        let values = try? await connection.call(
            "org.bluez", path, "org.freedesktop.DBus.Properties", "Get",
            [.string("org.bluez.Adapter1"), .string(property)])
        guard case .variant(let value)? = values?.first else { return nil }
        return value
    }

    func setPower(_ isOn: Bool) async throws {
        try await connection.call(
            "org.bluez", try #require(Self.adapterPath), "org.freedesktop.DBus.Properties", "Set",
            [.string("org.bluez.Adapter1"), .string("Powered"), .variant(.boolean(isOn))])
    }

    func startDiscovery() async throws {
        let path = try #require(Self.adapterPath)
        try await connection.call(
            "org.bluez", path, "org.bluez.Adapter1", "SetDiscoveryFilter", [.properties([("Transport", .string("le"))])]
        )
        try await connection.call("org.bluez", path, "org.bluez.Adapter1", "StartDiscovery")
    }

    func stopDiscovery() async throws {
        try await connection.call("org.bluez", try #require(Self.adapterPath), "org.bluez.Adapter1", "StopDiscovery")
    }

    /// Has BlueZ forget a device.
    func remove(_ device: ObjectPath) async throws {
        try await connection.call(
            "org.bluez", try #require(Self.adapterPath), "org.bluez.Adapter1", "RemoveDevice", [.objectPath(device)])
    }

    // MARK: Devices

    private func objects() async throws -> [DBusEntry] {
        let reply = try await connection.call(
            "org.bluez", .root, "org.freedesktop.DBus.ObjectManager", "GetManagedObjects")
        return reply.first?.entries ?? []
    }

    /// Every device that BlueZ knows.
    func devices() async throws -> [ObjectPath] {
        try await objects().compactMap { object in
            guard object.value.entries?.contains(where: { $0.key.text == "org.bluez.Device1" }) == true else {
                return nil
            }
            return object.key.text.flatMap { ObjectPath($0) }
        }
    }

    /// Whether BlueZ knows a sensor and says that it is connected.
    func isConnected(_ sensor: String) async throws -> Bool {
        try await property("Connected", of: sensor)?.isTrue == true
    }

    /// A property of a sensor; `nil` when BlueZ does not know it.
    func property(_ name: String, of sensor: String) async throws -> DBusValue? {
        let values = try? await connection.call(
            "org.bluez", try Self.path(of: sensor), "org.freedesktop.DBus.Properties", "Get",
            [.string("org.bluez.Device1"), .string(name)])
        guard case .variant(let value)? = values?.first else { return nil }
        return value
    }

    /// Finds a sensor, stops the discovery, and connects.
    func connect(_ sensor: String) async throws {
        let path = try Self.path(of: sensor)
        if try await property("Address", of: sensor) == nil {
            try await startDiscovery()
            while try await property("Address", of: sensor) == nil { try await Task.sleep(for: .milliseconds(50)) }
            try await stopDiscovery()
        }
        try await connection.call("org.bluez", path, "org.bluez.Device1", "Connect", timeout: .seconds(60))
    }

    /// Whether BlueZ has an attempt to connect to a sensor pending: another one is refused then.
    func isTrying(_ sensor: String) async throws -> Bool {
        do {
            try await connection.call("org.bluez", try Self.path(of: sensor), "org.bluez.Device1", "Connect")
            return true
        } catch let failure as DBusConnectionError {
            return "\(failure)".contains("progress")
        }
    }

    /// Has BlueZ forget a sensor, if it knows it.
    func forget(_ sensor: String) async throws {
        do {
            try await remove(try Self.path(of: sensor))
        } catch let failure as DBusConnectionError where "\(failure)".contains("DoesNotExist") {}
    }

    func disconnect(_ sensor: String) async throws {
        try await connection.call("org.bluez", try Self.path(of: sensor), "org.bluez.Device1", "Disconnect")
    }

    /// What BlueZ has heard last from the only characteristic with this UUID; `nil` for nothing.
    func newestValue(of characteristic: String) async throws -> [UInt8]? {
        for object in try await objects() {
            guard
                let properties = object.value.entries?.first(where: {
                    $0.key.text == "org.bluez.GattCharacteristic1"
                })?.value.namedValues, properties["UUID"]?.text == characteristic
            else { continue }
            return properties["Value"]?.bytes
        }
        return nil
    }

    /// Calls a method of a sensor's characteristic, found by its UUID.
    func call(_ member: String, of characteristic: String, _ sensor: String) async throws {
        let device = try Self.path(of: sensor)
        for object in try await objects() {
            guard let path = object.key.text.flatMap({ ObjectPath($0) }), path.isBelow(device),
                let properties = object.value.entries?.first(where: {
                    $0.key.text == "org.bluez.GattCharacteristic1"
                })?.value.namedValues,
                properties["UUID"]?.text?.hasPrefix("0000\(characteristic)-") == true
            else { continue }
            try await connection.call("org.bluez", path, "org.bluez.GattCharacteristic1", member)
            return
        }
        Issue.record("\(sensor) has no characteristic \(characteristic)")
    }
}
