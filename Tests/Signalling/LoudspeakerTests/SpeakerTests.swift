import Foundation
import Testing
import TestSupport

@testable import Loudspeaker
@testable import Sounds

@Suite("The process that sounds, and its supervision", .startsPrograms)
struct SpeakerTests {
    /// The program, built beside the tests.
    static let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().appendingPathComponent("bedside").path

    private let running = RunningLoop()
    private let states = Recorder<Speaker.State>()
    private let alarm = SoundOrder.play(.alarm(AlarmSound(.high, .cardiac)))

    /// Writes a configuration of ALSA whose only output is a file; answers its path.
    static func writeConfiguration(in folder: ScratchFolder) throws -> String {
        try folder.write(
            """
            pcm.null { type null }
            pcm.default { type file slave.pcm "null" file "\(folder.path)/heard.wav" format "wav" }

            """, to: "alsa.conf")
    }

    private func speaker(_ command: [String]) -> Speaker {
        Speaker(command: command, loop: running.loop, mayHaveSound: { true }) { [states] in states.record($0) }
    }

    private func realSpeaker(_ folder: ScratchFolder) throws -> Speaker {
        let configuration = try Self.writeConfiguration(in: folder)
        return speaker([
            "/usr/bin/env", "ALSA_CONFIG_PATH=\(configuration)", Self.program, SpeakerProcess.command,
        ])
    }

    private func shell(_ script: String) -> Speaker { speaker(["/bin/sh", "-c", script]) }

    @Test("it works where there is a sound card, and plays an alarm that was ordered before it was ready")
    func works() async throws {
        let folder = try ScratchFolder()
        let speaker = try realSpeaker(folder)
        await speaker.begin()
        await speaker.carryOut([alarm])
        try await awaitCondition("it works") { states.elements.last == .working }
        await speaker.close()
        try await awaitCondition("its process has ended") { await speaker.processNumber == nil }
    }

