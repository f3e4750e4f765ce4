import Base
import BluetoothValues
import DBus

/// A central in the simulated air, by which a test uses what a program serves.
///
/// ```swift
/// let phone = try await simulator.connectCentral()
/// let values = try await phone.subscribe(to: BluetoothUUID(0x2A37))
/// let location = try await phone.read(BluetoothUUID(0x2A38))
/// ```
///
/// A characteristic is the first one of its type. Each method carries out one request of the Attribute Protocol, or several
/// where a value is long, as bluetoothd passes them on.
public struct RemoteCentral: Sendable {
    /// Its address.
    public let address: BluetoothAddress
    let simulator: Simulator

    /// Reads a characteristic, a long value in several parts.
    ///
    /// - Throws: ``SimulatorError``: `refused`, `unknownCharacteristic`, `notConnected`.
    public func read(_ characteristic: BluetoothUUID) async throws(SimulatorError) -> [UInt8] {
        try await simulator.read(characteristic, nil, by: address)
    }

    /// Reads the descriptor of a characteristic.
    ///
    /// - Throws: ``SimulatorError``: `refused`, `unknownCharacteristic`, `notConnected`.
    public func read(
        descriptor: BluetoothUUID, of characteristic: BluetoothUUID
    ) async throws(SimulatorError) -> [UInt8] {
        try await simulator.read(characteristic, descriptor, by: address)
    }

    /// Writes a characteristic.
    ///
    /// - Parameters:
    ///   - octets: The value.
    ///   - characteristic: Its type.
    ///   - isAnswered: Whether to wait for an answer; without one a refusal is not noticed.
    /// - Throws: ``SimulatorError``: `refused`, `unknownCharacteristic`, `notConnected`.
    public func write(
        _ octets: [UInt8], to characteristic: BluetoothUUID, withResponse isAnswered: Bool = true
    ) async throws(SimulatorError) {
        try await simulator.write(octets, to: characteristic, isAnswered, by: address)
    }

    /// Subscribes to a characteristic; its values come until the subscription or the link ends.
    ///
    /// - Throws: ``SimulatorError``: `refused`, `unknownCharacteristic`, `notConnected`.
    public func subscribe(to characteristic: BluetoothUUID) async throws(SimulatorError) -> AsyncStream<[UInt8]> {
        try await simulator.subscribe(to: characteristic, by: address)
    }

    /// Ends a subscription.
    ///
    /// - Throws: ``SimulatorError``: `notSubscribed`, `unknownCharacteristic`, `notConnected`.
    public func unsubscribe(from characteristic: BluetoothUUID) async throws(SimulatorError) {
        try await simulator.unsubscribe(from: characteristic, by: address)
    }

    /// Ends the link, and with it the subscriptions.
    public func disconnect() async {
        await simulator.disconnectCentral(address)
    }
}

extension Simulator {
    /// What programs advertise through the adapter, while it is on.
    public var advertisements: [SimulatedAdvertisement] {
        guard let adapter = bluetoothd?.adapter, adapter.isPowered else { return [] }
        return adapter.local.advertisements.map { $0.content }
    }

    /// The types of the characteristics that programs serve.
    public var servedCharacteristics: [BluetoothUUID] {
        bluetoothd?.adapter?.local.applications.flatMap { $0.database.characteristics.map(\.uuid) } ?? []
    }

    /// Connects a central to the adapter, which shows it as a device.
    ///
    /// - Parameters:
    ///   - address: The address of the central; not that of a sensor.
    ///   - transferUnit: The ATT MTU in octets, 23 to 517.
    /// - Throws: ``SimulatorError/notAdvertised`` when no program advertises.
    public func connectCentral(
        _ address: BluetoothAddress = BluetoothAddress(rawValue: 0xC052_4900_00C0), transferUnit: Int = 23
    ) throws(SimulatorError) -> RemoteCentral {
        guard !advertisements.isEmpty, let adapter = bluetoothd?.adapter else { throw .notAdvertised }
        disconnectCentral(address)
        let path = adapter.path.child("dev_" + address.description.exchanging(":", for: "_"))
        adapter.local.add(
            CentralLink(address: address, path: path, transferUnit: min(max(transferUnit, 23), 517)))
        adapter.world.tree.add(
            path,
            [
                ExportedInterface(
                    Device.interface,
                    properties: [
                        ("Address", .string(address.description)), ("AddressType", .string("random")),
                        ("Alias", .string(address.description.exchanging(":", for: "-"))), ("Paired", .boolean(false)),
                        ("Trusted", .boolean(false)), ("Connected", .boolean(true)), ("UUIDs", .strings([])),
                        ("Adapter", .objectPath(adapter.path)), ("ServicesResolved", .boolean(true)),
                    ])
            ])
        return RemoteCentral(address: address, simulator: self)
    }

    func disconnectCentral(_ address: BluetoothAddress) {
        guard let adapter = bluetoothd?.adapter, let link = adapter.local.link(address) else { return }
        adapter.disconnect(link)
    }

    // MARK: Requests

    private typealias Target = (
        link: CentralLink, identity: ServedCharacteristic, definition: LocalDatabase.Characteristic,
        connection: DBusConnection
    )

    private func target(_ uuid: BluetoothUUID, by central: BluetoothAddress) throws(SimulatorError) -> Target {
        guard let local = bluetoothd?.adapter?.local, let link = local.link(central), let connection = daemonConnection
        else { throw .notConnected }
        guard let (identity, definition) = local.characteristic(uuid) else { throw .unknownCharacteristic(uuid) }
        return (link, identity, definition, connection)
    }

