import DBus
import EventLoops

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
