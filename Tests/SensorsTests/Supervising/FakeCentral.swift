import BlueZ
import DBus
import EventLoop

@testable import Sensors

/// A BlueZ without a bus: it does what bluetoothd does in the order in which it does it, and notes what it is asked for.
actor FakeCentral: Central {
    /// What it was asked for.
    enum Call: Hashable, Sendable {
        case beginDiscovery, endDiscovery
        case connect(String), disconnect(String), remove(String)
        case subscribe(String), read(String)
        case pair(String), cancelPairing(String)
    }

    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private(set) var calls: [Call] = []
    private(set) var isDiscovering = false
    private var isDaemonRunning = true
    private var adapter = Adapter(path: .adapter, address: BluetoothAddress("00:AA:01:00:00:00"), isPowered: true)
    private var hasAdapter = true
    private var peripherals: [BluetoothAddress: Peripheral] = [:]
    private var services: [BluetoothAddress: [Service]] = [:]
    private var values: [BlueZUUID: [UInt8]] = [:]
    private var failures: [BlueZError] = []
    private var subscriptionFailure: BlueZError?
    private var isConnectHeldBack = false
    private var prompts: [PairingPrompt] = []
    private var pairingFailure: PairingFailure?
    /// What the supervisor answered to the prompts of pairings.
    private(set) var answers: [PairingAnswer] = []
    private var pending: [BluetoothAddress: CheckedContinuation<BlueZError?, Never>] = [:]
    private let broadcast = Broadcast<BlueZEvent>()

    init(loop: EventLoop) {
        self.loop = loop
    }

    private func emit(_ kind: BlueZEvent.Kind) {
        broadcast.send(BlueZEvent(timestamp: .now(), kind: kind))
    }

    // MARK: What the supervisor asks for

    func events() -> BroadcastSequence<BlueZEvent> {
        var kinds: [BlueZEvent.Kind] = [.bus(.connected)]
        if isDaemonRunning { kinds.append(.daemon(.running)) }
        if hasAdapter { kinds.append(.adapter(.added, adapter)) }
        for peripheral in peripherals.values {
            kinds.append(.peripheral(.added, peripheral))
            if peripheral.isConnected { kinds += [.connected(peripheral), .servicesResolved(peripheral)] }
        }
        return broadcast.subscribe(startingWith: kinds.map { BlueZEvent(timestamp: .now(), kind: $0) })
    }

    func services(of address: BluetoothAddress) -> [Service] { services[address] ?? [] }

    func beginDiscovery() throws(BlueZError) {
        calls.append(.beginDiscovery)
        isDiscovering = true
    }

    func endDiscovery() throws(BlueZError) {
        calls.append(.endDiscovery)
        isDiscovering = false
    }

    func connect(_ address: BluetoothAddress, timeout: Duration) async throws(BlueZError) {
        calls.append(.connect(address.description))
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

    func disconnect(_ address: BluetoothAddress, timeout: Duration) async throws(BlueZError) {
        calls.append(.disconnect(address.description))
        pending.removeValue(forKey: address)?.resume(returning: BlueZError(.cancelled))
        linkDown(address)
    }

    func removeDevice(_ address: BluetoothAddress, timeout: Duration) async throws(BlueZError) {
        calls.append(.remove(address.description))
        vanish(address)
    }

    func pair(
        _ address: BluetoothAddress, answering answer: @escaping @Sendable (PairingPrompt) async -> PairingAnswer
    ) async throws(PairingFailure) {
        calls.append(.pair(address.description))
        for prompt in prompts { answers.append(await answer(prompt)) }
        if let pairingFailure { throw pairingFailure }
        peripherals[address]?.isPaired = true
        subscriptionFailure = nil
        if let peripheral = peripherals[address] { emit(.peripheral(.changed, peripheral)) }
        linkUp(address)
        resolveServices(address)
    }

    func cancelPairing(_ address: BluetoothAddress) {
        calls.append(.cancelPairing(address.description))
    }

    func startNotify(_ characteristic: CharacteristicReference, timeout: Duration) async throws(BlueZError) {
        calls.append(.subscribe(characteristic.uuid.description))
        if let subscriptionFailure { throw subscriptionFailure }
    }

    func read(_ characteristic: CharacteristicReference, timeout: Duration) async throws(BlueZError) -> [UInt8] {
        calls.append(.read(characteristic.uuid.description))
        guard let value = values[characteristic.uuid] else { throw BlueZError(.notPermitted) }
        return value
    }

    // MARK: What tests make happen

    /// Has a peripheral come into BlueZ's list.
    func appear(
        _ address: String, name: String?, services uuids: [String] = [], rssi: Int? = -60, isConnected: Bool = false
    ) {
        guard let address = BluetoothAddress(address), let path = ObjectPath.peripheral(address) else { return }
        var peripheral = Peripheral(path: path, adapter: .adapter, address: address)
        peripheral.name = name
        peripheral.rssi = rssi
        peripheral.uuids = uuids.compactMap { BlueZUUID($0) }
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
            let service = BlueZUUID(service)
        else { return }
        let offered = characteristics.compactMap { text -> Characteristic? in
            let words = text.split(separator: " ").map(String.init)
            guard let uuid = words.first.flatMap({ BlueZUUID($0) }) else { return nil }
            let reference = CharacteristicReference(path: path, uuid: uuid, service: service, peripheral: address)
            return Characteristic(reference: reference, flags: CharacteristicFlags(names: Array(words.dropFirst())))
        }
        services[address, default: []].append(
            Service(path: path, uuid: service, isPrimary: true, characteristics: offered))
        for (uuid, value) in values {
            if let uuid = BlueZUUID(uuid) { self.values[uuid] = value }
        }
    }

    func notify(_ address: String, _ uuid: String, _ octets: [UInt8]) {
        guard let address = BluetoothAddress(address), let path = ObjectPath.peripheral(address),
            let uuid = BlueZUUID(uuid)
        else { return }
        let reference = CharacteristicReference(path: path, uuid: uuid, service: uuid, peripheral: address)
        emit(.notification(reference, octets))
    }

    func advertise(_ address: String, rssi: Int?) {
        guard let address = BluetoothAddress(address), var peripheral = peripherals[address] else { return }
        peripheral.rssi = rssi
        peripherals[address] = peripheral
        emit(.peripheral(rssi == nil ? .changed : .advertised, peripheral))
    }

    func setBattery(_ address: String, percent: Int) {
        guard let address = BluetoothAddress(address) else { return }
        peripherals[address]?.batteryPercent = percent
        if let peripheral = peripherals[address] { emit(.peripheral(.changed, peripheral)) }
    }

    func fail(_ failures: [BlueZError]) { self.failures = failures }
    func failSubscriptions(_ failure: BlueZError?) { subscriptionFailure = failure }
    /// What the next pairings ask, and how they end.
    func scriptPairing(_ prompts: [PairingPrompt], failure: PairingFailure? = nil) {
        self.prompts = prompts
        pairingFailure = failure
    }

    func setPaired(_ address: String) {
        guard let address = BluetoothAddress(address) else { return }
        peripherals[address]?.isPaired = true
        if let peripheral = peripherals[address] { emit(.peripheral(.changed, peripheral)) }
    }

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

    func unplug() {
        hasAdapter = false
        emit(.adapter(.removed, adapter))
    }

    // MARK: Links

    private func linkUp(_ address: BluetoothAddress) {
        peripherals[address]?.isConnected = true
        guard let peripheral = peripherals[address] else { return }
        emit(.peripheral(.changed, peripheral))
        emit(.connected(peripheral))
    }

    private func resolveServices(_ address: BluetoothAddress) {
        guard peripherals[address]?.isConnected == true else { return }
        peripherals[address]?.areServicesResolved = true
        peripherals[address]?.uuids += services[address]?.map(\.uuid) ?? []
        guard let peripheral = peripherals[address] else { return }
        emit(.peripheral(.changed, peripheral))
        emit(.servicesResolved(peripheral))
    }

    private func linkDown(_ address: BluetoothAddress) {
        guard peripherals[address]?.isConnected == true else { return }
        peripherals[address]?.isConnected = false
        peripherals[address]?.areServicesResolved = false
        guard let peripheral = peripherals[address] else { return }
        emit(.peripheral(.changed, peripheral))
        emit(.disconnected(peripheral))
    }

    private func vanish(_ address: BluetoothAddress) {
        linkDown(address)
        guard let peripheral = peripherals.removeValue(forKey: address) else { return }
        emit(.peripheral(.removed, peripheral))
    }
}

extension ObjectPath {
    /// The one adapter.
    static let adapter = ObjectPath("/org/bluez/hci0") ?? .root

    static func peripheral(_ address: BluetoothAddress) -> ObjectPath? {
        ObjectPath("/org/bluez/hci0/dev_\(address.description.split(separator: ":").joined(separator: "_"))")
    }
}
