import Foundation
import Glibc
import LineSocket
import TestSupport
import Testing

/// The socket of the real program, and those who misuse it.
@Suite("The socket of the program", .startsPrograms)
struct SocketTests {
    private let session: TemporaryFolder
    private let bus: PrivateBusDaemon
    private var environment: [String: String] {
        [
            "XDG_RUNTIME_DIR": session.path + "/run", "XDG_STATE_HOME": session.path + "/state",
            "DBUS_SYSTEM_BUS_ADDRESS": bus.address,
        ]
    }
    private var socket: String { session.path + "/run/bedside/monitor.sock" }

    init() throws {
        session = try TemporaryFolder()
        bus = try PrivateBusDaemon()
        mkdir(session.path + "/run", 0o700)
    }

    private func monitor(_ options: [String] = []) async throws -> ProgramWithPipes {
        let monitor = try await ProgramWithPipes.start(["record"] + options, environment: environment)
        try await monitor.waitForWarning("Bluetooth")
        return monitor
    }

    private func status() async throws -> ProgramWithPipes.Outcome {
        try await ProgramWithPipes.run(["status"], environment: environment)
    }

    @Test("is made again when the session's folder was removed, and the lock is looked at before none is said to run")
    func removed() async throws {
        let record = try await monitor()
        let follower = try await ProgramWithPipes.start(["status", "--follow"], environment: environment)
        #expect(try await follower.nextLine()?.contains("nothing is measured") == true)
        try FileManager.default.removeItem(atPath: session.path + "/run/bedside")
        // Until it is there again no program may say that no monitor runs.
        let early = try await status()
        #expect(early.status == .exited(0) || early.status == .exited(69), "\(early)")
        #expect(!early.errorOutput.contains("No monitor"))
        try await awaitCondition("it is there again") { try await status().status == .exited(0) }
        // The whole folder, and a file in its place, as where the user may make none: it is elsewhere, and found there.
        try FileManager.default.removeItem(atPath: session.path + "/run")
        _ = try session.write("", to: "run")
        try await awaitCondition("it is found elsewhere") { try await status().status == .exited(0) }
        await record.send(signal: SIGTERM)
        #expect(try await record.waitForExit().status == .exited(0))
        #expect(try await status().status == .exited(3))
        await follower.send(signal: SIGTERM)
        #expect(try await follower.waitForExit().status == .exited(0))
    }

    @Test("answers though its places are taken, by silent ones and by many who follow")
    func crowded() async throws {
        let record = try await monitor()
        let silent = try (0..<60).map { _ in try LineSocketClient(path: socket, within: .seconds(60)) }
        try await awaitCondition("it answers") { try await status().status == .exited(0) }
        let following = try (0..<60).map { _ in
            let client = try LineSocketClient(path: socket, within: .seconds(60))
            try client.send(Array("{\"ask\":\"status\",\"follow\":true}\n".utf8))
            _ = try? client.readLine(within: .seconds(60))
            return client
        }
        try await awaitCondition("it answers") { try await status().status == .exited(0) }
        // A screen has a place of its own.
        let screen = try await ProgramInTerminal.start(["--view"], environment: environment)
        try await screen.waitUntil("it is a view") { $0.lines[0].contains("VIEW of bedside record") }
        #expect(try await screen.quit() == .exited(0))
        withExtendedLifetime((silent, following)) {}
        await record.send(signal: SIGTERM)
        #expect(try await record.waitForExit().status == .exited(0))
    }

