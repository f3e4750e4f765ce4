import DBus
import EventLoops

extension BluetoothCentral {
    /// Pairs with a peripheral, to access its protected characteristics.
    ///
    /// An agent is registered for the time of this call only, and is not made the default agent: the daemon asks the agent
    /// of its caller. An existing link is ended first (quirk pair-on-a-link-hangs); the daemon makes a new one, which stays
    /// after a success.
    ///
    /// The prompts are passed to `answer` one at a time, on this actor's loop; an unanswered prompt is cancelled as a task
    /// when the pairing ends.
    ///
    /// ```swift
    /// try await bluez.pair(address) { prompt in
    ///     switch prompt {
    ///     case .displayPasskey(let digits, _): print("Type \(digits) on the sensor."); return .yes
    ///     case .confirmPasskey(let digits): return ask("Does the sensor show \(digits)?") ? .yes : .no
    ///     default: return .no
    ///     }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - address: The peripheral; it must be in the daemon's list, and preferably no discovery runs.
    ///   - adapter: The adapter to pair through; `nil` for the one with a link, or the first that has heard it.
    ///   - capability: What the user can see and type.
    ///   - timeout: The limit; the two sides themselves give up 30 s after the last step.
    ///   - answer: Answers a prompt; its answer to a display-only prompt is ignored.
    /// - Throws: ``PairingError``.
    public func pair(
        _ address: BluetoothAddress, on adapter: ObjectPath? = nil, capability: PairingCapability = .keyboardDisplay,
        timeout: Duration = .seconds(90), answering answer: @escaping @Sendable (PairingPrompt) async -> PairingAnswer
    ) async throws(PairingError) {
        guard pairing == nil else { throw PairingError(.busy) }
        let session: PairingSession
        do throws(BlueZError) {
            session = try newSession(address, adapter, answer)
        } catch {
            throw PairingError(error)
        }
        // Quirk pair-again-hangs: the daemon does not answer at all when the peripheral is paired already.
        if tree.peripherals[session.device]?.isPaired == true { throw PairingError(.alreadyPaired) }
        pairing = session
        let outcome = await withTaskCancellationHandler {
            await carryOut(session, capability, timeout)
        } onCancel: {
            Task(executorPreference: loop) { await self.cancelPairing(address) }
        }
        session.end()
        pairing = nil
        if let outcome { throw session.failure(outcome, at: Timestamp.monotonicNow()) }
    }

    /// Cancels a pairing by ``pair(_:on:capability:timeout:answering:)``, if there is one.
    public func cancelPairing(_ address: BluetoothAddress) async {
        guard let session = pairing, tree.peripherals[session.device]?.address == address else { return }
        session.cancel()
        // There may be nothing left to cancel.
        _ = try? await call(session.device, Name.device, "CancelPairing", timeout: .seconds(10))
    }

    /// Whether a pairing is in progress.
    public var isPairing: Bool { pairing != nil }

    private func newSession(
        _ address: BluetoothAddress, _ adapter: ObjectPath?,
        _ answer: @escaping @Sendable (PairingPrompt) async -> PairingAnswer
    ) throws(BlueZError) -> PairingSession {
        let device = try path(of: address, on: adapter)
        guard let owner = daemon.owner else { throw BlueZError(.daemonGone) }
        return PairingSession(daemon: owner, device: device, agent: Self.agentPath, answer: answer)
    }

    /// The time limit for reaching the peripheral.
    private static let reachLimit = Duration.seconds(30)

    /// Quirk pair-waits-for-ever: the daemon does not answer while a peripheral cannot be reached.
    private func giveUpReaching(_ device: ObjectPath) {
        guard let session = pairing, session.device == device, tree.peripherals[device]?.isConnected != true
        else { return }
        session.recordUnreached()
        Task(executorPreference: loop) {
            _ = try? await self.call(device, Name.device, "CancelPairing", timeout: .seconds(5))
            _ = try? await self.call(device, Name.device, "Disconnect", timeout: .seconds(5))
        }
    }

    /// Registers our agent, pairs, and unregisters the agent in any case; returns why it failed.
    private func carryOut(
        _ session: PairingSession, _ capability: PairingCapability, _ timeout: Duration
    ) async -> BlueZError? {
        guard let connection else { return BlueZError(.busLost) }
        var failure: BlueZError?
        do {
            try await endLink(of: session)
            try await exportAgent(session, on: connection)
            try await register(session.agent, capability)
            let device = session.device
            let reach = loop.schedule(after: Self.reachLimit) { [weak self] in
                self?.assumeIsolated { $0.giveUpReaching(device) }
            }
            defer { loop.cancel(reach) }
            if session.isCancelled { throw BlueZError(.cancelled, name: "org.bluez.Error.AuthenticationCanceled") }
            try await call(session.device, Name.device, "Pair", timeout: timeout)
        } catch let error as BlueZError {
            failure = error
        } catch {
            failure = BlueZError(.busLost)
        }
        if failure?.kind == .timedOut {
            _ = try? await call(session.device, Name.device, "CancelPairing", timeout: .seconds(5))
        }
        // First of all: quirk pairs-by-itself, after a failed pairing on a link that is still up the daemon would ask
        // the agent again.
        _ = try? await call(
            Self.daemonPath, Name.agentManager, "UnregisterAgent", [.objectPath(session.agent)],
            timeout: .seconds(5))
        try? await connection.unexport(session.agent)
        return failure
    }

    /// Ends an existing link.
    ///
    /// Quirk pair-on-a-link-hangs: on an existing link, which may already have refused a request for lack of a key,
    /// `Pair` secures the link but never answers, and the key is lost. Without a link it always answers.
    private func endLink(of session: PairingSession) async throws(BlueZError) {
        guard let peripheral = tree.peripherals[session.device], peripheral.isConnected else { return }
        let isDown = waiters.add { kind in
            if case .disconnected(let gone) = kind, gone.path == peripheral.path { .success(()) } else { nil }
        }
        defer { waiters.remove(isDown) }
        try await call(session.device, Name.device, "Disconnect", timeout: .seconds(15))
        _ = await wait(for: isDown, until: Self.deadline(after: .seconds(5)))
        // Quirk connect-after-disconnect: the controller ends the link some 50 ms after the daemon has reported it.
        try? await loop.sleep(for: .milliseconds(200))
    }

    private func register(_ agent: ObjectPath, _ capability: PairingCapability) async throws(BlueZError) {
        let arguments: [DBusValue] = [.objectPath(agent), .string(capability.rawValue)]
        do throws(BlueZError) {
            try await call(Self.daemonPath, Name.agentManager, "RegisterAgent", arguments, timeout: .seconds(10))
        } catch {
            // An agent of this program remains where its removal was not answered in time.
            guard error.kind == .alreadyExists else { throw error }
            _ = try? await call(
                Self.daemonPath, Name.agentManager, "UnregisterAgent", [.objectPath(agent)], timeout: .seconds(5))
            try await call(Self.daemonPath, Name.agentManager, "RegisterAgent", arguments, timeout: .seconds(10))
        }
    }

    /// The daemon's own object.
    private static let daemonPath = ObjectPath("/org/bluez") ?? .root
    /// The path of the agent on this connection.
    private static let agentPath = ObjectPath("/agent") ?? .root
}
