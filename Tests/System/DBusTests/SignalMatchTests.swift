import DBus
import TestSupport
import Testing

@Suite("A signal match", .timeLimit(.minutes(10)))
struct SignalMatchTests {
    @Test("is written as the specification's match rule")
    func rule() throws {
        #expect(SignalMatch().rule == "type='signal'")
        let match = SignalMatch(
            sender: "org.bluez", interface: "com.example.Bed", member: "Moved", path: try path("/bed/one"),
            firstArgument: "x")
        let expected =
            "type='signal',sender='org.bluez',interface='com.example.Bed',member='Moved',path='/bed/one',arg0='x'"
        #expect(match.rule == expected)
        #expect(SignalMatch(pathNamespace: try path("/org")).rule == "type='signal',path_namespace='/org'")
    }

    @Test("puts apostrophes outside of the quotes, where the rule's language wants them")
    func quotes() {
        #expect(SignalMatch(firstArgument: "it's").rule == #"type='signal',arg0='it'\''s'"#)
        #expect(SignalMatch(firstArgument: "'").rule == #"type='signal',arg0=''\'''"#)
        #expect(SignalMatch(firstArgument: #"a,b\c"#).rule == #"type='signal',arg0='a,b\c'"#)
    }

    @Test("is understood by the bus, whatever its first argument holds", arguments: ["it's", "'", #"a,b\'c"#, ""])
    func quotesOnTheBus(text: String) async throws {
        let bus = try TestBus()
        let (sender, receiver) = (try await bus.connect(), try await bus.connect())
        let stream = try await receiver.signals(matching: SignalMatch(interface: "a.B", firstArgument: text))
        try await sender.emit(.root, "a.B", "S", [.string("something else")])
        try await sender.emit(.root, "a.B", "S", [.string(text), .int32(7)])
        var signals = stream.makeAsyncIterator()
        let signal = await signals.next()
        #expect(signal?.arguments == [.string(text), .int32(7)])
    }

    @Test(
        "lets through the signals that it means, and no others that another match brings",
        arguments: [
            (SignalMatch(), ["A", "B", "C", "D"]),
            (SignalMatch(interface: "a.B"), ["A", "B", "C"]),
            (SignalMatch(interface: "a.B", member: "Moved"), ["A", "C"]),
            (SignalMatch(path: ObjectPath("/bed")), ["A"]),
            (SignalMatch(pathNamespace: ObjectPath("/bed")), ["A", "B"]),
            (SignalMatch(pathNamespace: .root), ["A", "B", "C", "D"]),
            (SignalMatch(member: "Moved", firstArgument: "C"), ["C"]),
            (SignalMatch(sender: ":1.999", interface: "a.B"), []),
            (SignalMatch(sender: "org.freedesktop.DBus"), []),
        ] as [(SignalMatch, [String])])
    func matching(match: SignalMatch, expected: [String]) async throws {
        let bus = try TestBus()
        let (sender, receiver) = (try await bus.connect(), try await bus.connect())
        // Everything of the sender's comes in, so that only our own match decides.
        let everything = SignalMatch(sender: sender.uniqueName)
        let all = try await receiver.signals(matching: everything)
        let seen = Recorder<String>()
        try await receiver.handleSignals(matching: match, in: bus.receiver()) {
            _, message in
            guard message.isFrom(sender.uniqueName) else { return }
            var arguments = message.arguments()
            seen.record(arguments.readText() ?? "")
        }
        for (name, object, interface, member) in [
            ("A", "/bed", "a.B", "Moved"), ("B", "/bed/one", "a.B", "Made"), ("C", "/bedside", "a.B", "Moved"),
            ("D", "/other", "x.Y", "Moved"), ("end", "/", "the.End", "End"),
        ] {
            try await sender.emit(try path(object), interface, member, [.string(name)])
        }
        for await signal in all where signal.interface == "the.End" { break }
        #expect(seen.elements.filter { $0 != "end" } == expected)
    }
}
