@testable import DBus
import EventLoops
import TestSupport
import Testing

@Suite("Signals", .timeLimit(.minutes(10)))
struct SignalTests {
    let bus: TestBus

    init() throws {
        bus = try TestBus()
    }

    @Test("come as a stream, with all that they carry, all of them and in order")
    func stream() async throws {
        let (sender, receiver) = (try await bus.connect(), try await bus.connect())
        let before = Timestamp.now()
        let stream = try await receiver.signals(matching: SignalMatch(interface: "a.B"))
        for number in 0..<2000 { try await sender.emit(.root, "a.B", "S", [.uint32(UInt32(number))]) }
        var received: [DBusSignal] = []
        for await signal in stream {
            received.append(signal)
            if received.count == 2000 { break }
        }
        #expect(received.map(\.arguments) == (0..<2000).map { [.uint32(UInt32($0))] })
        let first = try #require(received.first)
        #expect(first.sender == sender.uniqueName)
        #expect(first.path == .root)
        #expect(first.interface == "a.B")
        #expect(first.member == "S")
        #expect(first.timestamp.monotonicNanoseconds >= before.monotonicNanoseconds)
    }

    @Test("reach only the receiver that they are addressed to")
    func addressed() async throws {
        let (sender, receiver, other) = (try await bus.connect(), try await bus.connect(), try await bus.connect())
        let wanted = SignalMatch(interface: "a.B")
        var received = try await receiver.signals(matching: wanted).makeAsyncIterator()
        var overheard = try await other.signals(matching: wanted).makeAsyncIterator()
        try await sender.emit(.root, "a.B", "Secret", [], to: receiver.uniqueName)
        try await sender.emit(.root, "a.B", "Public", [])
        #expect(await received.next()?.member == "Secret")
        #expect(await overheard.next()?.member == "Public")
        await #expect(throws: DBusConnectionError.self) {
            try await sender.emit(.root, "a.B", "Secret", [], to: "no name")
        }
    }

    @Test("are handled on the receiver's actor, in order")
    func handler() async throws {
        let (sender, receiver) = (try await bus.connect(), try await bus.connect())
        let seen = Recorder<Int>()
        try await receiver.handleSignals(matching: SignalMatch(interface: "a.B"), in: bus.receiver()) {
            actor, message in
            guard actor.loop.isOnLoop, message.isSignal("a.B", "S"), message.signature == "ia{sv}" else { return }
            var arguments = message.arguments()
            seen.record(arguments.readValue()?.integer ?? -1)
        }
        for number in 0..<2000 {
            try await sender.emit(.root, "a.B", "S", [.int32(Int32(number)), .properties([("x", .byte(1))])])
        }
        try await awaitCondition("all are handled") { seen.count == 2000 }
        #expect(seen.elements == Array(0..<2000))
    }

    @Test(
        "are handled in the order of the bus also among answers: callers go on before what came later, and after what came before"
    )
    func orderAroundAnswers() async throws {
        let (server, client) = (try await bus.connect(), try await bus.connect())
        let seen = Recorder<String>()
        let emitting = ExportedMethod("Emit") { [weak server] _ throws(DBusConnectionError) in
            try await server?.emit(.root, "a.B", "S", [])
            return []
        }
        try await server.export(.root, [ExportedInterface("a.B", methods: [echo("s"), emitting])])
        try await client.handleSignals(matching: SignalMatch(interface: "a.B"), in: bus.receiver()) { _, _ in
            seen.record("signal")
        }
        for _ in 0..<200 {
            try await bus.receiver().callTwice(server.uniqueName, through: client, seen)
        }
        let round = ["first answer", "signal", "second answer"]
        #expect(seen.elements == Array(repeating: round, count: 200).flatMap { $0 })
    }

    @Test("are not handled any more when the handler is removed, whose match the bus forgets too")
    func removal() async throws {
        let (sender, receiver) = (try await bus.connect(), try await bus.connect())
        let seen = Recorder<String>()
        let match = SignalMatch(interface: "a.B")
        let first = try await receiver.handleSignals(matching: match, in: bus.receiver()) { _, _ in seen.record("first")
        }
        try await receiver.handleSignals(matching: match, in: bus.receiver()) { _, _ in seen.record("second") }
        try await sender.emit(.root, "a.B", "S", [])
        try await awaitCondition("both handlers") { seen.count == 2 }
        try await receiver.removeSignalHandler(first)
        try await receiver.removeSignalHandler(first)
        try await sender.emit(.root, "a.B", "S", [])
        try await awaitCondition("the one that is left") { seen.count == 3 }
        #expect(seen.elements == ["first", "second", "second"])
    }

    @Test("find no handler any more when its receiver has ended, and the match is removed from the bus")
    func receiverEnds() async throws {
        let (sender, receiver) = (try await bus.connect(), try await bus.connect())
        let match = SignalMatch(interface: "a.B")
        try await receiver.handleSignals(matching: match, in: LoopActor(loop: bus.running.loop)) { _, _ in }
        try await sender.emit(.root, "a.B", "S", [])
        try await awaitCondition("the handler is gone") { await receiver.signalHandlerCount == 0 }
    }

    @Test("are not sent to a stream any more when its reader stops")
    func readerStops() async throws {
        let (sender, receiver) = (try await bus.connect(), try await bus.connect())
        do {
            let stream = try await receiver.signals(matching: SignalMatch(interface: "a.B"))
            try await sender.emit(.root, "a.B", "S", [])
            for await _ in stream { break }
        }
        try await awaitCondition("the subscription is gone") { await receiver.signalHandlerCount == 0 }
    }

    @Test("end their stream when the connection is closed, or ends with its last reference")
    func streamEnds() async throws {
        let closed = try await bus.connect()
        let first = try await closed.signals(matching: SignalMatch(interface: "a.B"))
        await closed.close()
        for await _ in first { Issue.record("no signal was sent") }

        var dropped: DBusConnection? = try await bus.connect()
        let second = try #require(try await dropped?.signals(matching: SignalMatch(interface: "a.B")))
        dropped = nil
        for await _ in second { Issue.record("no signal was sent") }
    }

    @Test("cannot be asked for by a match that the bus does not understand")
    func badMatch() async throws {
        let connection = try await bus.connect()
        let failure = await failure { () async throws(DBusConnectionError) in
            _ = try await connection.signals(matching: SignalMatch(interface: "no interface"))
        }
        #expect(failure?.name == "org.freedesktop.DBus.Error.MatchRuleInvalid")
        #expect(await connection.signalHandlerCount == 0)
    }

    @Test("whose handler closes the connection are the last that anybody gets")
    func closeInHandler() async throws {
        let (sender, receiver) = (try await bus.connect(), try await bus.connect())
        let seen = Recorder<String>()
        for name in ["first", "second"] {
            try await receiver.handleSignals(matching: SignalMatch(interface: "a.B"), in: bus.receiver()) { _, _ in
                seen.record(name)
                receiver.assumeIsolated { $0.close() }
            }
        }
        for _ in 0..<10 { try await sender.emit(.root, "a.B", "S", []) }
        try await awaitCondition("the end") { await receiver.isDisconnected }
        await bus.running.run { _ in }
        #expect(seen.elements == ["first"])
    }
}

extension LoopActor {
    /// Has two calls under way at once, so that answer, signal and answer often come in one read.
    fileprivate func callTwice(_ server: String, through client: DBusConnection, _ seen: Recorder<String>) async throws
    {
        let first = Task { try await call(server, "Echo", [.string("")], through: client, seen, "first answer") }
        let second = Task { try await call(server, "Emit", [], through: client, seen, "second answer") }
        try await first.value
        try await second.value
    }

    private func call(
        _ server: String, _ member: String, _ arguments: [DBusValue], through client: DBusConnection,
        _ seen: Recorder<String>, _ answer: String
    ) async throws {
        try await client.call(server, .root, "a.B", member, arguments)
        seen.record(answer)
    }
}
