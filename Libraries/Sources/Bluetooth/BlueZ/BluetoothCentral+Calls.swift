import DBus
import EventLoops

/// The names that BlueZ uses on the bus.
enum Name {
    static let bluez = "org.bluez"
    static let bus = "org.freedesktop.DBus"
    static let objectManager = "org.freedesktop.DBus.ObjectManager"
    static let properties = "org.freedesktop.DBus.Properties"
    static let adapter = "org.bluez.Adapter1"
    static let device = "org.bluez.Device1"
    static let battery = "org.bluez.Battery1"
    static let service = "org.bluez.GattService1"
    static let characteristic = "org.bluez.GattCharacteristic1"
    static let descriptor = "org.bluez.GattDescriptor1"
    static let agent = "org.bluez.Agent1"
    static let agentManager = "org.bluez.AgentManager1"
    static let monitor = "org.bluez.AdvertisementMonitor1"
    static let monitorManager = "org.bluez.AdvertisementMonitorManager1"
    static let gattManager = "org.bluez.GattManager1"
    static let advertisingManager = "org.bluez.LEAdvertisingManager1"
    static let advertisement = "org.bluez.LEAdvertisement1"
}

extension BluetoothCentral {
    /// Calls a method of the daemon whose objects are known.
    ///
    /// Quirk daemon-is-activated: called by its unique name, a daemon that has ended is neither started nor confused
    /// with its successor.
    @discardableResult
    func call(
        _ path: ObjectPath, _ interface: String, _ member: String, _ arguments: [DBusValue] = [],
        timeout: Duration
    ) async throws(BlueZError) -> [DBusValue] {
        guard let connection else { throw BlueZError(.busLost) }
        guard let owner = daemon.owner else { throw BlueZError(.daemonGone) }
        do {
            return try await connection.call(owner, path, interface, member, arguments, timeout: timeout)
        } catch {
            throw BlueZError(classifying: error)
        }
    }

    /// The present value of a property, from the daemon; `invalidArguments` where the object has no such property.
    func property(
        _ name: String, of path: ObjectPath, _ interface: String, timeout: Duration
    ) async throws(BlueZError) -> DBusValue {
        let answer = try await call(
            path, Name.properties, "Get", [.string(interface), .string(name)], timeout: timeout)
        guard let value = answer.first?.unwrapped else { throw BlueZError(.unexpectedAnswer) }
        return value
    }

    /// Asks the daemon to change a property.
    func setProperty(
        _ name: String, to value: DBusValue, of path: ObjectPath, _ interface: String, timeout: Duration
    ) async throws(BlueZError) {
        try await call(
            path, Name.properties, "Set", [.string(interface), .string(name), .variant(value)], timeout: timeout)
    }

    // MARK: Peripherals

    /// Connects to a peripheral of the daemon's list.
    ///
    /// Returning does not mean success: wait for ``BlueZEvent/Kind/servicesResolved(_:)``. While a discovery runs, the
    /// daemon waits for the next advertisement, up to some 11 s; without one it gives up after some 40 s.
    /// ``disconnect(_:on:timeout:)`` ends a pending connect, which then fails as `cancelled`.
    ///
    /// - Parameters:
    ///   - address: The peripheral.
    ///   - adapter: The adapter to connect through; `nil` for the one with a link, or the first that has heard it.
    ///   - timeout: How long to wait for the daemon's answer; a connect without one is then cancelled.
    /// - Throws: ``BlueZError``: `unknownObject` when it is not in the list, `connectionAborted`, `inputOutput` right
    ///   after a disconnect or when the adapter is off, `inProgress`, `timedOut`, `cancelled`.
    public func connect(
        _ address: BluetoothAddress, on adapter: ObjectPath? = nil, timeout: Duration = .seconds(45)
    ) async throws(BlueZError) {
        let path = try path(of: address, on: adapter)
        trace(address, .connect, .began)
        do {
            try await call(path, Name.device, "Connect", timeout: timeout)
            trace(address, .connect, .succeeded([]))
        } catch {
            trace(address, .connect, .failed(error))
            if error.kind == .timedOut {
                // Quirk connect-goes-on: the caller no longer waits for the link, so it must not be established later.
                // The result of cancelling does not matter.
                Task(executorPreference: loop) {
                    try? await self.call(path, Name.device, "Disconnect", timeout: .seconds(10))
                }
            }
            throw error
        }
    }

    /// Ends the link to a peripheral, also one of another program, or cancels a pending connect.
    ///
    /// It takes the daemon some 2 s, in which notifications still arrive; a connect within 50 ms after it fails.
    ///
    /// - Throws: ``BlueZError``.
    public func disconnect(
        _ address: BluetoothAddress, on adapter: ObjectPath? = nil, timeout: Duration = .seconds(15)
    ) async throws(BlueZError) {
        let path = try path(of: address, on: adapter)
        trace(address, .disconnect, .began)
        do {
            try await call(path, Name.device, "Disconnect", timeout: timeout)
            trace(address, .disconnect, .succeeded([]))
        } catch {
            trace(address, .disconnect, .failed(error))
            throw error
        }
    }

    /// Tells the daemon to trust a peripheral: it may connect by itself, also after a ``disconnect(_:on:timeout:)``.
    ///
    /// Source: BlueZ, `org.bluez.Device`, `Trusted` and `Disconnect`.
    ///
    /// - Throws: ``BlueZError``.
    public func trust(_ address: BluetoothAddress, on adapter: ObjectPath? = nil) async throws(BlueZError) {
        try await setProperty(
            "Trusted", to: .boolean(true), of: try path(of: address, on: adapter), Name.device, timeout: .seconds(15))
    }

    /// Removes a peripheral from the daemon's list, with its link, its pairing and its cached services.
    ///
    /// - Throws: ``BlueZError``.
    public func removeDevice(
        _ address: BluetoothAddress, on adapter: ObjectPath? = nil, timeout: Duration = .seconds(15)
    ) async throws(BlueZError) {
        let path = try path(of: address, on: adapter)
        guard let adapter = tree.peripherals[path]?.adapter else { throw BlueZError(.unknownObject) }
        trace(address, .remove, .began)
        do {
            try await call(adapter, Name.adapter, "RemoveDevice", [.objectPath(path)], timeout: timeout)
            trace(address, .remove, .succeeded([]))
        } catch {
            trace(address, .remove, .failed(error))
            throw error
        }
    }

    /// The object of a peripheral, on one adapter or on any that knows it.
    func path(of address: BluetoothAddress, on adapter: ObjectPath? = nil) throws(BlueZError) -> ObjectPath {
        try requireDaemon()
        guard let peripheral = tree.peripheral(address, on: adapter) else {
            throw BlueZError(.unknownObject, text: "\(address) is not in the daemon's list")
        }
        return peripheral.path
    }
}
