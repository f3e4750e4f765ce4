import DBus
import TestSupport
import Testing

@testable import BlueZ

@Suite("Why a pairing failed")
struct PairingErrorTests {
    @Test(
        "follows from the daemon's error",
        arguments: [
            ("org.bluez.Error.AuthenticationFailed", .authenticationFailed),
            ("org.bluez.Error.AuthenticationRejected", .authenticationRejected),
            ("org.bluez.Error.AuthenticationTimeout", .authenticationTimeout),
            ("org.bluez.Error.AuthenticationCanceled", .authenticationCanceled),
            ("org.bluez.Error.ConnectionAttemptFailed", .connectionFailed),
            ("org.bluez.Error.AlreadyExists", .alreadyPaired), ("org.bluez.Error.InProgress", .busy),
            ("org.bluez.Error.NotReady", .adapterNotReady),
            ("org.freedesktop.DBus.Error.UnknownObject", .unknownPeripheral),
            ("org.freedesktop.DBus.Error.AccessDenied", .accessDenied),
            ("org.freedesktop.DBus.Error.NoReply", .daemonGone), ("com.example.Error.New", .other),
        ] as [(String, PairingError.Reason)])
    func reasons(name: String, reason: PairingError.Reason) {
        #expect(PairingError(BlueZError(classifying: .remote(name: name, message: ""))).reason == reason)
    }

    @Test("is a sentence, each its own", arguments: PairingError.Reason.allCases)
    func sentences(reason: PairingError.Reason) {
        let text = PairingError(reason).description
        #expect(text.hasSuffix(".") && text.utf8.count > 20)
        #expect(PairingError.Reason.allCases.count { PairingError($0).description == text } == 1)
    }

    @Test("is found out where the daemon only says that it was cancelled")
    func cancelled() throws {
        let device = try path("/org/bluez/hci0/dev_1")
        let error = BlueZError(.authenticationFailed, name: "org.bluez.Error.AuthenticationCanceled")
        func failure(_ change: (PairingSession) -> Void) -> PairingError.Reason {
            let session = PairingSession(daemon: ":1.1", device: device, agent: .root) { _ in .no }
            change(session)
            return session.failure(error, at: 30_000_000_000).reason
        }
        #expect(failure { _ in } == .linkLost)
        #expect(failure { $0.recordPrompt(at: 1_000_000_000) } == .authenticationTimeout)
        #expect(failure { $0.recordPrompt(at: 20_000_000_000) } == .linkLost)
        #expect(failure { $0.cancel() } == .authenticationCanceled)
        #expect(failure { $0.recordUnreached() } == .connectionFailed)
    }

    @Test("a passkey is up to six digits and nothing else")
    func passkeys() {
        #expect(PairingAnswer.passkey(typed: "042137") == .passkey(42_137))
        for text in ["", "1234567", "12a", "-1", "١٢٣"] { #expect(PairingAnswer.passkey(typed: text) == nil) }
    }
}

@Suite("The agent", .timeLimit(.minutes(10)))
struct AgentTests {
    @Test("answers only the daemon")
    func strangers() async throws {
        let (bench, fake) = try await Bench.withStrap()
        try await fake.changeDevice([("ServicesResolved", .boolean(false)), ("Connected", .boolean(false))])
        let stranger = try await DBusConnection.connect(to: .address(bench.bus.address), on: bench.daemonLoop.loop)
        let client = try #require(await bench.bluez.connection?.uniqueName)
        let agent = try path("/agent")
        let manager = try path("/org/bluez")
        let device = try path(Strap.device)
        let calls = fake.calls
        let connection = fake.connection
        try await connection.export(
            manager,
            [
                ExportedInterface(
                    Name.agentManager,
                    methods: ["RegisterAgent os", "UnregisterAgent o"].map { words in
                        let parts = words.split(separator: " ").map(String.init)
                        return ExportedMethod(parts[0], input: parts[1]) { _ async throws(DBusConnectionError) in
                            calls.record(parts[0])
                            return []
                        }
                    })
            ])
        try await connection.export(
            device,
            [
                ExportedInterface(
                    Name.device, properties: try Strap.deviceProperties(),
                    methods: [
                        ExportedMethod("Pair") { _ async throws(DBusConnectionError) in
                            let arguments: [DBusValue] = [.objectPath(device), .uint32(7)]
                            do throws(DBusConnectionError) {
                                try await stranger.call(client, agent, Name.agent, "RequestConfirmation", arguments)
                                calls.record("the stranger was answered")
                            } catch {
                                calls.record(error.name ?? "")
                            }
                            try await connection.call(client, agent, Name.agent, "RequestConfirmation", arguments)
                            throw .remote(
                                name: "org.bluez.Error.AuthenticationFailed", message: "Authentication Failed")
                        }
                    ])
            ])
        let prompts = Recorder<PairingPrompt>()
        let failure = await #expect(throws: PairingError.self) {
            try await bench.bluez.pair(Strap.address) { prompt in
                prompts.record(prompt)
                return .yes
            }
        }
        #expect(failure?.reason == .authenticationFailed)
        #expect(prompts.elements == [.confirmPasskey("000007")])
        #expect(fake.calls.elements == ["RegisterAgent", "org.bluez.Error.Rejected", "UnregisterAgent"])
        #expect(await !bench.bluez.isPairing)
        await stranger.close()
        await fake.die()
    }
}
