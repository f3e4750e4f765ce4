import BlueZ
import DBus
import EventLoops

@testable import KnownSensors
@testable import Sensors

/// A BlueZ without a bus: it does what bluetoothd does in the order in which it does it, and notes what it is asked for.
actor FakeCentral: Central {
    /// What it was asked for.
    enum Call: Hashable, Sendable {
        case beginDiscovery(AdapterPath), endDiscovery(AdapterPath)
        case connect(String), disconnect(String), remove(String)
        case subscribe(String)
        case write(String, [UInt8]), unsubscribe(String), read(String)
        case setPowered(Bool)
        case pair(String), cancelPairing(String), trust(String)
    }

    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    var calls: [Call] = []
    private(set) var isDiscovering = false
    /// The adapters through which it was asked to connect.
    private(set) var connections: [AdapterPath] = []
    private var second: Adapter?
    private var isDaemonRunning = true
    private var adapter = Adapter(path: .adapter, address: BluetoothAddress("00:AA:01:00:00:00"), isPowered: true)
    private var hasAdapter = true
    var peripherals: [BluetoothAddress: Peripheral] = [:]
    var services: [BluetoothAddress: [Service]] = [:]
    private var values: [BluetoothUUID: [UInt8]] = [:]
    private var failures: [BlueZError] = []
    var subscriptionFailure: BlueZError?
    private var heldSubscription: BluetoothUUID?
    private var heldSubscriptions: [CheckedContinuation<Void, Never>] = []
    private var isConnectHeldBack = false
    /// The strap behind the control point of Polar Measurement Data, where a test has one.
    var strap: StreamingStrap?
    /// What pairings ask, and what came of it.
    var pairings = PairingScript()
    private var pending: [BluetoothAddress: CheckedContinuation<BlueZError?, Never>] = [:]
    private let broadcast = Broadcast<BlueZEvent>()
    let operationBroadcast = Broadcast<PeripheralOperation>()
    private var hiddenFrom: RadioPart?
    private var client = ":1.9"
    private var others: Set<String> = []
    private var isBacklogHeld = false
    /// After how long without a message it is to ask for an answer.
    private(set) var answerQuiet: Duration?
    private var backlogWaiters: [CheckedContinuation<Void, Never>] = []

    /// What is found at the beginning, in this order.
    enum RadioPart {
        case bus, daemon, adapter
    }

    init(loop: EventLoop) {
        self.loop = loop
    }

    func emit(_ kind: BlueZEvent.Kind, at timestamp: Timestamp = .now()) {
        broadcast.send(BlueZEvent(timestamp: timestamp, kind: kind))
    }

    // MARK: What the supervisor asks for

    func events() -> BroadcastSequence<BlueZEvent> {
        if let hidden = hiddenFrom {
            let kinds: [BlueZEvent.Kind] =
                switch hidden {
                case .bus: []
                case .daemon: [.bus(.connected)]
                case .adapter: [.bus(.connected), .daemon(.running)]
                }
            return broadcast.subscribe(startingWith: kinds.map { BlueZEvent(timestamp: .now(), kind: $0) })
        }
        var kinds: [BlueZEvent.Kind] = [.bus(.connected)]
        kinds.append(.daemon(isDaemonRunning ? .running : .gone))
        if hasAdapter { kinds.append(.adapter(.added, adapter)) }
        if let second { kinds.append(.adapter(.added, second)) }
        for peripheral in peripherals.values {
            kinds.append(.peripheral(.added, peripheral))
            if peripheral.isConnected { kinds += [.connected(peripheral), .servicesResolved(peripheral)] }
        }
        return broadcast.subscribe(startingWith: kinds.map { BlueZEvent(timestamp: .now(), kind: $0) })
    }

    func operations() -> BroadcastSequence<PeripheralOperation> { operationBroadcast.subscribe() }

    func peripheral(_ address: BluetoothAddress) -> Peripheral? { peripherals[address] }

    func services(of address: BluetoothAddress, on adapter: AdapterPath?) -> [Service] { services[address] ?? [] }

    func handleBacklog(within limit: Duration) async {
        if isBacklogHeld { await withCheckedContinuation { backlogWaiters.append($0) } }
    }

    func watchAnswers(after quiet: Duration?) { answerQuiet = quiet }

    /// Lets there be more that was sent before, until it is over.
    func holdBacklog(_ isHeld: Bool) {
        isBacklogHeld = isHeld
        if isHeld { return }
        for waiter in backlogWaiters { waiter.resume() }
        backlogWaiters = []
    }

    func identity() -> BusIdentity? { BusIdentity(bus: "bus", daemon: ":1.1", client: client) }

    func isOnBus(_ name: String) -> Bool { name == client || others.contains(name) }

    func setPowered(_ isPowered: Bool, on adapter: AdapterPath?) throws(BlueZError) {
        calls.append(.setPowered(isPowered))
        if !failures.isEmpty { throw failures.removeFirst() }
        setPowered(isPowered)
    }

    func beginDiscovery(on path: AdapterPath) throws(BlueZError) {
        calls.append(.beginDiscovery(path))
        isDiscovering = true
        discover(path, true)
    }

    func endDiscovery(on path: AdapterPath) throws(BlueZError) {
        calls.append(.endDiscovery(path))
        isDiscovering = false
        discover(path, false)
    }

    private func discover(_ path: AdapterPath, _ isDiscovering: Bool) {
        if path == adapter.path {
            adapter.isDiscovering = isDiscovering
            if hasAdapter { emit(.adapter(.changed, adapter)) }
        } else if var other = second {
            other.isDiscovering = isDiscovering
            second = other
            emit(.adapter(.changed, other))
        }
    }

    func connect(
        _ address: BluetoothAddress, on adapter: AdapterPath?, timeout: Duration
    ) async throws(BlueZError) {
        calls.append(.connect(address.description))
        if let adapter { connections.append(adapter) }
        if !failures.isEmpty { throw failures.removeFirst() }
        guard peripherals[address] != nil else { throw BlueZError(.unknownObject) }
        if isConnectHeldBack {
            let failure = await withCheckedContinuation { pending[address] = $0 }
            if let failure { throw failure }
        }
        linkUp(address)
        // The services come after the answer.
        Task { resolveServices(address) }
    }

    func disconnect(
        _ address: BluetoothAddress, on adapter: AdapterPath?, timeout: Duration
    ) async throws(BlueZError) {
        calls.append(.disconnect(address.description))
        pending.removeValue(forKey: address)?.resume(returning: BlueZError(.cancelled))
        linkDown(address)
    }

    func removeDevice(
        _ address: BluetoothAddress, on adapter: AdapterPath?, timeout: Duration
    ) async throws(BlueZError) {
        calls.append(.remove(address.description))
        vanish(address)
    }

    func startNotify(_ characteristic: CharacteristicReference, timeout: Duration) async throws(BlueZError) {
        calls.append(.subscribe(characteristic.uuid.description.lowercased()))
        if let subscriptionFailure { throw subscriptionFailure }
        // As bluetoothd while it waits for a bond: there is no answer before the link is gone.
        guard heldSubscription == characteristic.uuid else { return }
        await withCheckedContinuation { heldSubscriptions.append($0) }
        throw BlueZError(.connectionAborted)
    }

    /// Has subscriptions to a characteristic wait for the end of the link.
    func holdSubscription(to uuid: String) { heldSubscription = BluetoothUUID(uuid) }

    /// Ends the subscriptions that wait, with the link.
    func endHeldSubscriptions() {
        for held in heldSubscriptions { held.resume() }
        heldSubscriptions = []
    }

    func stopNotify(_ characteristic: CharacteristicReference, timeout: Duration) async throws(BlueZError) {
        calls.append(.unsubscribe(characteristic.uuid.description.lowercased()))
    }

    func write(
        _ octets: [UInt8], to characteristic: CharacteristicReference, _ mode: WriteMode, timeout: Duration
    ) async throws(BlueZError) {
        calls.append(.write(characteristic.uuid.description.lowercased(), octets))
        try await command(octets, at: characteristic)
    }

    func read(_ characteristic: CharacteristicReference, timeout: Duration) async throws(BlueZError) -> [UInt8] {
        calls.append(.read(characteristic.uuid.description.lowercased()))
        guard let value = values[characteristic.uuid] else { throw BlueZError(.notPermitted) }
        return value
    }

    // MARK: What tests make happen

    /// Has a peripheral come into BlueZ's list.
    func appear(
        _ address: String, name: String?, services uuids: [String] = [], rssi: Int? = -60, isConnected: Bool = false,
        manufacturerData: [UInt16: [UInt8]] = [:]
    ) {
        guard let address = BluetoothAddress(address), let path = ObjectPath.peripheral(address) else { return }
        var peripheral = Peripheral(path: path, adapter: .adapter, address: address)
        peripheral.name = name
        peripheral.rssi = rssi
        peripheral.uuids = uuids.compactMap { BluetoothUUID($0) }
        peripheral.manufacturerData = manufacturerData
        peripheral.isConnected = isConnected
        peripheral.areServicesResolved = isConnected
        peripherals[address] = peripheral
        emit(.peripheral(.added, peripheral))
        if isConnected {
            emit(.connected(peripheral))
            emit(.servicesResolved(peripheral))
        }
    }

    /// Gives a peripheral a service with characteristics, written as a UUID and flags: `2a37 notify`.
    func offer(_ address: String, service: String, _ characteristics: [String], values: [String: [UInt8]] = [:]) {
        guard let address = BluetoothAddress(address), let path = ObjectPath.peripheral(address),
            let service = BluetoothUUID(service)
        else { return }
        let offered = characteristics.compactMap { text -> Characteristic? in
            let words = text.split(separator: " ").map(String.init)
            guard let uuid = words.first.flatMap({ BluetoothUUID($0) }) else { return nil }
            let reference = CharacteristicReference(path: path, uuid: uuid, service: service, peripheral: address)
            return Characteristic(reference: reference, flags: CharacteristicFlags(names: Array(words.dropFirst())))
        }
        services[address, default: []].append(
            Service(path: path, uuid: service, isPrimary: true, characteristics: offered))
        for (uuid, value) in values {
            if let uuid = BluetoothUUID(uuid) { self.values[uuid] = value }
        }
    }

    func notify(_ address: String, _ uuid: String, _ octets: [UInt8], at timestamp: Timestamp = .now()) {
        guard let address = BluetoothAddress(address), let path = ObjectPath.peripheral(address),
            let uuid = BluetoothUUID(uuid)
        else { return }
        let offered = services[address, default: []].flatMap(\.characteristics).first { $0.uuid == uuid }?.reference
        let reference =
            offered ?? CharacteristicReference(path: path, uuid: uuid, service: uuid, peripheral: address)
        emit(.notification(reference, octets), at: timestamp)
    }

    func advertise(_ address: String, rssi: Int?) {
        guard let address = BluetoothAddress(address), var peripheral = peripherals[address] else { return }
        peripheral.rssi = rssi
        peripherals[address] = peripheral
        emit(.peripheral(rssi == nil ? .changed : .advertised, peripheral))
    }

    /// Has a sensor heard with one strength after the other in the same moment.
    func advertise(_ address: String, strengths: ClosedRange<Int>) {
        guard let address = BluetoothAddress(address), var peripheral = peripherals[address] else { return }
        let now = Timestamp.now()
        for strength in strengths {
            peripheral.rssi = strength
            emit(.peripheral(.advertised, peripheral), at: now)
        }
        peripherals[address] = peripheral
    }

    func setBattery(_ address: String, percent: Int) {
        guard let address = BluetoothAddress(address) else { return }
        peripherals[address]?.batteryPercent = percent
        if let peripheral = peripherals[address] { emit(.peripheral(.changed, peripheral)) }
    }

    func fail(_ failures: [BlueZError]) { self.failures = failures }
    func failSubscriptions(_ failure: BlueZError?) { subscriptionFailure = failure }
    func holdBackConnect(_ isHeldBack: Bool) { isConnectHeldBack = isHeldBack }

    /// Has a `Connect` that is held back succeed.
    func answerConnect(_ address: String) {
        guard let address = BluetoothAddress(address) else { return }
        pending.removeValue(forKey: address)?.resume(returning: nil)
    }

    func loseLink(_ address: String) {
        if let address = BluetoothAddress(address) { linkDown(address) }
    }

    func vanish(_ address: String) {
        if let address = BluetoothAddress(address) { vanish(address) }
    }

    /// Kills the daemon and starts another one, which knows nothing.
    func stopDaemon() {
        isDaemonRunning = false
        isDiscovering = false
        emit(.daemon(.gone))
        for address in peripherals.keys.sorted() { vanish(address) }
        emit(.adapter(.removed, adapter))
        hasAdapter = false
    }

    /// Says which other programs are on the bus.
    func setAlive(_ names: Set<String>) { others = names }

    /// Has another program receive the values of a sensor.
    func setNotifying(_ address: String) {
        guard let address = BluetoothAddress(address), let offered = services[address] else { return }
        services[address] = offered.map { service in
            let used = service.characteristics.map {
                Characteristic(reference: $0.reference, flags: $0.flags, isNotifying: true)
            }
            return Service(
                path: service.path, uuid: service.uuid, isPrimary: service.isPrimary, characteristics: used)
        }
    }

    /// Ends our connection to the bus, and nothing else.
    func loseBus() {
        emit(.bus(.lost(reason: "gone")))
        for peripheral in peripherals.values {
            var gone = peripheral
            (gone.isConnected, gone.areServicesResolved) = (false, false)
            if peripheral.isConnected { emit(.disconnected(gone)) }
            emit(.peripheral(.removed, gone))
        }
        emit(.adapter(.removed, adapter))
    }

    /// Connects us to the bus again, under another name.
    func returnBus(as name: String) {
        client = name
        emit(.bus(.connected))
        emit(.daemon(.running))
        emit(.adapter(.added, adapter))
        for peripheral in peripherals.values {
            emit(.peripheral(.added, peripheral))
            if peripheral.isConnected { emit(.connected(peripheral)) }
            if peripheral.areServicesResolved { emit(.servicesResolved(peripheral)) }
        }
    }

    /// Begins without a part of the radio, and without what comes after it.
    func hideRadio(from part: RadioPart?) { hiddenFrom = part }

    /// Shows what was hidden, one after the other.
    func showRadio() {
        guard let hidden = hiddenFrom else { return }
        hiddenFrom = nil
        if hidden == .bus { emit(.bus(.connected)) }
        if hidden != .adapter { emit(.daemon(.running)) }
        emit(.adapter(.added, adapter))
        for peripheral in peripherals.values { emit(.peripheral(.added, peripheral)) }
    }

    func startDaemon() {
        isDaemonRunning = true
        hasAdapter = true
        emit(.daemon(.running))
        emit(.adapter(.added, adapter))
    }

    func setPowered(_ isPowered: Bool) {
        if !isPowered { for address in peripherals.keys.sorted() { linkDown(address) } }
        adapter.isPowered = isPowered
        emit(.adapter(.changed, adapter))
    }

    /// Plugs a second adapter in.
    func plugSecond() {
        let adapter = Adapter(path: .secondAdapter, isPowered: true)
        second = adapter
        emit(.adapter(.added, adapter))
    }

    /// Has an adapter hear a strap.
    func hear(_ address: String, on adapter: AdapterPath) {
        guard let address = BluetoothAddress(address), let path = ObjectPath.peripheral(address, on: adapter) else {
            return
        }
        var peripheral = Peripheral(path: path, adapter: adapter, address: address)
        peripheral.name = "Polar H10 1234"
        peripheral.rssi = -60
        peripheral.uuids = [BluetoothUUID(0x180D)]
        peripherals[address] = peripheral
        if services[address] == nil { offer(address.description, service: "180d", ["2a37 notify"]) }
        emit(.peripheral(.added, peripheral))
    }

    /// Sends an event from outside.
    func report(_ kind: BlueZEvent.Kind) { emit(kind) }

    func report(
        operation kind: PeripheralOperation.Kind, of address: BluetoothAddress, _ stage: PeripheralOperation.Stage
    ) {
        operationBroadcast.send(
            PeripheralOperation(timestamp: .now(), peripheral: address, kind: kind, stage: stage))
    }

    func unplug() {
        for peripheral in peripherals.values where peripheral.adapter == adapter.path { vanish(peripheral.address) }
        hasAdapter = false
        emit(.adapter(.removed, adapter))
    }
}
