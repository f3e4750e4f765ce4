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
        trace(address, .pair, .began)
        let outcome = await withTaskCancellationHandler {
            await carryOut(session, capability, timeout)
        } onCancel: {
            Task(executorPreference: loop) { await self.cancelPairing(address) }
        }
        session.end()
        pairing = nil
        trace(address, .pair, outcome.map { .failed($0) } ?? .succeeded([]))
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

extension BluetoothCentral {
    /// Exports the pairing agent, which answers only the daemon, and only about the peripheral that is being paired.
    func exportAgent(_ session: PairingSession, on connection: DBusConnection) async throws(DBusConnectionError) {
        let methods: [ExportedMethod] = [
            // Quirk release-on-exit: the daemon releases agents when it stops; then no answer is expected.
            agentMethod("Release") { _ in .takenBack },
            agentMethod("Cancel") { _ in .takenBack },
            agentMethod("RequestPinCode", "o", "s") { _ in .ask(.enterPinCode) },
            agentMethod("DisplayPinCode", "os") { call in
                .show(.displayPinCode(String((call.arguments.last?.text ?? "").prefix(16))))
            },
            agentMethod("RequestPasskey", "o", "u") { _ in .ask(.enterPasskey) },
            agentMethod("DisplayPasskey", "ouq") { call in
                .show(
                    .displayPasskey(
                        Self.passkeyText(call.arguments.dropFirst().first),
                        entered: min(max(0, call.arguments.last?.integer ?? 0), 6)))
            },
            agentMethod("RequestConfirmation", "ou") { call in
                .ask(.confirmPasskey(Self.passkeyText(call.arguments.last)))
            },
            agentMethod("RequestAuthorization", "o") { _ in .ask(.authorize) },
            agentMethod("AuthorizeService", "os") { call in
                call.arguments.last?.uuid.map { .ask(.authorizeService($0)) } ?? .refuse
            },
        ]
        try await connection.export(session.agent, [ExportedInterface(Name.agent, methods: methods)])
    }

    /// The reaction to a call of the agent.
    private enum AgentReaction {
        case takenBack, refuse
        case show(PairingPrompt)
        case ask(PairingPrompt)
    }

    private func agentMethod(
        _ name: String, _ input: String = "", _ output: String = "",
        _ react: @escaping @Sendable (IncomingCall) -> AgentReaction
    ) -> ExportedMethod {
        ExportedMethod(name, input: input, output: output) { [weak self] call async throws(DBusConnectionError) in
            guard let self else { throw Self.rejected }
            return try await self.agentCalled(call, react)
        }
    }

    private static let rejected = DBusConnectionError.remote(name: "org.bluez.Error.Rejected", message: "Rejected")
    private static let cancelled = DBusConnectionError.remote(name: "org.bluez.Error.Canceled", message: "Canceled")

    private func agentCalled(
        _ call: IncomingCall, _ react: @Sendable (IncomingCall) -> AgentReaction
    ) async throws(DBusConnectionError) -> [DBusValue] {
        // Any program on the bus can call; only calls of the daemon are answered.
        guard let session = pairing, session.agent == call.path, session.daemon == call.sender else {
            ignoreForeign(call.path.description)
            throw Self.rejected
        }
        if let device = call.arguments.first?.path, device != session.device { throw Self.rejected }
        let now = Timestamp.monotonicNow()
        switch react(call) {
        case .takenBack:
            session.end()
            return []
        case .refuse:
            session.recordPrompt(at: now)
            throw Self.rejected
        case .show(let prompt):
            session.recordPrompt(at: now)
            let answer = session.answer
            Task(executorPreference: loop) { _ = await answer(prompt) }
            return []
        case .ask(let prompt):
            session.recordPrompt(at: now)
            return try await ask(prompt, session)
        }
    }

