import Foundation
import TestSupport
import Testing

/// `bedside record`: a monitor in the background.
@Suite("bedside record", .startsPrograms)
struct RecordTests {
    private static let connectAll = ["record", "--simulate=steady", "--connect", "all"]

    @Test("says when it is ready, how it is, that it is alive, and when it ends; and no child speaks in its name")
    func serviceManager() async throws {
        let manager = try await ServiceManagerSocket.open()
        let record = try await ProgramWithPipes.start(
            Self.connectAll, environment: ["NOTIFY_SOCKET": manager.path, "WATCHDOG_USEC": "1000000"])
        try await manager.waitUntil("three sensors are connected") { messages in
            messages.contains { $0.hasPrefix("STATUS=3 sensors connected") }
        }
        try await manager.waitUntil("it proves to be alive again and again") { messages in
            messages.count { $0 == "WATCHDOG=1" } > 3
        }
        await record.send(signal: SIGHUP)
        try await manager.waitUntil("it reads its configuration") { messages in
            messages.contains { $0.hasPrefix("RELOADING=1\nMONOTONIC_USEC=") }
                && messages.count { $0 == "READY=1" } == 2
        }
        await record.send(signal: SIGTERM)
        let outcome = try await record.waitForExit()
        #expect(outcome.status == .exited(0))
        #expect(outcome.output.isEmpty)
        // What it said last may be read a little later than its end is noticed.
        try await manager.waitUntil("it has said that it ends") { $0.last == "STOPPING=1" }
        let messages = await manager.messages
        #expect(messages.first == "READY=1")
        // The simulator's message bus, which was started by it, would say that it is ready as well.
        #expect(messages.count { $0.hasPrefix("READY=1") } == 2)
    }

    @Test("logs few lines: its start, sensors, alarms, its end; with priorities for a journal")
    func lines() async throws {
        let world = try await World.simulated("steady")
        let folder = try TemporaryFolder()
        let log = folder.path + "/log"
        // The journal is known by its inode.
        let record = try await ProgramWithPipes.start(
            [
                "-c", "export JOURNAL_STREAM=$(stat --format %d:%i \"$1\"); exec \"$0\" record --connect all 2>>\"$1\"",
                Harness.program, try folder.write("", to: "log"),
            ], on: world, environment: ["XDG_DATA_HOME": folder.path], program: "/bin/sh")
        func text() throws -> String { try String(contentsOfFile: log, encoding: .utf8) }
        try await world.waitUntil("all are connected") {
            try text().components(separatedBy: " connected\n").count == 4
        }
        try await world.please("temp 39.5")
        try await world.waitUntil("the fever is reported") { try text().contains("ALARM, high priority: ") }
        try await world.please("drop hr")
        try await world.waitUntil("the link is reported") { try text().contains("reconnecting; link lost") }
        await record.send(signal: SIGTERM)
        #expect(try await record.waitForExit().status == .exited(0))
        let lines = try text().split(separator: "\n")
        #expect(lines.first?.hasPrefix("<5>bedside ") == true)
        #expect(lines.last == "<5>SIMULATED bedside ends; monitoring has stopped")
        #expect(lines.contains { $0.hasPrefix("<2>SIMULATED ALARM, high priority: ") })
        #expect(lines.contains { $0.hasPrefix("<6>SIMULATED ") && $0.hasSuffix(" connected") })
        #expect(lines.allSatisfy { $0.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F } })
        // Values are recorded, and not reported.
        #expect(!lines.contains { $0.contains("bpm") })
        let rows = try await SQLiteTool.rows(
            "SELECT count(DISTINCT vital) FROM readings", in: folder.path + "/bedside/simulated/store.sqlite")
        #expect(rows == [["4"]])
    }

