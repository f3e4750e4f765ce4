import DBus
import EventLoops
import TestSupport
import Testing

@Suite("A call", .timeLimit(.minutes(10)))
struct CallTests {
    let bus: TestBus

    init() throws {
        bus = try TestBus()
    }

    /// A server that answers, fails, or never answers.
    private func server() async throws -> DBusConnection {
        let server = try await bus.connect()
        let methods = [
            echo("s"),
            ExportedMethod("Fail") { _ throws(DBusConnectionError) in
                throw .remote(name: "org.bluez.Error.InProgress", message: "Operation already in progress")
            },
            ExportedMethod("FailOddly") { _ throws(DBusConnectionError) in
                throw .remote(name: "no error name", message: "x")
            },
            ExportedMethod("FailOtherwise") { _ throws(DBusConnectionError) in throw .timedOut },
            ExportedMethod("AnswerBadly", output: "s") { _ throws(DBusConnectionError) in [.string("\0")] },
            ExportedMethod("Sleep") { [loop = bus.running.loop] _ throws(DBusConnectionError) in
                try? await loop.sleep(for: .seconds(30))
                return []
            },
        ]
        try await server.export(.root, [ExportedInterface("a.B", methods: methods)])
        return server
    }

    private func failure(_ member: String, timeout: Duration = .seconds(25)) async throws -> DBusConnectionError? {
        let (server, client) = (try await server(), try await bus.connect())
        return await DBusTests.failure { () async throws(DBusConnectionError) in
            try await client.call(server.uniqueName, .root, "a.B", member, timeout: timeout)
        }
    }

    @Test("gives the values of its answer")
    func answer() async throws {
        let (server, client) = (try await server(), try await bus.connect())
        #expect(try await client.call(server.uniqueName, .root, "a.B", "Echo", [.string("x")]) == [.string("x")])
    }

    @Test("without an answer comes before a later call, and nobody has to be there for it")
    func withoutAnswer() async throws {
        let (server, client) = (try await bus.connect(), try await bus.connect())
        let noted = Recorder<String>()
        let note = ExportedMethod("Note", input: "s") { call throws(DBusConnectionError) in
            noted.record(call.arguments.first?.text ?? "")
            return []
        }
        try await server.export(.root, [ExportedInterface("a.B", methods: [note])])
        try await client.tell("a.Nobody", .root, "a.B", "Note", [.string("x")])
        for text in ["1", "2", "3"] { try await client.tell(server.uniqueName, .root, "a.B", "Note", [.string(text)]) }
        _ = try await client.call(server.uniqueName, .root, "a.B", "Note", [.string("4")])
        #expect(noted.elements == ["1", "2", "3", "4"])
        await #expect(throws: DBusConnectionError.self) { try await client.tell("no name", .root, "a.B", "Note") }
    }

    @Test("that is answered by an error keeps its name and its message")
    func error() async throws {
        let failure = try await failure("Fail")
        #expect(failure == .remote(name: "org.bluez.Error.InProgress", message: "Operation already in progress"))
        #expect(failure?.name == "org.bluez.Error.InProgress")
        #expect(failure?.description == "org.bluez.Error.InProgress: Operation already in progress")
    }

    @Test(
        "whose handler fails without a valid error name, or answers what D-Bus does not allow, fails the call",
        arguments: ["FailOddly", "FailOtherwise", "AnswerBadly"])
    func oddErrors(member: String) async throws {
        #expect(try await failure(member)?.name == "org.freedesktop.DBus.Error.Failed")
    }

    @Test("of a method or with arguments that the object does not have is answered as bluetoothd does")
    func unknown() async throws {
        let (server, client) = (try await server(), try await bus.connect())
        for (object, interface, member, arguments, expected) in [
            ("/", "a.B", "Nothing", [], "UnknownMethod"), ("/", "a.C", "Echo", [.string("")], "UnknownMethod"),
            ("/", "a.B", "Echo", [.byte(1)], "UnknownMethod"), ("/", "a.B", "Echo", [], "UnknownMethod"),
            ("/gone", "a.B", "Echo", [.string("")], "UnknownObject"),
        ] as [(String, String, String, [DBusValue], String)] {
            let failure = await DBusTests.failure { () async throws(DBusConnectionError) in
                try await client.call(server.uniqueName, ObjectPath(object) ?? .root, interface, member, arguments)
            }
            #expect(failure?.name == "org.freedesktop.DBus.Error.\(expected)", "\(object) \(interface).\(member)")
        }
    }

    @Test("of a name without an owner fails with the bus's error")
    func noOwner() async throws {
        let client = try await bus.connect()
        let failure = await DBusTests.failure { () async throws(DBusConnectionError) in
            try await client.call("com.example.Nobody", .root, "a.B", "Echo")
        }
        #expect(failure?.name == "org.freedesktop.DBus.Error.ServiceUnknown")
    }

    @Test("that is not answered in time fails, also when the time is nothing or less", arguments: [20, 0, -5])
    func timeOut(milliseconds: Int) async throws {
        #expect(try await failure("Sleep", timeout: .milliseconds(milliseconds)) == .timedOut)
    }

    @Test("may wait for ever")
    func noTimeOut() async throws {
        let (server, client) = (try await server(), try await bus.connect())
        let answer = try await client.call(
            server.uniqueName, .root, "a.B", "Echo", [.string("x")], timeout: .seconds(Int64.max))
        #expect(answer == [.string("x")])
    }

    @Test(
        "with names that D-Bus does not allow is refused",
        arguments: [
            ("", "a.B", "M"), ("no name", "a.B", "M"), ("a.b", "", "M"), ("a.b", "a", "M"), ("a.b", "a.B", ""),
            ("a.b", "a.B", "M.N"), ("a.b", "a.B", "M\0"), ("a..b", "a.B", "M"),
        ])
    func badNames(destination: String, interface: String, member: String) async throws {
        let client = try await bus.connect()
        let failure = await DBusTests.failure { () async throws(DBusConnectionError) in
            try await client.call(destination, .root, interface, member)
        }
        guard case .invalidMessage? = failure else {
            Issue.record("gave \(String(describing: failure))")
            return
        }
    }

    @Test("whose server disappears gets the bus's error, not a timeout")
    func serverGone() async throws {
        let (server, client) = (try await server(), try await bus.connect())
        async let pending = DBusTests.failure { () async throws(DBusConnectionError) in
            try await client.call(server.uniqueName, .root, "a.B", "Sleep")
        }
        // The call is on its way before the end of its server: whatever the bus answers now comes after it.
        try await awaitCondition("the call is sent") { await client.pendingCallCount == 1 }
        _ = try await client.owner(of: "org.freedesktop.DBus")
        await server.close()
        #expect(await pending?.name == "org.freedesktop.DBus.Error.NoReply")
    }

    @Test("may be made many times at once, and each gets its own answer")
    func many() async throws {
        let (server, client) = (try await server(), try await bus.connect())
        let total = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<500 {
                group.addTask {
                    let answer = try await client.call(
                        server.uniqueName, .root, "a.B", "Echo", [.string("\(number)")])
                    return answer == [.string("\(number)")] ? 1 : 0
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(total == 500)
    }
}
