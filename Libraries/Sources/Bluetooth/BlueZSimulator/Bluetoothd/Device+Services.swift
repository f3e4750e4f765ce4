import DBus
import VitalDecoders

extension Device {
    /// The negotiated ATT MTU: the longest packet, in octets.
    static let transferUnit: UInt16 = 247

    func characteristic(_ path: ObjectPath) -> RemoteCharacteristic? {
        for service in services where path.isBelow(service.path) {
            return service.characteristics.first { $0.path == path || $0.configurationPath == path }
        }
        return nil
    }

    /// Exports all services, parents before children.
    func addServices() {
        for service in peripheral.database.services where !service.isHidden {
            let servicePath = path.child("service" + RemoteCharacteristic.hexadecimal(service.handle))
            if services.contains(where: { $0.path == servicePath }) { continue }
            world.tree.add(servicePath, [serviceInterface(service)])
            let characteristics = service.characteristics.map { definition in
                RemoteCharacteristic(
                    path: servicePath.child("char" + RemoteCharacteristic.hexadecimal(definition.handle)),
                    definition: definition)
            }
            services.append((servicePath, characteristics))
            for characteristic in characteristics {
                world.tree.add(characteristic.path, [characteristicInterface(characteristic, of: servicePath)])
                if let path = characteristic.configurationPath {
                    world.tree.add(path, [descriptorInterface(of: characteristic)])
                }
            }
        }
    }

    /// Handles Service Changed (2A05): the services are removed, and read again.
    ///
    /// The Generic Attribute service, which is the first, stays. Without a link the services are read with the next
    /// one.
    func servicesMoved() {
        removeServices(keeping: 1)
        guard isConnected else {
            isKnown = false
            return
        }
        change([("UUIDs", .strings([BluetoothUUID(0x1801).fullDescription]))])
        removeBattery()
        measureIfWanted()
        whileUnchanged(after: world.air.packets(0.16)) { device in
            device.change([("UUIDs", .strings(device.peripheral.database.serviceUUIDs))])
            device.addServices()
            device.whileUnchanged(after: device.world.air.packets(0.16)) { $0.addBattery() }
        }
    }

    /// Removes services, children before parents.
    func removeServices(keeping kept: Int = 0) {
        for service in services.dropFirst(kept) {
            for characteristic in service.characteristics {
                characteristic.closeSockets()
                if let path = characteristic.configurationPath { world.tree.remove(path) }
                world.tree.remove(characteristic.path)
            }
            world.tree.remove(service.path)
        }
        services = Array(services.prefix(kept))
    }

    /// `MTU` exists only while connected, and changes without a signal.
    func setTransferUnit(isConnected: Bool) {
        for service in services {
            for characteristic in service.characteristics {
                world.tree.changeSilently(
                    characteristic.path, RemoteCharacteristic.interface,
                    isConnected ? [("MTU", .uint16(Self.transferUnit))] : [], removed: isConnected ? [] : ["MTU"])
            }
        }
    }

    // MARK: Interfaces

    private func serviceInterface(_ service: GattDatabase.Service) -> ExportedInterface {
        ExportedInterface(
            "org.bluez.GattService1",
            properties: [
                ("UUID", .string(service.uuid.fullDescription)), ("Device", .objectPath(path)),
                ("Primary", .boolean(true)), ("Includes", .array([], of: .objectPath)),
            ])
    }

