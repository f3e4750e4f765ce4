import DBus
import EventLoops

/// A remote device, a bluetoothd object (`org.bluez.Device1`).
final class Device {
    static let interface = "org.bluez.Device1"
    static let batteryInterface = "org.bluez.Battery1"
    /// Seconds after which a device that is neither heard nor connected is forgotten (`TemporaryTimeout`).
    private static let temporarySeconds = 30.0

    let peripheral: SimulatedPeripheral
    /// The address under which it was found; the sensor's present one may differ.
    let address: String
    let path: ObjectPath
    let world: World
    private(set) weak var adapter: Adapter?

    private(set) var name: String
    private(set) var signalStrength: Int?
    private var manufacturerData: [SensorDescription.CompanyData] = []
    /// Whether its services are known from an earlier connection.
    var isKnown: Bool
    private var removal: LoopTimer?

    var link = LinkState.down
    /// When the simulated daemon ended the newest link.
    var disconnectedAt: Double?
    /// Changes with every change of the link, so that actions for an earlier one are dropped.
    var epoch = 0

    /// The exported characteristics, which outlive the link.
    var services: [(path: ObjectPath, characteristics: [RemoteCharacteristic])] = []
    var batteryLevel: Int?
    var bonding: Bonding?

    init(_ peripheral: SimulatedPeripheral, name: String, adapter: Adapter, signalStrength: Int?) {
        self.peripheral = peripheral
        self.name = name
        self.adapter = adapter
        self.signalStrength = signalStrength
        world = adapter.world
        address = peripheral.address
        path = adapter.path.child("dev_" + String(address.map { $0 == ":" ? "_" : $0 }))
        isKnown = world.memory.knows(address: address)
        // BlueZ finds the link that the kernel holds, but never its services.
        if peripheral.isHeldByKernel { link = .up(Link()) }
    }

    var isConnected: Bool {
        if case .up = link { true } else { false }
    }

    /// Whether there is no link and no attempt.
    var isDown: Bool {
        if case .down = link { true } else { false }
    }

    /// Whether a `Connect` is pending.
    var isConnecting: Bool {
        if case .connecting = link { true } else { false }
    }

    var isReachable: Bool { peripheral.isHeard && peripheral.address == address }

    func change(_ values: [(String, DBusValue)], invalidated: [String] = []) {
        world.tree.change(path, Self.interface, values, invalidated: invalidated)
    }

    // MARK: Coming and going

    func appear() {
        world.tree.add(path, [interface()])
        if signalStrength != nil { removeLater() }
    }

    /// Removes the device and everything below it, children first, with a signal for each.
    func removeFromBus() {
        keep()
        removeServices()
        world.tree.remove(path)
    }

    /// Forgets the device after a time without advertisements.
    func removeLater() {
        keep()
        // Paired devices stay in the list.
        if isPaired { return }
        removal = world.clock.after(Self.temporarySeconds) { [weak self] in
            guard let self else { return }
            self.world.memory.forget(address: self.address)
            self.adapter?.remove(self)
        }
    }

    /// Forgets the device after a time, unless it is or will be connected.
    func removeLaterUnlessLinked() {
        if isDown { removeLater() }
    }

    /// Cancels a pending removal.
    func keep() {
        world.clock.cancel(removal)
        removal = nil
    }

    // MARK: Advertising

    /// Handles an advertising report.
    func heard(signalStrength strength: Int, isEveryReportSent: Bool) {
        var values: [(String, DBusValue)] = []
        if isEveryReportSent || strength != signalStrength {
            values.append(("RSSI", .int16(Int16(clamping: strength))))
        }
        if signalStrength == nil, let power = peripheral.description.transmitPower {
            values.append(("TxPower", .int16(Int16(clamping: power))))
        }
        if name != peripheral.name {
            name = peripheral.name
            values += [("Name", .string(name)), ("Alias", .string(name))]
        }
        let data = peripheral.manufacturerData(at: world.clock.now)
        if signalStrength == nil || data != manufacturerData { values += advertised(data) }
        signalStrength = strength
        if !values.isEmpty { change(values) }
        if case .down = link { removeLater() }
        tryToConnect(isJustHeard: true)
    }

