import Foundation
import TestSupport
import Testing

/// What alarms sound like, with a sound card that is a file.
@Suite("Sound")
struct SoundTests {
    /// The number of the process that sounds; `nil` while there is none.
    private func speaker(of bedside: Int32) -> Int32? {
        let tasks = "/proc/\(bedside)/task"
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []
        for thread in threads {
            let children = (try? String(contentsOfFile: "\(tasks)/\(thread)/children", encoding: .utf8)) ?? ""
            for child in children.split(separator: " ") {
                let command = (try? String(contentsOfFile: "/proc/\(child)/cmdline", encoding: .utf8)) ?? ""
                if command.contains("speaker-process") { return Int32(child) }
            }
        }
        return nil
    }

    /// A sound card that writes what would be heard into a file; returns the path of ALSA's configuration.
    private func card(in folder: TemporaryFolder, writing heard: String, as format: String) throws -> String {
        try folder.write(
            """
            pcm.null { type null }
            pcm.default { type file slave.pcm "null" file "\(heard)" format "\(format)" }

            """, to: "alsa.conf")
    }

    @Test("comes from the speakers where there are any; a killed process is replaced, and the bell rings meanwhile")
    func speakers() async throws {
        let world = try await World.simulated("steady")
        let folder = try TemporaryFolder()
        let heard = folder.path + "/heard.wav"
        let configuration = try card(in: folder, writing: heard, as: "wav")
        let bedside = try await ProgramInTerminal.start(
            ["--connect", Steady.thermometer, "--set", "limits.body_temperature.high_delay=0s"], on: world,
            environment: ["ALSA_CONFIG_PATH": configuration], columns: 140, rows: 40)
        try await bedside.waitFor("36.8")
        try await bedside.waitFor("SOUND: speakers")
        try await world.please("temp 38.2")
        try await world.waitUntil("samples are heard") {
            // More than the header of the file.
            (FileManager.default.contents(atPath: heard)?.count ?? 0) > 1000
        }
        #expect(await !bedside.hasWritten("\u{07}"))
        let process = await bedside.processIdentifier
        let first = try #require(speaker(of: process))
        kill(first, SIGKILL)
        try await world.waitUntil("the bell has rung") { await bedside.hasWritten("\u{07}") }
        try await world.waitUntil("another process sounds") {
            speaker(of: process).map { $0 != first } ?? false
        }
        try await bedside.waitFor("SOUND: speakers")
        #expect(try await bedside.quit() == .exited(0))
    }

    @Test("is the bell alone where there is no sound card, and the header says so")
    func bellOnly() async throws {
        let world = try await World.simulated("steady")
        let bedside = try await ProgramInTerminal.start(
            ["--connect", Steady.thermometer], on: world, columns: 140, rows: 40)
        try await bedside.waitFor("36.8")
        try await bedside.waitFor("SOUND: bell only")
        #expect(try await bedside.quit() == .exited(0))
    }

    @Test("comes back each time when its process is killed 50 times during an alarm, and readings go on")
    func killed() async throws {
        let world = try await World.simulated("steady")
        let folder = try TemporaryFolder()
        let heard = folder.path + "/heard.raw"
        let configuration = try card(in: folder, writing: heard, as: "raw")
        let watch = try await ProgramWithPipes.start(
            [
                "watch", "--json", "--sound", "--connect", "all", "--set", "limits.body_temperature.high_delay=0s",
            ], on: world, environment: ["ALSA_CONFIG_PATH": configuration])
        try await world.please("temp 38.2")
        func isHeard() -> Bool { FileManager.default.contents(atPath: heard)?.contains { $0 != 0 } ?? false }
        try await world.waitUntil("the alarm sounds") { isHeard() }
        let process = await watch.processIdentifier
        for round in 1...50 {
            // The next process writes a file of its own.
            try FileManager.default.removeItem(atPath: heard)
            kill(try #require(speaker(of: process)), SIGKILL)
            try await world.waitUntil("it sounds for the \(round)th time again") { isHeard() }
        }
        await watch.send(signal: SIGTERM)
        let outcome = try await watch.waitForExit()
        #expect(outcome.status == .exited(0))
        // What the program would say by its own clock, had a reading been lost, or had the program stood still.
        let lines = outcome.output.split(separator: "\n")
        for trouble in ["not_monitored", "readings_dropped", "\"event\":\"gap\"", "\"silent\"", "\"link_lost\""] {
            #expect(!lines.contains { $0.contains(trouble) }, "\(trouble)")
        }
        #expect(lines.filter { $0.contains("\"event\":\"reading\"") }.count >= 10)
    }

    @Test("is spoken where the settings say so: values at a key, and alarms until they are answered")
    func speech() async throws {
        let world = try await World.simulated("steady")
        let folder = try TemporaryFolder()
        let dispatcher = try StandInDispatcher(path: folder.path + "/speech.sock")
        let bedside = try await ProgramInTerminal.start(
            [
                "--connect", Steady.thermometer, "--set", "limits.body_temperature.high_delay=0s", "--set",
                "alarms.speech=de",
            ], on: world, environment: ["SPEECHD_ADDRESS": "unix_socket:\(folder.path)/speech.sock"], columns: 140,
            rows: 40)
        try await bedside.waitFor("36.8")
        await bedside.type("Y")
        let values = "simuliert: Temperatur 36,8"
        try await bedside.waitFor("Spoken: \(values).")
        try await world.waitUntil("the values are spoken") { dispatcher.received.contains(values) }
        try await world.please("temp 38.2")
        let alarm = "simuliert: Alarm: Temperatur hoch, 38,2"
        try await world.waitUntil("the alarm is spoken") { dispatcher.received.contains(alarm) }
        await bedside.type("p")
        try await world.waitUntil("it falls silent") { dispatcher.received.last == "CANCEL self" }
        dispatcher.end()
        try await bedside.waitFor("Alarms are not spoken: speech-dispatcher has ended the connection.")
        #expect(try await bedside.quit() == .exited(0))
    }
}