    fileprivate func read(
        _ uuid: BluetoothUUID, _ descriptor: BluetoothUUID?, by central: BluetoothAddress
    ) async throws(SimulatorError) -> [UInt8] {
        let target = try target(uuid, by: central)
        var (path, interface) = (target.identity.path, RemoteCharacteristic.interface)
        if let descriptor {
            guard let found = target.definition.descriptors.first(where: { $0.uuid == descriptor }) else {
                throw .unknownCharacteristic(descriptor)
            }
            (path, interface) = (found.path, "org.bluez.GattDescriptor1")
        } else if !target.definition.isReadable {
            throw .refused(code: AttributeCode.readNotPermitted)
        }
        var octets: [UInt8] = []
        while true {
            let options = Self.options(target.link, offset: octets.count)
            let part: [UInt8]
            do throws(DBusConnectionError) {
                let answer = try await target.connection.call(
                    target.identity.client, path, interface, "ReadValue", [.properties(options)],
                    timeout: Self.clientLimit)
                guard let value = answer.first?.bytes else {
                    throw DBusConnectionError.remote(name: "org.bluez.Error.NotSupported", message: "")
                }
                part = value
            } catch {
                throw .refused(code: AttributeCode.code(of: error, otherwise: AttributeCode.readNotPermitted))
            }
            octets += part.prefix(target.link.transferUnit - 1)
            // A part that does not fill its packet is the last one.
            if part.count < target.link.transferUnit - 1 { return octets }
        }
    }

    fileprivate func write(
        _ octets: [UInt8], to uuid: BluetoothUUID, _ isAnswered: Bool, by central: BluetoothAddress
    ) async throws(SimulatorError) {
        let target = try target(uuid, by: central)
        let isPossible =
            isAnswered
            ? target.definition.isWritable
            : target.definition.isWritableWithoutResponse && octets.count <= target.link.transferUnit - 3
        guard isPossible else { throw .refused(code: AttributeCode.writeNotPermitted) }
        let options =
            Self.options(target.link, offset: 0) + [("type", .string(isAnswered ? "request" : "command"))]
        do throws(DBusConnectionError) {
            try await target.connection.call(
                target.identity.client, target.identity.path, RemoteCharacteristic.interface, "WriteValue",
                [.bytes(octets), .properties(options)], timeout: Self.clientLimit)
        } catch {
            guard isAnswered else { return }
            throw .refused(code: AttributeCode.code(of: error, otherwise: AttributeCode.writeNotPermitted))
        }
    }

    /// The options of a request; an offset of 0 is left out.
    private static func options(_ link: CentralLink, offset: Int) -> [(String, DBusValue)] {
        let offsets: [(String, DBusValue)] = offset == 0 ? [] : [("offset", .uint16(UInt16(clamping: offset)))]
        return [("device", .objectPath(link.path)), ("link", .string("LE"))] + offsets + [
            ("mtu", .uint16(UInt16(clamping: link.transferUnit)))
        ]
    }

    fileprivate func subscribe(
        to uuid: BluetoothUUID, by central: BluetoothAddress
    ) async throws(SimulatorError) -> AsyncStream<[UInt8]> {
        let target = try target(uuid, by: central)
        guard target.definition.isSending else { throw .refused(code: AttributeCode.improperlyConfigured) }
        let (values, continuation) = AsyncStream<[UInt8]>.makeStream()
        target.link.subscribe(to: target.identity, continuation)
        // Each central's subscription is told; bluetoothd ignores the answer.
        tell(target.identity, "StartNotify")
        return values
    }

    fileprivate func unsubscribe(
        from uuid: BluetoothUUID, by central: BluetoothAddress
    ) async throws(SimulatorError) {
        let target = try target(uuid, by: central)
        guard target.link.unsubscribe(from: target.identity) else { throw .notSubscribed }
        if bluetoothd?.adapter?.local.isSubscribed(target.identity) == false { tell(target.identity, "StopNotify") }
    }

    /// Calls a client without waiting for its answer.
    private func tell(_ characteristic: ServedCharacteristic, _ member: String) {
        bluetoothd?.world.tree.tell(
            characteristic.client, characteristic.path, RemoteCharacteristic.interface, member)
    }
}

/// The error codes of the Attribute Protocol that bluetoothd makes of a client's errors.
enum AttributeCode {
    static let readNotPermitted: UInt8 = 0x02
    static let writeNotPermitted: UInt8 = 0x03
    static let improperlyConfigured: UInt8 = 0xFD

    /// The code for an error (`src/gatt-database.c` of BlueZ, `dbus_error_to_att_ecode`).
    ///
    /// - Parameters:
    ///   - error: The client's error.
    ///   - notPermitted: The code for `NotPermitted`, which depends on the request.
    static func code(of error: DBusConnectionError, otherwise notPermitted: UInt8) -> UInt8 {
        switch error.name {
        case "org.bluez.Error.Failed": applicationCode(error)
        case "org.bluez.Error.NotSupported": 0x06
        case "org.bluez.Error.NotAuthorized": 0x08
        case "org.bluez.Error.InvalidValueLength": 0x0D
        case "org.bluez.Error.InvalidOffset": 0x07
        case "org.bluez.Error.InProgress": 0xFE
        case "org.bluez.Error.NotPermitted": notPermitted
        default: 0x0E
        }
    }

    /// The code in the text of a failure, such as `0x81`; 0x80 for any other text.
    private static func applicationCode(_ error: DBusConnectionError) -> UInt8 {
        guard case .remote(_, let text) = error, text.hasPrefix("0x"), let code = UInt8(text.dropFirst(2), radix: 16)
        else { return 0x80 }
        return (0x80...0x9F).contains(code) ? code : 0x0E
    }
}
