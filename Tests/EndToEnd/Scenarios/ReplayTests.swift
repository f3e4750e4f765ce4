import Foundation
import TestSupport
import Testing

/// What was recorded, or captured, played by the real program.
@Suite("A replay", .startsPrograms)
struct ReplayTests {
    /// What `btmon -w` wrote beside the real bluetoothd, and what `bedside watch --json` printed meanwhile.
    private static let captures = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Sensing/ReplayTests/Captures")
        .path
    private static let capture = captures + "/steady-room.btsnoop"

    private func lines(_ words: [String]) async throws -> [String] {
        let outcome = try await ProgramWithPipes.run(["replay"] + words + ["--json"])
        #expect(outcome.status == .exited(0), "\(outcome.errorOutput)")
        #expect(outcome.errorOutput.isEmpty, "\(outcome.errorOutput)")
        return outcome.output.split(separator: "\n").map(String.init)
    }

    @Test("prints the same lines at any speed, each marked as a replay")
    func speeds() async throws {
        let fastest = try await lines([Self.capture])
        let parsed = try fastest.map { try WatchLine($0) }
        #expect(parsed.allSatisfy { $0.fields["replay"] as? Bool == true && $0.fields["simulated"] == nil })
        #expect(parsed.first?.event == "replay" && parsed.first?.text("state") == "started")
        #expect(parsed.last?.event == "replay" && parsed.last?.text("state") == "ended")
        #expect(parsed.count { $0.event == "reading" } > 150)
        for speed in ["20", "300"] { #expect(try await lines([Self.capture, "--speed", speed]) == fastest) }
        let second = try await lines([Self.capture, "--speed", "1", "--for", "10s"]).dropLast()
        #expect(second.count > 2)
        #expect(second.dropFirst() == fastest[1..<second.count])
    }

    @Test("raises the alarms that the live monitor raised, when it did")
    func likeLive() async throws {
        let text = try String(contentsOfFile: Self.captures + "/steady-room.jsonl", encoding: .utf8)
        func alarms(_ lines: [String]) throws -> [String] {
            try lines.map { try WatchLine($0) }.filter { $0.event == "alarm" }.map { line in
                let time = try #require(line.text("t"))
                // To the second, because bluetoothd takes some milliseconds to pass values on.
                return "\(time.prefix(19)) \(line.sensor) \(line.text("kind") ?? "") \(line.text("state") ?? "")"
            }
        }
        let live = try alarms(text.split(separator: "\n").map(String.init))
        #expect(live.count >= 10)
        #expect(try alarms(await lines([Self.capture])).prefix(live.count) == live[...])
    }

    @Test("of what the program itself recorded gives the values that it printed")
    func ownRecord() async throws {
        let home = try TemporaryFolder()
        let watch = try await ProgramWithPipes.run(
            ["watch", "--json", "--simulate=steady", "--connect", "all", "--count", "12"],
            environment: ["XDG_DATA_HOME": home.path])
        let printed = try watch.output.split(separator: "\n").map { try WatchLine(String($0)) }
            .filter { $0.isFromSensor }
        func key(_ line: WatchLine) -> String {
            "\(line.text("t") ?? "") \(line.sensor) \(line.text("vital") ?? "") \(line.number("value") ?? 0) \(line.text("site") ?? "")"
        }
        for operands in [[], [home.path + "/bedside/simulated/store.sqlite"]] {
            let replay = try await ProgramWithPipes.run(
                ["replay", "--simulate", "--json"] + operands, environment: ["XDG_DATA_HOME": home.path])
            #expect(replay.status == .exited(0), "\(replay.errorOutput)")
            let played = try replay.output.split(separator: "\n").map { try WatchLine(String($0)) }
            #expect(played.allSatisfy { $0.fields["replay"] as? Bool == true })
            #expect(played.allSatisfy { $0.fields["simulated"] as? Bool == true })
            #expect(Set(printed.map(key)).isSubset(of: Set(played.filter { $0.isFromSensor }.map(key))))
        }
    }

    @Test("says in text, too, that nothing of it happens now")
    func text() async throws {
        let outcome = try await ProgramWithPipes.run(["replay", Self.capture, "--lines"])
        let lines = outcome.output.split(separator: "\n")
        #expect(lines.count > 10)
        #expect(lines.allSatisfy { $0.contains("REPLAY") }, "\(outcome.output)")
        #expect(lines.first?.contains("REPLAY of 2026-11-22") == true)
        #expect(lines.last?.contains("END OF REPLAY") == true)
        #expect(outcome.output.contains("ALARM, high priority: Fever"))
    }

    @Test("says so on every page and at every size, stops, continues, goes back, and ends plainly")
    func screen() async throws {
        let bedside = try await ProgramInTerminal.start(["replay", Self.capture, "--speed", "max"])
        try await bedside.waitFor("END OF REPLAY")
        try await bedside.waitFor("128")
        let pages = [
            ("A", "ALARMS"), ("L", "ALARM LOG"), ("l", "LIMITS"), (",", "SETTINGS"), ("i", "SENSOR "), ("?", "HELP"),
        ]
        for (key, title) in pages {
            await bedside.type(key)
            try await bedside.waitUntil("the page \(title) says that it is a replay") { screen in
                screen.lines[0].contains("REPLAY") && screen.lines.contains { $0.contains(" \(title)") }
            }
            // A key that follows too soon would make another one of it.
            await bedside.press(.escape)
            try await bedside.waitUntil("the page \(title) is closed") { $0.shows("HEART RATE") }
        }
        for (columns, rows) in [(60, 16), (30, 6), (20, 3), (24, 1), (8, 2), (100, 30)] {
            await bedside.resize(columns: columns, rows: rows)
            try await bedside.waitUntil("\(columns) × \(rows) says that it is a replay") {
                $0.rows == rows && $0.columns == columns && $0.lines[0].contains("REPLAY")
            }
        }
        // Before the strap's rate rose, and on from there as slowly as it happened.
        await bedside.type("<<<<<<<<")
        await bedside.type("{")
        try await bedside.waitUntil("the beginning is shown again") {
            $0.lines[0].contains("02:59:2") || $0.lines[0].contains(" 0 %")
        }
        await bedside.type(" ")
        try await bedside.waitFor("PAUSED")
        await bedside.type("s")
        try await bedside.waitFor("This is a replay")
        await bedside.type("}")
        try await bedside.waitFor("END OF REPLAY")
        #expect(try await bedside.quit() == .exited(0))
        #expect(await bedside.damageToTerminal.isEmpty)
    }

    @Test("writes nothing, anywhere")
    func leavesNothing() async throws {
        let home = try TemporaryFolder()
        let environment = [
            "XDG_CONFIG_HOME": home.path, "XDG_DATA_HOME": home.path, "XDG_STATE_HOME": home.path,
            "XDG_RUNTIME_DIR": home.path,
        ]
        let lines = try await ProgramWithPipes.run(
            ["replay", Self.capture, "--json", "--set", "alarms.hook=touch \(home.path)/hooked"],
            environment: environment)
        #expect(lines.status == .exited(0))
        let bedside = try await ProgramInTerminal.start(
            ["replay", Self.capture, "--speed", "max"], environment: environment)
        try await bedside.waitFor("END OF REPLAY")
        await bedside.type("a")
        #expect(try await bedside.quit() == .exited(0))
        #expect(await !bedside.hasWritten("\u{7}"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.path) == [])
    }

    @Test("explains in a sentence what cannot be played")
    func refusals() async throws {
        let home = try TemporaryFolder()
        let letter = try home.write("Dear nurse, and so on and on", to: "letter.txt")
        for (words, status, sentence) in [
            ([letter], 65, "is not a recording"), ([home.path + "/none"], 66, "No such file"),
            ([Self.capture, "--speed", "fast"], 64, "--speed takes a number"),
            ([Self.capture, "--handle", "ten=2A37"], 64, "--handle takes a handle"),
            ([Self.capture, "--for", "soon"], 64, "not a length of time"),
            ([Self.capture, "--from", "2027-01-01"], 0, "No recordings match."),
            ([], 0, "No recordings match."),
        ] as [([String], Int32, String)] {
            let outcome = try await ProgramWithPipes.run(
                ["replay", "--json"] + words, environment: ["XDG_DATA_HOME": home.path])
            #expect(outcome.status == .exited(status), "\(words): \(outcome.errorOutput)")
            #expect(outcome.errorOutput.contains(sentence), "\(outcome.errorOutput)")
            #expect(outcome.output.isEmpty && outcome.errorOutput.split(separator: "\n").count == 1)
        }
    }
}