    private func ask(_ prompt: PairingPrompt, _ session: PairingSession) async throws(DBusConnectionError)
        -> [DBusValue]
    {
        let answer = session.answer
        let pending = Task(executorPreference: loop) { await answer(prompt) }
        session.wait(for: pending)
        let given = await pending.value
        // A withdrawn request needs no answer; the daemon does not read it.
        if pending.isCancelled { throw Self.cancelled }
        session.recordAnswer()
        switch (prompt, given) {
        case (.confirmPasskey, .yes), (.authorize, .yes), (.authorizeService, .yes): return []
        case (.enterPasskey, .passkey(let passkey)) where passkey <= 999_999: return [.uint32(passkey)]
        case (.enterPinCode, .pinCode(let text)) where (1...16).contains(text.utf8.count) && !text.utf8.contains(0):
            return [.string(text)]
        default:
            session.recordRefusal()
            throw Self.rejected
        }
    }

    /// Six digits with leading zeros, as the peripheral shows them.
    private static func passkeyText(_ value: DBusValue?) -> String {
        let digits = String(min(max(0, value?.integer ?? 0), 999_999))
        return String(repeating: "0", count: 6 - digits.utf8.count) + digits
    }
}

/// A pairing in progress, as seen by our agent; used on the loop only.
final class PairingSession {
    /// The daemon that may call the agent.
    let daemon: String
    /// The peripheral that is paired.
    let device: ObjectPath
    let agent: ObjectPath
    let answer: @Sendable (PairingPrompt) async -> PairingAnswer
    /// The prompt that waits for its answer.
    private var pending: Task<PairingAnswer, Never>?
    /// Whether the user said no.
    private var isDeclined = false
    /// Whether ``BluetoothCentral/cancelPairing(_:)`` was called, or the caller's task was cancelled.
    private(set) var isCancelled = false
    /// Whether the peripheral was not reached in time.
    private var isUnreached = false
    /// When the last prompt was shown, in monotonic nanoseconds.
    private var promptedAt: Int64?

    /// The age of an unanswered prompt from which a failure is attributed to it, in nanoseconds.
    ///
    /// The two sides give up after 30 s (Core Specification, Vol 3 Part H, 3.4).
    private static let lateness: Int64 = 28_000_000_000

    init(
        daemon: String, device: ObjectPath, agent: ObjectPath,
        answer: @escaping @Sendable (PairingPrompt) async -> PairingAnswer
    ) {
        self.daemon = daemon
        self.device = device
        self.agent = agent
        self.answer = answer
    }

    /// Cancels the pairing.
    func cancel() {
        isCancelled = true
        end()
    }

    /// Records that the peripheral was not reached in time.
    func recordUnreached() { isUnreached = true }

    /// Records that a prompt is shown now, in monotonic nanoseconds.
    func recordPrompt(at now: Int64) { promptedAt = now }

    /// Records that the answer was no or invalid.
    func recordRefusal() { isDeclined = true }

    /// Waits for the answer to a prompt; replaces any earlier one.
    func wait(for pending: Task<PairingAnswer, Never>) {
        end()
        self.pending = pending
    }

    /// Records that the prompt was answered.
    func recordAnswer() { pending = nil }

    /// Cancels the pending prompt.
    func end() {
        pending?.cancel()
        pending = nil
    }

    /// The reason of a failure, from the daemon's error and the agent's calls.
    ///
    /// Quirk pair-says-cancelled: BlueZ answers `AuthenticationCanceled` also after a time-out and a lost link, and
    /// `AuthenticationFailed` when this side refused.
    ///
    /// - Parameter now: Monotonic nanoseconds.
    func failure(_ error: BlueZError, at now: Int64) -> PairingError {
        let isLate = promptedAt.map { now - $0 >= Self.lateness } ?? false
        let plain = PairingError(error)
        if isUnreached, !isCancelled { return PairingError(.connectionFailed, error) }
        switch plain.reason {
        case .authenticationFailed where isDeclined: return PairingError(.declined, error)
        case .authenticationCanceled where isLate && !isCancelled: return PairingError(.authenticationTimeout, error)
        case .authenticationCanceled where !isCancelled: return PairingError(.linkLost, error)
        default: return plain
        }
    }
}
