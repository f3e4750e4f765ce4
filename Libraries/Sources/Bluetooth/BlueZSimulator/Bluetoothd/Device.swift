import DBus
import EventLoops
import VitalDecoders

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

extension Device {
    /// Seconds between two checks of a battery that discharges by itself.
    private static let batterySeconds = 5.0

    /// Exports the battery level, which BlueZ reads from the Battery Service.
    func addBattery() {
        guard case .up(let link) = link, link.disconnections == nil, peripheral.description.battery != nil else {
            return
        }
        let level = peripheral.battery(at: world.clock.now)
        batteryLevel = level
        world.tree.add(
            path,
            [ExportedInterface(Self.batteryInterface, properties: [("Percentage", .byte(UInt8(clamping: level)))])])
        watchBattery()
    }

    func removeBattery() {
        guard batteryLevel != nil else { return }
        batteryLevel = nil
        world.tree.remove(path, [Self.batteryInterface])
    }

    private func watchBattery() {
        guard peripheral.hasChangingBattery else { return }
        whileUnchanged(after: Self.batterySeconds) { device in
            device.batteryMayHaveChanged()
            if device.batteryLevel != nil { device.watchBattery() }
        }
    }

    /// Signals a changed battery level, and in any case notifies clients with a notify session.
    func batteryMayHaveChanged(isNotified: Bool = false) {
        guard let known = batteryLevel else { return }
        let level = peripheral.battery(at: world.clock.now)
        if level != known {
            batteryLevel = level
            world.tree.change(path, Self.batteryInterface, [("Percentage", .byte(UInt8(clamping: level)))])
        }
        guard level != known || isNotified else { return }
        for characteristic in characteristics where characteristic.definition.content == .batteryLevel {
            send([UInt8(clamping: level)], to: characteristic)
        }
    }
}

// The answers of a sensor.
extension Device {
    /// Lets the sensor react to an event.
    ///
    /// - Returns: The ATT error with which it refuses a write.
    @discardableResult
    func converse(_ event: SimulatedConversation.Event) -> UInt8? {
        peripheral.conversation.lastActivity = world.clock.now
        if case .written(let octets, let uuid) = event,
            let control = peripheral.conversation.records?.description.control,
            uuid == control
        {
            return answerRequest(octets, from: control)
        }
        if case .written(let octets, let uuid) = event, uuid == peripheral.conversation.nights?.ring.requests {
            return answerRing(octets)
        }
        return follow(event)
    }

    /// Lets the rules of the scenario answer an event.
    ///
    /// - Returns: The ATT error with which the sensor refuses a write.
    func follow(_ event: SimulatedConversation.Event) -> UInt8? {
        let rule = peripheral.rule(for: event, at: world.clock.now)
        if let error = rule?.error { return error }
        let request = if case .written(let octets, _) = event { octets } else { [UInt8]() }
        answer((rule?.answers ?? [])[...], to: request) { device in
            switch event {
            case .subscribed(let uuid): device.handOver(to: uuid)
            case .measured:
                guard let records = device.peripheral.conversation.records else { return }
                device.handOver(to: records.description.characteristic)
            case .written: break
            }
        }
        return nil
    }

    private func answer(
        _ steps: ArraySlice<ConversationAnswer>, to request: [UInt8], _ done: @escaping (Device) -> Void
    ) {
        guard let step = steps.first else { return done(self) }
        whileUnchanged(after: step.delay) { device in
            guard device.peripheral.isTalking else { return }
            switch step.act {
            case .hangUp: return device.losesLink(to: .connectionAborted)
            case .send(let template, let uuid, let pieces, let wave):
                let now = device.world.clock.now
                let place = wave.map { device.peripheral.newest(of: $0, at: now) } ?? WavePlace()
                let octets = device.peripheral.octets(template, request: request, at: now, place)
                device.send(octets, from: uuid, pieces: pieces)
            }
            device.answer(steps.dropFirst(), to: request, done)
        }
    }

    func send(_ octets: [UInt8], from uuid: BluetoothUUID, pieces: Int? = nil) {
        guard let characteristic = characteristics.first(where: { $0.definition.uuid == uuid }) else { return }
        peripheral.conversation.lastActivity = world.clock.now
        send(octets, to: characteristic, pieces: pieces)
    }

    // MARK: Stored records

    /// Answers a request to the Record Access Control Point.
    ///
    /// - Returns: The ATT error with which it refuses the request.
    private func answerRequest(_ octets: [UInt8], from uuid: BluetoothUUID) -> UInt8? {
        guard isArmed(uuid) else {
            // Client Characteristic Configuration descriptor improperly configured.
            return 0xFD
        }
        peripheral.conversation.records?.advance(to: world.clock.now)
        switch peripheral.conversation.records?.answer(octets) {
        case nil: break
        case .indicate(let answer):
            if octets.first == 3 { peripheral.conversation.records?.isReporting = false }
            whileUnchanged(after: world.air.packets(0.02)) { $0.send(answer, from: uuid) }
        case .report(let selected):
            peripheral.conversation.records?.isReporting = true
            report(selected[...]) { $0.send([6, 0, octets[0], 1], from: uuid) }
        }
        return nil
    }

    /// Whether a client is subscribed to a characteristic.
    private func isArmed(_ uuid: BluetoothUUID) -> Bool {
        characteristics.contains { $0.definition.uuid == uuid && $0.isArmed }
    }

    /// Sends stored values that were not sent yet, if the sensor does not wait for a request.
    private func handOver(to uuid: BluetoothUUID) {
        guard let description = peripheral.conversation.records?.description, description.control == nil,
            description.characteristic == uuid, isArmed(uuid)
        else { return }
        peripheral.conversation.records?.isReporting = true
        let records = peripheral.conversation.records?.handOver() ?? []
        report(records[...]) { _ in }
    }

    /// Sends records one after another, until a client aborts that.
    private func report(_ records: ArraySlice<StoredRecords.Record>, _ done: @escaping (Device) -> Void) {
        whileUnchanged(after: world.air.packets(0.02)) { device in
            guard let stored = device.peripheral.conversation.records, stored.isReporting, device.peripheral.isTalking
            else { return }
            guard let record = records.first else {
                device.peripheral.conversation.records?.isReporting = false
                return done(device)
            }
            let description = stored.description
            let now = device.world.clock.now
            device.send(
                device.peripheral.octets(description.octets, of: record, at: now), from: description.characteristic)
            if let context = description.context {
                device.send(device.peripheral.octets(description.contextOctets, of: record, at: now), from: context)
            }
            device.report(records.dropFirst(), done)
        }
    }
}