    @Test("reads its configuration again on request, and keeps the former one if the file is wrong")
    func reload() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("", to: "bedside.toml")
        let record = try await ProgramWithPipes.start(Self.connectAll + ["--config", file])
        try await record.waitForWarning("CORE [1A] connected")
        _ = try folder.write("[limits.heart_rate]\nhigh = 60\nhigh_delay = \"0s\"\n", to: "bedside.toml")
        await record.send(signal: SIGHUP)
        try await record.waitForWarning("the configuration was read again")
        try await record.waitForWarning("ALARM, medium priority: ")
        _ = try folder.write("[limits.heart_rate]\nhigh = \"much\"\nlow = \"little\"\n", to: "bedside.toml")
        await record.send(signal: SIGHUP)
        try await record.waitForWarning("the earlier settings still hold: \(file):2:8: high: ")
        try await record.waitForWarning("; \(file):3:7: low: ")
        await record.send(signal: SIGTERM)
        let outcome = try await record.waitForExit()
        #expect(outcome.status == .exited(0))
        #expect(!outcome.errorOutput.contains("nothing was started"))
        #expect(!outcome.errorOutput.contains("\u{FFFD}"))
    }

    @Test("waits for a message bus where there is none, ends after its time, and refuses what it does not understand")
    func beginnings() async throws {
        #expect(try await ProgramWithPipes.run(["record", "--for", "1s"]).status == .exited(0))
        let waiting = try await ProgramWithPipes.start(["record"])
        try await waiting.waitForWarning("NO MESSAGE BUS")
        await waiting.send(signal: SIGTERM)
        #expect(try await waiting.waitForExit().status == .exited(0))
        #expect(try await ProgramWithPipes.run(["record", "--for", "soon"]).status == .exited(64))
        #expect(try await ProgramWithPipes.run(["record", "--systemd-unit=bedside"]).status == .exited(64))
    }

    @Test("prints a unit for the very command line, which systemd accepts")
    func unit() async throws {
        let outcome = try await ProgramWithPipes.run(
            ["record", "--connect", "Polar \"H10\" 100%", "--no-record", "--systemd-unit"])
        #expect(outcome.status == .exited(0))
        // A path with a space is quoted.
        let command = outcome.output.split(separator: "\n").first { $0.hasPrefix("ExecStart=") }
        let words = /ExecStart=("?)\/.*\/bedside\1 record "--connect=Polar \\"H10\\" 100%%" --no-record/
        #expect(command?.wholeMatch(of: words) != nil, "\(command ?? "none")")
        let folder = try TemporaryFolder()
        let file = try folder.write(outcome.output, to: "bedside.service")
        let analyzer = "/usr/bin/systemd-analyze"
        guard FileManager.default.isExecutableFile(atPath: analyzer) else {
            print("NOT CHECKED: the systemd unit, because there is no \(analyzer) (Debian package systemd)")
            return
        }
        let verdict = try await ProgramWithPipes.run(["verify", "--user", file], program: analyzer)
        #expect(verdict.status == .exited(0), "\(verdict.errorOutput)")
        #expect(verdict.errorOutput.isEmpty, "\(verdict.errorOutput)")
        // In tenths: what a user's service manager can restrict without privileges, and no less.
        let exposure = try await ProgramWithPipes.run(
            ["security", "--offline=true", "--threshold=63", file], program: analyzer)
        #expect(exposure.status == .exited(0), "\(exposure.output.suffix(200))")
    }

    @Test("prints a hardened unit, which systemd accepts with an exposure below 3.0")
    func hardenedUnit() async throws {
        let outcome = try await ProgramWithPipes.run(["record", "--connect", "all", "--systemd-unit", "--hardened"])
        #expect(outcome.status == .exited(0))
        #expect(outcome.output.contains(/\/bedside"? record --connect=all\n/))
        #expect(try await ProgramWithPipes.run(["record", "--hardened"]).status == .exited(64))
        let folder = try TemporaryFolder()
        let file = try folder.write(outcome.output, to: "bedside.service")
        let analyzer = "/usr/bin/systemd-analyze"
        guard FileManager.default.isExecutableFile(atPath: analyzer) else {
            return print("NOT CHECKED: the hardened unit, because there is no \(analyzer) (Debian package systemd)")
        }
        let verdict = try await ProgramWithPipes.run(["verify", "--user", file], program: analyzer)
        #expect(verdict.status == .exited(0), "\(verdict.errorOutput)")
        #expect(verdict.errorOutput.isEmpty, "\(verdict.errorOutput)")
        let exposure = try await ProgramWithPipes.run(
            ["security", "--offline=true", "--threshold=29", file], program: analyzer)
        #expect(exposure.status == .exited(0), "\(exposure.output.suffix(200))")
    }

    @Test("gives up new privileges, in all of its threads, unless a command for alarms may need them")
    func privileges() async throws {
        let world = try await World.simulated("steady")
        for (hook, expected) in [("", "1"), ("true", "0")] {
            let folder = try TemporaryFolder()
            let (number, configuration) = (folder.path + "/number", "[alarms]\nhook = \"\(hook)\"\n")
            let record = try await ProgramWithPipes.start(
                [
                    "-c", "echo $$ >\"$1\"; exec \"$0\" record --connect all --config \"$2\"", Harness.program, number,
                    try folder.write(configuration, to: "configuration"),
                ], on: world, environment: ["XDG_DATA_HOME": folder.path], program: "/bin/sh")
            func threads() throws -> [String] {
                let process = try String(contentsOfFile: number, encoding: .utf8).dropLast()
                let tasks = "/proc/\(process)/task"
                // A thread may have ended meanwhile.
                return try FileManager.default.contentsOfDirectory(atPath: tasks).compactMap { thread in
                    (try? String(contentsOfFile: "\(tasks)/\(thread)/status", encoding: .utf8))?
                        .firstMatch(of: #/NoNewPrivs:\t(.)/#).map { String($0.1) }
                }
            }
            // Its threads are there: the first one, that of the signals and that of the store.
            try await world.waitUntil("it monitors") { ((try? threads()) ?? []).count >= 3 }
            #expect(Set(try threads()) == [expected], "with the hook '\(hook)'")
            await record.send(signal: SIGTERM)
            #expect(try await record.waitForExit().status == .exited(0))
        }
    }
}
