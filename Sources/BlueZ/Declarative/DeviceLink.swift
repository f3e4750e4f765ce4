import EventLoops

/// What is behind a ``Device``: its link, and the octets that have come, whatever their types.
actor DeviceLink {
    nonisolated let bluez: BluetoothCentral
    nonisolated let address: BluetoothAddress
    /// Runs on the loop of BlueZ, without a hop between the two.
    nonisolated var unownedExecutor: UnownedSerialExecutor { bluez.loop.asUnownedSerialExecutor() }

    private let entries: [DeclaredEntry]
    private(set) var state = DeviceState.disconnected(nil)
    private let states = Broadcast<DeviceState>()
    private var values: [CharacteristicKey: Broadcast<Notification>] = [:]
    /// What came last on this link.
    private(set) var latest: [CharacteristicKey: Notification] = [:]
    /// The readers of what is subscribed to.
    private var subscriptions: [CharacteristicKey: Task<Void, Never>] = [:]
    private var requests: [CharacteristicKey: DeviceRequest] = [:]
    /// Tells of the end of the link.
    private var delivery: BroadcastDelivery?
    /// Whether the end of the link was asked for.
    private var isDisconnecting = false

    init(bluez: BluetoothCentral, address: BluetoothAddress, entries: [DeclaredEntry]) {
        self.bluez = bluez
        self.address = address
        self.entries = entries
    }

    deinit {
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
        delivery = await bluez.events().deliver(to: self, on: bluez.loop) { $0.handle($1) }
        do {
            do throws(BlueZError) {
                _ = try await bluez.connectAndResolve(address, timeout: timeout)
            } catch {
                throw DeviceError.bluez(error)
            }
            try await takeUp()
            change(to: .connected)
        } catch {
            let failure = error as? DeviceError ?? .busy
            isDisconnecting = true
            try? await bluez.disconnect(address)
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
            if entry.options.contains(.isRead) { _ = try await read(entry.key, timeout: .seconds(35)) }
        }
    }

    func disconnect() async throws(DeviceError) {
        isDisconnecting = true
        do throws(BlueZError) {
            try await bluez.disconnect(address)
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
        default: break
        }
    }

    /// The link has ended; while one is being made, its maker tells.
    private func linkEnded(_ reason: NotificationsEnded.Reason?) {
        if state == .connecting, !isDisconnecting { return }
        for task in subscriptions.values { task.cancel() }
        subscriptions = [:]
        for request in requests.values { request.finish(.failure(.bluez(BlueZError(.notConnected)))) }
        requests = [:]
        change(to: .disconnected(isDisconnecting ? nil : reason))
    }

    private func change(to newState: DeviceState) {
        if case (.disconnected, .disconnected) = (state, newState) { return }
        state = newState
        states.send(newState)
    }

    // MARK: Characteristics

    func characteristic(_ key: CharacteristicKey) async -> Characteristic? {
        await bluez.characteristic(key.uuid, service: key.service, of: address)
    }

    func hasService(_ uuid: BluetoothUUID) async -> Bool {
        await bluez.services(of: address).contains { $0.uuid == uuid }
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
            let octets = try await bluez.read(reference, timeout: timeout)
            take(Notification(octets: octets, timestamp: .now()), key)
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
            try await bluez.write(octets, to: reference, mode, timeout: timeout)
        } catch {
            throw .bluez(error)
        }
    }

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
            let sequence = try await bluez.notifications(of: reference)
            guard subscriptions[key] == nil else { return }
            subscriptions[key] = Task(executorPreference: bluez.loop) { await self.follow(sequence, key) }
        } catch {
            throw .bluez(error)
        }
    }

    func unsubscribe(_ key: CharacteristicKey) {
        subscriptions.removeValue(forKey: key)?.cancel()
    }

    private func follow(_ sequence: NotificationSequence, _ key: CharacteristicKey) async {
        // That it ends is told by the link.
        do { for try await notification in sequence { take(notification, key) } } catch {}
    }

    private func take(_ notification: Notification, _ key: CharacteristicKey) {
        latest[key] = notification
        values[key]?.send(notification)
        if let request = requests[key], request.isAnswer(notification.octets) {
            request.finish(.success(notification.octets))
        }
    }

    // MARK: Control points

    func request(
        _ octets: [UInt8], _ key: CharacteristicKey, timeout: Duration,
        isAnswer: @escaping @Sendable ([UInt8]) -> Bool
    ) async throws(DeviceError) -> [UInt8] {
        guard requests[key] == nil else { throw .busy }
        let request = DeviceRequest(isAnswer: isAnswer)
        requests[key] = request
        defer { if requests[key] === request { requests[key] = nil } }
        let timer = bluez.loop.schedule(after: timeout) { request.finish(.failure(.timedOut)) }
        defer { bluez.loop.cancel(timer) }
        try await subscribe(key)
        try await write(octets, to: key, .withResponse, timeout: timeout)
        return try await request.answer(on: bluez.loop).get()
    }
}

/// A request that waits for its answer; used on the loop only.
private final class DeviceRequest {
    let isAnswer: @Sendable ([UInt8]) -> Bool
    private var outcome: Result<[UInt8], DeviceError>?
    private var continuation: CheckedContinuation<Result<[UInt8], DeviceError>, Never>?

    init(isAnswer: @escaping @Sendable ([UInt8]) -> Bool) {
        self.isAnswer = isAnswer
    }

    func finish(_ outcome: Result<[UInt8], DeviceError>) {
        guard self.outcome == nil else { return }
        self.outcome = outcome
        continuation?.resume(returning: outcome)
        continuation = nil
    }

    func answer(on loop: EventLoop, isolation: isolated (any Actor)? = #isolation) async
        -> Result<[UInt8], DeviceError>
    {
        if let outcome { return outcome }
        // Quirk resumed-through-the-pool: unless the task prefers another executor.
        return await withTaskExecutorPreference(loop) {
            await withCheckedContinuation { continuation = $0 }
        }
    }
}
