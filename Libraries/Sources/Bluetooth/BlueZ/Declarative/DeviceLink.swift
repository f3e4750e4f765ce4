import Base
import EventLoops

/// The link of a ``Device`` and its received octets.
actor DeviceLink {
    nonisolated let central: BluetoothCentral
    nonisolated let address: BluetoothAddress
    /// Runs on the loop of BlueZ, so that no hop lies between the two.
    nonisolated var unownedExecutor: UnownedSerialExecutor { central.loop.asUnownedSerialExecutor() }

    private let entries: [DeclaredEntry]
    private(set) var state = DeviceState.disconnected(nil)
    private let states = Broadcast<DeviceState>()
    private var values: [CharacteristicKey: Broadcast<Notification>] = [:]
    /// The last values on this link.
    private(set) var latest: [CharacteristicKey: Notification] = [:]
    /// The tasks that read the subscribed characteristics.
    private var subscriptions: [CharacteristicKey: Task<Void, Never>] = [:]
    private var requests: [CharacteristicKey: DeviceRequest] = [:]
    /// When the device sent or confirmed something last.
    private(set) var lastActivity: Timestamp?
    /// Whether a characteristic is read after connecting, where that differs from its declaration.
    private var automaticReads: [CharacteristicKey: Bool] = [:]
    /// Reports the end of the link.
    private var delivery: BroadcastDelivery?
    /// Whether the caller has ended the link.
    private var isDisconnecting = false

    private let policy: ReconnectPolicy
    /// The task that reconnects after a loss.
    private var reconnection: Task<Void, Never>?

    init(central: BluetoothCentral, address: BluetoothAddress, entries: [DeclaredEntry], policy: ReconnectPolicy) {
        self.central = central
        self.address = address
        self.entries = entries
        self.policy = policy
    }

    deinit {
        reconnection?.cancel()
        for task in subscriptions.values { task.cancel() }
        states.finish()
        for broadcast in values.values { broadcast.finish() }
    }

    // MARK: The connection

    func stateSequence() -> BroadcastSequence<DeviceState> {
        states.subscribe(startingWith: [state])
    }

    func connect(timeout: Duration) async throws(DeviceError) {
        if state == .connecting { throw .busy }
        if state == .connected { return }
        isDisconnecting = false
        change(to: .connecting)
        latest = [:]
        delivery = await central.events().deliver(to: self, on: central.loop) { $0.handle($1) }
        do {
            do throws(BlueZError) {
                _ = try await central.connectAndResolve(address, timeout: timeout)
            } catch {
                throw DeviceError.bluez(error)
            }
            lastActivity = .now()
            try await takeUp()
            change(to: .connected)
        } catch {
            let failure = error as? DeviceError ?? .busy
            isDisconnecting = true
            try? await central.disconnect(address)
            linkEnded(nil)
            throw failure
        }
    }

    /// Checks, subscribes and reads what is declared.
    private func takeUp() async throws(DeviceError) {
        for entry in entries {
            guard await characteristic(entry.key) != nil else {
                if entry.options.contains(.isOptional) { continue }
                throw .missing(service: entry.key.service, characteristic: entry.key.uuid)
            }
            if entry.options.contains(.notifies) { try await subscribe(entry.key) }
            if isReadAutomatically(entry.key) { _ = try await read(entry.key, timeout: .seconds(35)) }
        }
    }

    func disconnect() async throws(DeviceError) {
        isDisconnecting = true
        reconnection?.cancel()
        reconnection = nil
        do throws(BlueZError) {
            try await central.disconnect(address)
        } catch {
            throw .bluez(error)
        }
        linkEnded(nil)
    }

    private func handle(_ event: BlueZEvent) {
        switch event.kind {
        case .disconnected(let peripheral) where peripheral.address == address: linkEnded(.linkLost)
        case .daemon(.gone): linkEnded(.daemonGone)
        case .bus(.lost), .bus(.foreign): linkEnded(.busLost)
        case .notification(let reference, let octets) where reference.peripheral == address:
            let key = CharacteristicKey(service: reference.service, uuid: reference.uuid)
            for (control, request) in requests {
                request.handle(Notification(octets: octets, timestamp: event.timestamp), of: key, controlledBy: control)
            }
        case .bus(.connected), .bus(.silent), .daemon(.running), .daemon(.silent), .daemon(.unusable),
            .daemon(.refused), .adapter, .peripheral,
            .connected, .disconnected, .servicesResolved, .servicesChanged, .notification:
            break
        }
    }

    /// Handles the end of the link; a pending connect reports its own failure.
    private func linkEnded(_ reason: NotificationsEndedError.Reason?) {
        if state == .connecting, !isDisconnecting { return }
        for task in subscriptions.values { task.cancel() }
        subscriptions = [:]
        for request in requests.values { request.finish(.failure(.bluez(BlueZError(.notConnected)))) }
        requests = [:]
        let wasConnected = state == .connected
        change(to: .disconnected(isDisconnecting ? nil : reason))
        if wasConnected, !isDisconnecting { beginReconnecting() }
    }

    // MARK: Connecting again

    private func beginReconnecting() {
        let policy = policy
        guard policy.attempts != 0 else { return }
        // A task whose attempt has just succeeded may not have ended yet.
        reconnection?.cancel()
        reconnection = Task(executorPreference: central.loop) { [weak self, loop = central.loop] in
            var delays = Backoff(first: policy.firstDelay, last: policy.longestDelay)
            var attempt = 0
            while !Task.isCancelled, await self?.connectAgain() == false {
                attempt += 1
                if attempt == policy.attempts { break }
                // A cancelled task has nothing left to do.
                guard (try? await loop.sleep(for: delays.next())) != nil else { return }
            }
            await self?.reconnectionEnded()
        }
    }

    private func reconnectionEnded() {
        // A cancelled task may have a successor.
        if !Task.isCancelled { reconnection = nil }
    }

    /// Connects again; returns whether nothing is left to do.
    private func connectAgain() async -> Bool {
        do throws(DeviceError) {
            if await central.peripheral(address) == nil { await hear() }
            if Task.isCancelled { return true }
            try await connect(timeout: .seconds(45))
            return true
        } catch {
            // The failure becomes the state, and the next attempt follows.
            return Task.isCancelled
        }
    }

    /// Waits for an advertisement, because the daemon forgets a device 30 s after its link.
    func hear() async {
        let (central, address) = (central, address)
        await central.run(within: .seconds(45)) {
            for await peripheral in await central.peripherals(matching: DiscoveryCriteria())
            where peripheral.address == address { break }
        }
    }

    private func change(to newState: DeviceState) {
        if case (.disconnected, .disconnected) = (state, newState) { return }
        state = newState
        states.send(newState)
    }

    // MARK: Characteristics

    func characteristic(_ key: CharacteristicKey) async -> Characteristic? {
        await central.characteristic(key.uuid, service: key.service, of: address)
    }

    func hasService(_ uuid: BluetoothUUID) async -> Bool {
        await central.services(of: address).contains { $0.uuid == uuid }
    }

    private func reference(_ key: CharacteristicKey) async throws(DeviceError) -> CharacteristicReference {
        if case .disconnected = state { throw .bluez(BlueZError(.notConnected)) }
        guard let characteristic = await characteristic(key) else {
            throw .missing(service: key.service, characteristic: key.uuid)
        }
        return characteristic.reference
    }

    func read(_ key: CharacteristicKey, timeout: Duration) async throws(DeviceError) -> [UInt8] {
        let reference = try await reference(key)
        do throws(BlueZError) {
            let octets = try await central.read(reference, timeout: timeout)
            handle(Notification(octets: octets, timestamp: .now()), key)
            return octets
        } catch {
            throw .bluez(error)
        }
    }

    func write(
        _ octets: [UInt8], to key: CharacteristicKey, _ mode: WriteMode, timeout: Duration
    ) async throws(DeviceError) {
        let reference = try await reference(key)
        do throws(BlueZError) {
            try await central.write(octets, to: reference, mode, timeout: timeout)
            if mode != .withoutResponse { lastActivity = .now() }
        } catch {
            throw .bluez(error)
        }
    }

    func isReadAutomatically(_ key: CharacteristicKey) -> Bool {
        automaticReads[key] ?? entries.contains { $0.key == key && $0.options.contains(.isRead) }
    }

    func setReadAutomatically(_ isOn: Bool, _ key: CharacteristicKey) { automaticReads[key] = isOn }

    // MARK: Values

    func notifications(
        of key: CharacteristicKey, startingWithLatest isStartingWithLatest: Bool
    ) -> BroadcastSequence<Notification> {
        let broadcast = values[key] ?? Broadcast()
        values[key] = broadcast
        return broadcast.subscribe(startingWith: isStartingWithLatest ? latest[key].map { [$0] } ?? [] : [])
    }

    func subscribe(_ key: CharacteristicKey) async throws(DeviceError) {
        guard subscriptions[key] == nil else { return }
        let reference = try await reference(key)
        do throws(BlueZError) {
            let sequence = try await central.notifications(of: reference)
            guard subscriptions[key] == nil else { return }
            subscriptions[key] = Task(executorPreference: central.loop) { await self.follow(sequence, key) }
        } catch {
            throw .bluez(error)
        }
    }

    func unsubscribe(_ key: CharacteristicKey) {
        subscriptions.removeValue(forKey: key)?.cancel()
    }

    func isSubscribed(to key: CharacteristicKey) -> Bool { subscriptions[key] != nil }

    private func follow(_ sequence: NotificationSequence, _ key: CharacteristicKey) async {
        // The link reports its end.
        do { for try await notification in sequence { handle(notification, key) } } catch {}
        // A cancelled task may have a successor.
        if !Task.isCancelled { subscriptions[key] = nil }
    }

    private func handle(_ notification: Notification, _ key: CharacteristicKey) {
        latest[key] = notification
        lastActivity = notification.timestamp
        values[key]?.send(notification)
    }

    // MARK: Control points

    /// Writes a request, and waits for its answer.
    ///
    /// - Parameters:
    ///   - timeout: The longest time without the answer or a record.
    ///   - records: The characteristic that notifies the requested records before the answer.
    /// - Returns: The answer, and the records that came before it, in the order of the bus.
    func request(
        _ octets: [UInt8], _ key: CharacteristicKey, timeout: Duration, collecting records: CharacteristicKey? = nil,
        isAnswer: @escaping @Sendable ([UInt8]) -> Bool
    ) async throws(DeviceError) -> (answer: [UInt8], records: [Notification]) {
        guard requests[key] == nil else { throw .busy }
        let request = DeviceRequest(recordKey: records, timeout: timeout, loop: central.loop, isAnswer: isAnswer)
        requests[key] = request
        defer { if requests[key] === request { requests[key] = nil } }
        defer { request.stopTimer() }
        if let records { try await subscribe(records) }
        try await subscribe(key)
        request.restartTimer()
        try await write(octets, to: key, .withResponse, timeout: timeout)
        let answer = try await request.answer().get()
        return (answer, request.records)
    }
}