    @Test("a process that is killed 50 times during an alarm sounds again each time")
    func killed() async throws {
        let folder = try ScratchFolder()
        let speaker = try realSpeaker(folder)
        await speaker.begin()
        await speaker.carryOut([alarm])
        for round in 1...50 {
            try await awaitCondition("it sounds for the \(round)th time") {
                states.elements.filter { $0 == .working }.count == round
            }
            kill(try #require(await speaker.processNumber), SIGKILL)
        }
        try await awaitCondition("it sounds again") { states.elements.filter { $0 == .working }.count == 51 }
        #expect(states.elements.contains(.lost(reason: "the process that sounds has ended")))
        await speaker.close()
    }

    @Test("where there is no sound card it says so")
    func noCard() async throws {
        let speaker = speaker([
            "/usr/bin/env", "ALSA_CONFIG_PATH=/dev/null", Self.program, SpeakerProcess.command,
        ])
        await speaker.begin()
        // On a busy computer it may have taken too long to answer before.
        try await awaitCondition("it has answered") { states.elements.last == .unavailable(reason: "no sound card") }
        await speaker.close()
    }

    @Test("where nothing shows that there may be sound no process is started, until a card appears")
    func noEvidence() async throws {
        let (cards, hasSound) = (try ScratchFolder(), Recorder<Bool>())
        let speaker = Speaker(
            command: ["/bin/sh", "-c", "echo ready; cat >/dev/null"], loop: running.loop, cardFolder: cards.path,
            mayHaveSound: { hasSound.count > 0 }
        ) { [states] in states.record($0) }
        await speaker.begin()
        #expect(states.elements == [.unavailable(reason: "no sound card")])
        #expect(await speaker.processNumber == nil)
        hasSound.record(true)
        _ = try cards.write("", to: "pcmC0D0p")
        try await awaitCondition("the card is used") { states.elements.last == .working }
        await speaker.close()
    }

    @Test("a sound system that hangs is given up, and tried again while an alarm sounds")
    func hangs() async throws {
        let folder = try ScratchFolder()
        let speaker = shell("echo x >>'\(folder.path)/starts'; echo ready; exec sleep 1000")
        await speaker.carryOut([alarm])
        try await awaitCondition("it is given up") {
            states.elements.contains(.unavailable(reason: "the sound system does not answer"))
        }
        try await awaitCondition("it is tried again") {
            (try? String(contentsOfFile: folder.path + "/starts", encoding: .utf8))?.count ?? 0 >= 4
        }
        await speaker.close()
        try await awaitCondition("its process has ended") { await speaker.processNumber == nil }
    }

    @Test("orders for a process that reads nothing never wait")
    func full() async throws {
        let speaker = shell("echo ready; exec sleep 1000")
        await speaker.begin()
        try await awaitCondition("it is ready") { states.elements.last == .working }
        let pulse = SoundOrder.stopPulse
        await speaker.carryOut([SoundOrder](repeating: pulse, count: 20_000))
        try await awaitCondition("it is given up") {
            states.elements.contains(.lost(reason: "the sound system does not answer"))
        }
        await speaker.close()
    }

    @Test("after an answered alarm a new process is silent")
    func answered() async throws {
        let folder = try ScratchFolder()
        let speaker = shell("echo ready; cat >>'\(folder.path)/orders'")
        await speaker.carryOut([alarm, .stop])
        await speaker.begin()
        try await awaitCondition("it is ready") { states.elements.last == .working }
        await speaker.carryOut([.stopPulse])
        let orders = folder.path + "/orders"
        try await awaitCondition("it has its orders") {
            (try? String(contentsOfFile: orders, encoding: .utf8))?.hasSuffix("stop-pulse\n") ?? false
        }
        #expect(try String(contentsOfFile: orders, encoding: .utf8) == "volume 80\nstop-pulse\n")
        await speaker.close()
    }

    @Test("a card that is pulled out while nothing sounds is missed at once, and used when it is back")
    func cards() async throws {
        let (folder, cards) = (try ScratchFolder(), try ScratchFolder())
        let configuration = try Self.writeConfiguration(in: folder)
        let complete = try String(contentsOfFile: configuration, encoding: .utf8)
        /// Changes what ALSA finds, and then what the system shows.
        func change(_ text: String, card number: Int) throws {
            let new = try folder.write(text, to: "new.conf")
            #expect(rename(new, configuration) == 0)
            _ = try cards.write("", to: "pcmC\(number)D0p")
        }
        let speaker = Speaker(
            command: [
                "/usr/bin/env", "ALSA_CONFIG_PATH=\(configuration)", Self.program, SpeakerProcess.command, cards.path,
            ], loop: running.loop, cardFolder: cards.path, mayHaveSound: { true }
        ) { [states] in states.record($0) }
        await speaker.begin()
        try await awaitCondition("it works") { states.elements.last == .working }
        try change("", card: 0)
        try await awaitCondition("the card is missed") { states.elements.last == .lost(reason: "no sound card") }
        try change(complete, card: 1)
        try await awaitCondition("the card is back") { states.elements.last == .working }
        await speaker.close()
    }
}

@Suite("When the process that sounds is started again", .startsPrograms)
struct SpeakerRetryTests {
    @Test("a process that is killed 50 times during an alarm is started again after 100 ms each time")
    func killed() {
        var delays = SpeakerRetry()
        for _ in 0..<50 {
            delays.worked()
            #expect(delays.failed(whileSounding: true) == .milliseconds(100))
        }
    }

    @Test("a second attempt during an alarm comes within two seconds, however often it has failed before")
    func failing() {
        var delays = SpeakerRetry()
        delays.worked()
        var waits: [Duration] = []
        for _ in 0..<100 { waits.append(delays.failed(whileSounding: true)) }
        #expect(Array(waits.prefix(5)) == [100, 200, 400, 800, 1000].map { Duration.milliseconds($0) })
        #expect(waits.allSatisfy { $0 <= .seconds(1) })
    }

    @Test("where nothing could be heard before, and while nothing sounds, attempts become rare")
    func rare() {
        var (elsewhere, quiet) = (SpeakerRetry(), SpeakerRetry())
        quiet.worked()
        var last = (Duration.zero, Duration.zero)
        for _ in 0..<100 {
            let next = (elsewhere.failed(whileSounding: true), quiet.failed(whileSounding: false))
            #expect(next.0 >= last.0 && next.1 >= last.1)
            last = next
        }
        #expect(last == (.seconds(10), .seconds(60)))
        #expect(quiet.failed(whileSounding: true) == .seconds(1), "an alarm does not wait a minute")
        quiet.worked()
        #expect(quiet.failed(whileSounding: false) == .seconds(1))
    }
}