    private func characteristicInterface(
        _ characteristic: RemoteCharacteristic, of service: ObjectPath
    ) -> ExportedInterface {
        let flags = characteristic.definition.flags
        var properties: [(name: String, value: DBusValue)] = [
            ("UUID", .string(characteristic.definition.uuid.fullDescription)), ("Service", .objectPath(service)),
            ("Value", .bytes(valueReadByDaemon(characteristic))),
        ]
        if characteristic.definition.isNotifying { properties.append(("Notifying", .boolean(false))) }
        properties.append(("Flags", .strings(flags.map(\.rawValue))))
        if flags.contains(.writeWithoutResponse) { properties.append(("WriteAcquired", .boolean(false))) }
        if flags.contains(.notify) { properties.append(("NotifyAcquired", .boolean(false))) }
        properties.append(("MTU", .uint16(Self.transferUnit)))
        return ExportedInterface(
            RemoteCharacteristic.interface, properties: properties,
            methods: [
                world.methods.method("ReadValue", "a{sv}", "ay") { Self.call($0, $1, $2, Device.read) },
                world.methods.method("WriteValue", "aya{sv}") { Self.call($0, $1, $2, Device.write) },
                world.methods.method("StartNotify") { Self.call($0, $1, $2, Device.startNotify) },
                world.methods.method("StopNotify") { Self.call($0, $1, $2, Device.stopNotify) },
                world.methods.method("AcquireNotify", "a{sv}", "hq") { Self.call($0, $1, $2, Device.acquireNotify) },
                world.methods.method("AcquireWrite", "a{sv}", "hq") { Self.call($0, $1, $2, Device.acquireWrite) },
            ])
    }

    /// The values that BlueZ itself reads: the database hash (2B2A) of every device; other values are empty until a
    /// client reads them.
    private func valueReadByDaemon(_ characteristic: RemoteCharacteristic) -> [UInt8] {
        guard characteristic.definition.uuid.assignedNumber == 0x2B2A else { return [] }
        return peripheral.octets(characteristic.definition.content, at: world.clock.now)
    }

    private func descriptorInterface(of characteristic: RemoteCharacteristic) -> ExportedInterface {
        ExportedInterface(
            "org.bluez.GattDescriptor1",
            properties: [
                ("UUID", .string(ManagerInterfaces.longUUID("2902"))),
                ("Characteristic", .objectPath(characteristic.path)), ("Value", .bytes([])),
            ],
            methods: [
                world.methods.method("ReadValue", "a{sv}", "ay") { Self.call($0, $1, $2, Device.readConfiguration) },
                world.methods.failing("WriteValue", "aya{sv}", "", .notPermitted("Write not permitted")),
            ])
    }

    /// Finds the characteristic of a call.
    private static func call(
        _ simulator: isolated Simulator, _ call: IncomingCall, _ answer: Answer,
        _ body: (Device) -> (RemoteCharacteristic, IncomingCall, Answer) -> Void
    ) {
        guard let (device, characteristic) = simulator.bluetoothd?.adapter?.characteristic(call.path) else { return }
        body(device)(characteristic, call, answer)
    }
}

/// A characteristic of a device, a bluetoothd object (`org.bluez.GattCharacteristic1`).
final class RemoteCharacteristic {
    static let interface = "org.bluez.GattCharacteristic1"

    let path: ObjectPath
    let definition: GattDatabase.Characteristic
    /// The clients with a notify session; the sessions outlive the link.
    var clients: [String] = []
    /// Whether the sensor sends values on the present link.
    var isArmed = false
    /// The value of `Notifying`, which outlives the link, too.
    var isNotifying = false
    /// Whether its notifications, and writes to it, go through a socket.
    var notifications = Acquisition.free
    var writes = Acquisition.free

    init(path: ObjectPath, definition: GattDatabase.Characteristic) {
        self.path = path
        self.definition = definition
    }

    /// The short UUID, such as `2a37`, for reports.
    var shortUUID: String { definition.uuid.description.lowercased() }

    /// The path of the Client Characteristic Configuration descriptor, where there is one.
    var configurationPath: ObjectPath? {
        definition.configurationHandle.map { path.child("desc" + RemoteCharacteristic.hexadecimal($0)) }
    }

    /// Four hexadecimal digits, as in object paths.
    static func hexadecimal(_ handle: Int) -> String {
        let digits = String(handle, radix: 16)
        return String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
    }
}