/// A request to a control point that waits for its answer; used on the loop only.
final class DeviceRequest {
    /// The notifications of the records' characteristic.
    private(set) var records: [Notification] = []
    private let recordKey: CharacteristicKey?
    private let timeout: Duration
    private let loop: EventLoop
    private let isAnswer: @Sendable ([UInt8]) -> Bool
    private var timer: LoopTimer?
    private var outcome: Result<[UInt8], DeviceError>?
    private var continuation: CheckedContinuation<Result<[UInt8], DeviceError>, Never>?

    init(
        recordKey: CharacteristicKey?, timeout: Duration, loop: EventLoop,
        isAnswer: @escaping @Sendable ([UInt8]) -> Bool
    ) {
        self.recordKey = recordKey
        self.timeout = timeout
        self.loop = loop
        self.isAnswer = isAnswer
    }

    /// Handles a notification: a record, the answer, or one that does not belong to this request.
    func handle(_ notification: Notification, of key: CharacteristicKey, controlledBy control: CharacteristicKey) {
        guard outcome == nil else { return }
        if key == recordKey {
            records.append(notification)
            restartTimer()
        } else if key == control, isAnswer(notification.octets) {
            finish(.success(notification.octets))
        }
    }

    func finish(_ outcome: Result<[UInt8], DeviceError>) {
        guard self.outcome == nil else { return }
        self.outcome = outcome
        continuation?.resume(returning: outcome)
        continuation = nil
    }

