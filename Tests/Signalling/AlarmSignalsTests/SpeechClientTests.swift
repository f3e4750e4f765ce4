import Foundation
import Speech
import Synchronization
import TestSupport
import Testing

@testable import AlarmSignals

@Suite("Speech by a dispatcher that may hang or disappear")
struct SpeechClientTests {
    private let running = RunningLoop()
    private let folder: ScratchFolder
    private let states = Recorder<SpeechClient.State>()
    private let repetitions = Recorder<Int>()
    private let alarm = SpeechOrder.speak(Utterance("alarm: heart rate high, 130", .english, .alarm(.high)))
    private let answer = SpeechOrder.speak(Utterance("heart rate 72", .english, .answer))

    init() throws { folder = try ScratchFolder() }

    private var path: String { folder.path + "/speechd.sock" }

    private func client(starter: [String] = [], replyLimit: Duration = .seconds(60)) -> SpeechClient {
        SpeechClient(
            path: path, starter: starter, loop: running.loop, replyLimit: replyLimit, startLimit: .seconds(600),
            onChange: { [states] in states.record($0) }, onRepetition: { [repetitions] in repetitions.record(1) })
    }

    @Test("reaches it as its protocol says")
    func transcript() async throws {
        let dispatcher = try StandInDispatcher(path: path)
        let client = client()
        await client.begin()
        try await awaitCondition("it is known") { states.elements == [.working] }
        await client.carryOut([answer])
        // An alarm overtakes an answer that the dispatcher has not taken yet.
        try await awaitCondition("the answer is spoken") { dispatcher.received.last == "." }
        await client.carryOut([alarm])
        try await awaitCondition("all is spoken") { dispatcher.received.last == "." && dispatcher.received.count > 9 }
        #expect(
            dispatcher.received == [
                "SET self CLIENT_NAME user:bedside:main", "SET self LANGUAGE en", "SET self PRIORITY text", "SPEAK",
                "heart rate 72", ".", "SET self PRIORITY important", "SPEAK", "alarm: heart rate high, 130", ".",
            ])
        await client.carryOut([.silenceAlarms])
        try await awaitCondition("it is cancelled") { dispatcher.received.last == "CANCEL self" }
        await client.close()
        #expect(repetitions.count == 0)
    }

    @Test("is missed where there is none, and the alarm is asked for again as it is when one has come")
    func late() async throws {
        let client = client()
        await client.carryOut([alarm])
        try await awaitCondition("it is known") {
            states.elements == [.unavailable(reason: "speech-dispatcher does not run")]
        }
        let dispatcher = try StandInDispatcher(path: path)
        try await awaitCondition("the alarm is spoken, or asked for") {
            dispatcher.received.contains("alarm: heart rate high, 130") || repetitions.count == 1
        }
        #expect(states.elements.last == .working)
        await client.close()
    }

    @Test("is not tried again for nobody: after an answer that nobody could hear, and an alarm that is over")
    func quiet() async throws {
        let client = client()
        await client.carryOut([alarm, .silenceAlarms])
        try await awaitCondition("it is known") { states.count == 1 }
        #expect(await !client.isRetrying)
        await client.begin()
        #expect(await !client.isRetrying)
        await client.carryOut([alarm])
        #expect(await client.isRetrying)
        await client.close()
        #expect(await !client.isRetrying)
    }

    @Test("is lost when it ends, and the alarm that stands is asked for again when it is back")
    func disappears() async throws {
        let client = client()
        do {
            let dispatcher = try StandInDispatcher(path: path)
            await client.carryOut([alarm])
            try await awaitCondition("it is spoken") { dispatcher.received.last == "." }
            dispatcher.end()
        }
        try await awaitCondition("the loss is known") {
            states.elements.contains(.unavailable(reason: "speech-dispatcher has ended the connection"))
        }
        let second = try StandInDispatcher(path: path)
        try await awaitCondition("the alarm is asked for") { repetitions.count == 1 }
        await client.carryOut([alarm])
        try await awaitCondition("it is spoken again") { second.received.contains("alarm: heart rate high, 130") }
        await client.close()
    }

    @Test("is given up when it hangs, at any step", arguments: 0...4)
    func hangs(replies: Int) async throws {
        let dispatcher = try StandInDispatcher(path: path, replies: replies)
        let client = client(replyLimit: .milliseconds(50))
        await client.carryOut([alarm])
        try await awaitCondition("it is given up") {
            states.elements.contains(.unavailable(reason: "speech-dispatcher does not answer"))
        }
        try await awaitCondition("it is tried again") { dispatcher.connectionCount > 1 }
        await client.close()
    }

    @Test("is given up when it says what no dispatcher says, or floods")
    func nonsense() async throws {
        for words in ["HTTP/1.1 400 Bad Request\r\n", String(repeating: "2", count: 1_000_000)] {
            let dispatcher = try StandInDispatcher(path: path, reply: words)
            let client = client()
            await client.carryOut([alarm])
            try await awaitCondition("it is given up") {
                if case .unavailable = states.elements.last { true } else { false }
            }
            await client.close()
            dispatcher.end()
        }
    }

    @Test("is given up when it accepts no connection")
    func full() async throws {
        let bus = try HangingBus(.fullQueue, path: path)
        let client = client()
        await client.carryOut([alarm])
        try await awaitCondition("it is known") {
            states.elements == [.unavailable(reason: "speech-dispatcher does not answer")]
        }
        await client.close()
        withExtendedLifetime(bus) {}
    }

    @Test("is started where it does not run, once for each attempt")
    func started() async throws {
        let client = client(starter: ["/bin/sh", "-c", "echo x >>'\(folder.path)/starts'"])
        await client.begin()
        try await awaitCondition("it could not be started") {
            states.elements == [.unavailable(reason: "speech-dispatcher does not run")]
        }
        #expect(try String(contentsOfFile: folder.path + "/starts", encoding: .utf8) == "x\n")
        let dispatcher = try StandInDispatcher(path: path)
        await client.carryOut([answer])
        try await awaitCondition("it is spoken") { dispatcher.received.contains("heart rate 72") }
        await client.close()
    }

    @Test("is waited for while it starts, and then has what was to be spoken meanwhile")
    func starting() async throws {
        let client = client(starter: ["/bin/sh", "-c", "until test -e '\(folder.path)/go'; do sleep 0.02; done"])
        await client.begin()
        await client.carryOut([alarm])
        #expect(states.elements.isEmpty)
        let dispatcher = try StandInDispatcher(path: path)
        _ = try folder.write("", to: "go")
        try await awaitCondition("it works") { states.elements == [.working] }
        try await awaitCondition("the alarm is spoken, or asked for") {
            dispatcher.received.contains("alarm: heart rate high, 130") || repetitions.count == 1
        }
        await client.close()
    }

    @Test(
        "is looked for where its manual says",
        arguments: [
            (["XDG_RUNTIME_DIR": "/run/user/1000"], "/run/user/1000/speech-dispatcher/speechd.sock"),
            (["HOME": "/h"], "/h/.cache/speech-dispatcher/speechd.sock"),
            (["HOME": "/h", "XDG_CACHE_HOME": "/c"], "/c/speech-dispatcher/speechd.sock"),
            (["SPEECHD_ADDRESS": "unix_socket:/x/s", "XDG_RUNTIME_DIR": "/r"], "/x/s"),
            (["SPEECHD_ADDRESS": "inet_socket:host:6560", "XDG_RUNTIME_DIR": "/r"], nil),
            (["XDG_RUNTIME_DIR": "relative"], nil), ([:], nil),
        ] as [([String: String], String?)])
    func place(environment: [String: String], path: String?) {
        #expect(SpeechSocket.path { environment[$0] } == path)
    }
}