    /// Clears the signal strength, because the discovery has ended.
    func clearSignalStrength() {
        guard signalStrength != nil else { return }
        signalStrength = nil
        let hasPower = peripheral.description.transmitPower != nil
        change([], invalidated: hasPower ? ["TxPower", "RSSI"] : ["RSSI"])
    }

    // MARK: On the bus

    private func interface() -> ExportedInterface {
        let description = peripheral.description
        var properties: [(name: String, value: DBusValue)] = [
            ("Address", .string(address)), ("AddressType", .string(description.addressType.rawValue)),
        ]
        if !name.isEmpty { properties.append(("Name", .string(name))) }
        properties.append(("Alias", .string(name.isEmpty ? String(address.map { $0 == ":" ? "-" : $0 }) : name)))
        if isKnown, let appearance = description.appearance { properties.append(("Appearance", .uint16(appearance))) }
        for flag in ["Paired", "Bonded"] { properties.append((flag, .boolean(isPaired))) }
        for flag in ["Trusted", "Blocked", "LegacyPairing"] { properties.append((flag, .boolean(false))) }
        if let signalStrength { properties.append(("RSSI", .int16(Int16(clamping: signalStrength)))) }
        let uuids =
            isKnown
            ? peripheral.database.serviceUUIDs : description.advertisedServices.map(\.fullDescription).sorted()
        properties += [
            ("Connected", .boolean(isConnected)), ("UUIDs", .strings(uuids)),
            ("Adapter", .objectPath(path.parent)),
        ]
        if signalStrength != nil { properties += advertisedProperties() }
        properties.append(("ServicesResolved", .boolean(false)))
        return ExportedInterface(
            Self.interface, properties: properties, methods: methods(),
            setProperty: world.methods.setter { [path] simulator, name, value, answer in
                simulator.bluetoothd?.adapter?.device(path)?.set(name, value, answer)
            })
    }

    private func advertisedProperties() -> [(name: String, value: DBusValue)] {
        var properties: [(name: String, value: DBusValue)] = []
        properties += advertised(peripheral.manufacturerData(at: world.clock.now))
        if let power = peripheral.description.transmitPower {
            properties.append(("TxPower", .int16(Int16(clamping: power))))
        }
        return properties
    }

    /// Stores the newest manufacturer data; returns them as a property, if there are any.
    private func advertised(_ data: [SensorDescription.CompanyData]) -> [(name: String, value: DBusValue)] {
        manufacturerData = data
        guard !data.isEmpty else { return [] }
        let entries = data.map { DBusEntry(.uint16($0.company), .variant(.bytes($0.octets))) }
        return [("ManufacturerData", .dictionary(entries, key: .uint16, value: .variant))]
    }

    private func methods() -> [ExportedMethod] {
        let methods = world.methods
        return [
            methods.method("Connect") { $0.bluetoothd?.adapter?.device($1.path)?.connect($2) },
            methods.method("Disconnect") { simulator, call, answer in
                simulator.bluetoothd?.adapter?.device(call.path)?.disconnect { answer.succeed() }
            },
            methods.failing("ConnectProfile", "s", "", .notSupported),
            methods.failing("DisconnectProfile", "s", "", .notSupported),
            methods.method("Pair") { $0.bluetoothd?.adapter?.device($1.path)?.pair($1, $2) },
            methods.method("CancelPairing") { $0.bluetoothd?.adapter?.device($1.path)?.cancelPairing($2) },
        ]
    }

    private func set(_ name: String, _ value: DBusValue, _ answer: Answer) {
        switch (name, value) {
        case ("Alias", .string(let alias)):
            change([(name, .string(alias.isEmpty ? self.name : alias))])
        case ("Trusted", .boolean), ("Blocked", .boolean):
            change([(name, value)])
        default:
            return answer.fail(.invalidArguments)
        }
        answer.succeed()
    }
}