    /// Ends the request when its time limit is over.
    func restartTimer() {
        stopTimer()
        timer = loop.schedule(after: timeout) { [weak self] in self?.finish(.failure(.timedOut)) }
    }

    func stopTimer() {
        if let timer { loop.cancel(timer) }
        timer = nil
    }

    func answer(isolation: isolated (any Actor)? = #isolation) async -> Result<[UInt8], DeviceError> {
        if let outcome { return outcome }
        // Quirk resumed-through-the-pool: unless the task prefers another executor.
        return await withTaskExecutorPreference(loop) {
            await withCheckedContinuation { continuation = $0 }
        }
    }
}

/// When to reconnect a device whose link was lost.
///
/// The first attempt follows at once; each later delay is twice the one before, up to a limit.
public struct ReconnectPolicy: Hashable, Sendable {
    /// The delay before the second attempt.
    public var firstDelay: Duration
    /// The longest delay.
    public var longestDelay: Duration
    /// The number of attempts after a loss; `nil` for no limit.
    public var attempts: Int?

    public init(firstDelay: Duration = .seconds(1), longestDelay: Duration = .seconds(60), attempts: Int? = nil) {
        self.firstDelay = firstDelay
        self.longestDelay = longestDelay
        self.attempts = attempts
    }

    /// No automatic reconnection.
    public static let never = ReconnectPolicy(attempts: 0)
    /// Attempts without an end, at least one a minute.
    public static let always = ReconnectPolicy()
}