    /// The socket of somebody who has attached, and what the monitor has said.
    private func attached() throws -> LineSocketClient {
        func attach(_ form: String) throws -> (LineSocketClient, [String: Any]) {
            let client = try LineSocketClient(path: socket, within: .seconds(60))
            try client.send(Array("{\"attach\":{\"form\":\"\(form)\"}}\n".utf8))
            let line = try client.readLine(within: .seconds(60))
            let object = try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any]
            let hello = try #require((object?["hello"] as? [String: Any])?["_0"] as? [String: Any])
            return (client, hello)
        }
        let form = try #require(try attach("?").1["form"] as? String)
        let client = try attach(form).0
        _ = try client.readLine(within: .seconds(60))
        return client
    }

    /// The line of a wish about the patient.
    private func wish(_ text: String) -> [UInt8] {
        Array("{\"wish\":{\"_0\":{\"patient\":{\"_0\":\(text)}}}}\n".utf8)
    }

    private func notice(_ client: LineSocketClient) throws -> String {
        while true {
            let line = String(decoding: try client.readLine(within: .seconds(60)), as: UTF8.self)
            // Settings have a duration of this name.
            if line.hasPrefix("{\"notice\"") { return line }
        }
    }

    @Test("refuses an entry that would have killed the monitor, and continues after a flood of wishes")
    func hostile() async throws {
        let record = try await monitor()
        let client = try attached()
        var clock = timespec()
        clock_gettime(CLOCK_BOOTTIME, &clock)
        let wall = Int(Date().timeIntervalSince1970 * 1000)
        let now = "{\"monotonicNanoseconds\":\(clock.tv_sec * 1_000_000_000),\"wallMilliseconds\":\(wall)}"
        let count = "{\"perMicrolitre\":4611686018427387904,\"sampledAt\":\(wall),\"enteredBy\":\"\"}"
        let content = "{\"neutrophils\":{\"_0\":\(count)}}"
        let facts = "{\"isTimeKnown\":true,\"quality\":\"good\",\"mayBeStored\":false}"
        try client.send(
            wish(
                "{\"enter\":{\"_0\":{\"content\":\(content),\"source\":{\"typed\":{}},\"facts\":\(facts),\"taken\":\(now),\"enteredAt\":\(now),\"retractionReason\":\"\"}}}"
            ))
        #expect(try notice(client).contains("Not done: no blood has such a count"))
        for _ in 0..<200 { try client.send(wish("{\"pauseAudio\":{}}")) }
        #expect(try notice(client).contains("too much at once"))
        try await awaitCondition("it answers") { try await status().status == .exited(0) }
        await record.send(signal: SIGTERM)
        #expect(try await record.waitForExit().status == .exited(0))
    }

    @Test("lets views only look where the settings say so, and a view's key says that, too")
    func lookingOnly() async throws {
        let record = try await monitor(["--set", "views.control=false"])
        let client = try attached()
        try client.send(wish("{\"acknowledgeAll\":{}}"))
        #expect(try notice(client).contains("lets views only look (views.control = false)"))
        let view = try await ProgramInTerminal.start(["--view"], environment: environment)
        try await view.waitUntil("it is a view") { $0.lines[0].contains("VIEW of bedside record") }
        // A view whose monitor is not heard for three seconds, as on a busy computer, pauses its own sound.
        try await view.waitUntil("its key is refused", pressing: "p") {
            $0.shows("lets views only look") && !$0.shows("SOUND PAUSED")
        }
        await view.type("q")
        #expect(try await view.waitForExit() == .exited(0))
        await record.send(signal: SIGTERM)
        #expect(try await record.waitForExit().status == .exited(0))
    }

    @Test("is waited for quietly by lines that find no monitor: each sentence comes once")
    func quiet() async throws {
        let lines = try await ProgramWithPipes.start(["watch", "--view", "--for", "5s"], environment: environment)
        let outcome = try await lines.waitForExit()
        #expect(outcome.status == .exited(0))
        #expect(outcome.errorOutput.split(separator: "\n").count == 1, "\(outcome.errorOutput)")
        #expect(outcome.errorOutput.contains("NO MONITOR: the monitor does not run. Trying to reconnect every second."))
        #expect(outcome.output.split(separator: "\n").count { $0.contains("ALARM") } == 1)
    }
}
