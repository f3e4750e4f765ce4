import Foundation
import TestSupport
import Testing

/// What alarms do beyond the screen, and the log that stays of them.
@Suite("Alarms", .startsPrograms)
struct AlarmTests {
    /// A line of `bedside alarms --json`.
    private struct LogLine {
        let fields: [String: Any]

        /// The kind and the state of an alarm, or the word for an action: `fever_single active`, `acknowledged`.
        var text: String {
            if let action = fields["action"] as? String { return action }
            return "\(fields["kind"] as? String ?? "") \(fields["state"] as? String ?? "")"
        }
    }

    /// The log of simulated sensors, as the program prints it in an environment.
    private func log(_ environment: [String: String], _ options: [String] = []) async throws -> [LogLine] {
        let outcome = try await ProgramWithPipes.run(
            ["alarms", "--json", "--simulate"] + options, environment: environment)
        #expect(outcome.status == .exited(0), "\(outcome.errorOutput)")
        return try lines(of: outcome.output)
    }

    private func lines(of text: String) throws -> [LogLine] {
        try text.split(separator: "\n").map { line in
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
            return LogLine(fields: try #require(object as? [String: Any], "\(line)"))
        }
    }

    /// Whether the log contains these words in this order, with any others between them.
    private func contains(_ words: [String], _ log: [LogLine]) -> Bool {
        var rest = words[...]
        for line in log where line.text == rest.first { rest.removeFirst() }
        return rest.isEmpty
    }

    @Test("follow a fever: raised, escalated, acknowledged, suspended off the body, resumed, ended")
    func fever() async throws {
        let world = try await World.simulated("steady")
        let folder = try TemporaryFolder()
        let environment = ["XDG_DATA_HOME": folder.path + "/data"]
        let received = folder.path + "/received.jsonl"
        let bedside = try await ProgramInTerminal.start(
            [
                "--connect", Steady.thermometer, "--set", "alarms.hook=cat >>'\(received)'",
                // As short as the configuration allows.
                "--set", "limits.body_temperature.high_delay=0s", "--set", "fever.clear_time=60s",
            ], on: world, environment: environment)
        try await bedside.waitFor("36.8")
        #expect(await !bedside.hasWritten("\u{07}"))

        var story: [String] = []
        func wait(for words: String..., within limit: Duration = Harness.timeout) async throws {
            story += words
            let wanted = story
            try await world.waitUntil("the log contains \(wanted)", within: limit) {
                try await contains(wanted, log(environment))
            }
        }
        try await world.please("temp 38.2")
        try await wait(for: "high active")
        try await world.waitUntil("the bell has rung") { await bedside.hasWritten("\u{07}") }
        try await world.please("temp 38.6")
        try await wait(for: "fever_single active")
        await bedside.type("a")
        try await wait(for: "fever_single acknowledged")
        try await world.please("off temp")
        try await wait(for: "fever_single suspended")
        try await world.please("on temp")
        try await wait(for: "fever_single acknowledged")
        try await world.please("temp 37.0")
        try await wait(for: "fever_single ended", within: .seconds(240))
        #expect(try await bedside.quit() == .exited(0))

        // What a user did is in the log, too, and that the program was started anew.
        let watch = try await ProgramWithPipes.run(
            ["watch", "--json", "--simulate=steady", "--connect", "all", "--count", "1"], environment: environment)
        #expect(watch.status == .exited(0), "\(watch.errorOutput)")
        let actions = try await log(environment, ["--actions"])
        #expect(contains(["acknowledged", "restarted"], actions))
        #expect(actions.allSatisfy { $0.fields["event"] as? String == "action" })
        let newest = try await log(environment, ["--actions", "--count", "1"])
        #expect(newest.map(\.text) == ["restarted"])
        // The number of its first epoch; a busy computer that held up the run before has begun others.
        #expect(newest.first?.fields["run"] as? Int ?? 0 >= 2)
        #expect(try await log(environment, ["--class", "technical", "--from", "2100-01-01"]).isEmpty)

        // The hook has received the same.
        let events = try lines(of: try String(contentsOfFile: received, encoding: .utf8))
        for words in Set(story) { #expect(events.contains { $0.text == words }, "\(words)") }
        #expect(events.contains { $0.text == "acknowledged" && $0.fields["by"] as? String == "user" })
        #expect(events.allSatisfy { $0.fields["simulated"] as? Bool == true && $0.fields["v"] as? Int == 1 })
    }

    @Test("are shown on the desktop: one notification, which changes with the alarm and goes with it")
    func desktop() async throws {
        let world = try await World.simulated("steady")
        let bus = try PrivateBusDaemon()
        let desktop = try await StandInDesktop.start(at: bus.address, on: Harness.loop)
        let bedside = try await ProgramInTerminal.start(
            ["--connect", Steady.thermometer, "--set", "limits.body_temperature.high_delay=0s"], on: world,
            environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address])
        try await bedside.waitFor("36.8")
        #expect(await desktop.shown.isEmpty)
        func shows(_ summary: String, _ body: String) async -> Bool {
            let shown = await desktop.shown
            guard shown.count == 1, let text = shown[1] else { return false }
            return text.hasPrefix("SIMULATED: \(summary)") && text.contains("|\(body)")
        }
        try await world.please("temp 38.2")
        try await world.waitUntil("the alarm is shown") {
            await shows("Temp 38.2 > 38.0", "Active. Medium priority")
        }
        #expect(await desktop.urgencies == [1: 1])
        await bedside.type("a")
        try await world.waitUntil("it is shown as acknowledged") { await shows("Temp 38.2 > 38.0", "Acknowledged.") }
        #expect(await desktop.urgencies == [1: 0])
        try await world.please("temp 36.8")
        try await world.waitUntil("it is taken away") { await desktop.shown.isEmpty }
        try await world.please("temp 38.4")
        try await world.waitUntil("the next one is shown") { await !desktop.shown.isEmpty }
        try await bedside.quitWhenAsked()
        #expect(try await bedside.waitForExit() == .exited(0))
        #expect(await desktop.shown.isEmpty)
    }

    @Test("go by limits of an earlier run as soon as the store can be read, beside those that were changed meanwhile")
    func lateLimits() async throws {
        let world = try await World.simulated("steady")
        let folder = try TemporaryFolder()
        let environment = ["XDG_DATA_HOME": folder.path]
        let store = folder.path + "/bedside/simulated/store.sqlite"
        func start() async throws -> ProgramInTerminal {
            try await ProgramInTerminal.start(["--connect", Steady.strap], on: world, environment: environment)
        }
        func setVersion(_ version: String) async throws {
            _ = try await SQLiteTool.rows("PRAGMA user_version = \(version)", in: store)
        }
        let first = try await start()
        try await first.waitFor("72")
        await first.type("l\r\u{15}45 high\r")
        try await first.waitFor("HR low: below 45 bpm, high priority; changed here")
        try await first.waitFor("for the pulse rate, too?")
        await first.type("n")
        try await first.closePage()
        #expect(try await first.quit() == .exited(0))
        let version = try #require(try await SQLiteTool.rows("PRAGMA user_version", in: store).first?.first)

        // A newer program's store, which this one must not touch.
        try await setVersion("1000")
        let second = try await start()
        try await second.waitFor("Nothing is recorded for now")
        try await second.waitFor("72")
        await second.type("l")
        await second.press(.right)
        await second.type("\r\u{15}125 low\r")
        try await second.waitFor("HR high: above 125 bpm, low priority; changed here")
        try await second.waitFor("for the pulse rate, too?")
        await second.type("n")
        try await setVersion(version)
        try await second.waitFor("45* ▲▲▲")
        try await second.waitFor("125* ▲")
        // It would ask before it ends with an alarm about the store.
        try await second.waitUntil("the store works again") { screen in
            // Below the limits the latest alarms stay.
            !screen.lines.prefix(4).contains {
                $0.uppercased().contains("STORAGE") || $0.uppercased().contains("RECORDING")
            }
        }
        try await second.closePage()
        #expect(try await second.quit() == .exited(0))
        let limits = try await SQLiteTool.rows("SELECT rule, value FROM changed_limit ORDER BY rule", in: store)
        #expect(limits == [["high", "12500"], ["low", "4500"]])
    }

    @Test(
        "that go on when the program is killed are interrupted in the log; changed limits are still in force, and shown"
    )
    func restart() async throws {
        let world = try await World.simulated("steady")
        let folder = try TemporaryFolder()
        let environment = ["XDG_DATA_HOME": folder.path + "/data", "XDG_STATE_HOME": folder.path + "/state"]
        func start() async throws -> ProgramInTerminal {
            // So many rows that the log has what came at the start, also when a busy computer looks late.
            try await ProgramInTerminal.start(
                ["--connect", Steady.strap], on: world, environment: environment, rows: 50)
        }
        let first = try await start()
        try await first.waitFor("72")
        // The cursor is on the low limit of the heart rate; Ctrl-U empties the line.
        await first.type("l\r\u{15}45 high\r")
        try await first.waitFor("HR low: below 45 bpm, high priority; changed here")
        await first.press(.escape)
        try await world.please("hr 44")
        try await world.waitUntil("the log has the alarm") {
            try await contains(["low active"], log(environment))
        }
        await first.send(signal: SIGKILL)
        #expect(try await first.waitForExit() == .killed(signal: SIGKILL))

        let second = try await start()
        // The message below gives way to the alarm that is back at once; the log stays.
        try await second.waitFor("still in force from before the restart: HR low 45 (high)")
        try await second.waitFor("low 45 changed")
        try await world.waitUntil("the log says how it ended") {
            try await contains(
                ["low active", "low interrupted", "restarted", "resumed", "low suspended", "low active"],
                log(environment))
        }
        await second.type("Py")
        try await second.waitUntil("the usual limit holds") { !$0.shows("low 45 changed") }
        try await world.waitUntil("it has evaluated the readings") {
            try await contains(["new_patient", "low active"], log(environment))
        }
        try await second.quitWhenAsked()
        #expect(try await second.waitForExit() == .exited(0))

        let third = try await start()
        try await third.waitFor("44")
        try await world.waitUntil("the log contains the restart") {
            try await contains(["new_patient", "low active", "restarted", "low active"], log(environment))
        }
        // The records of both patients.
        let whole = try await log(environment, ["--record", "all"])
        #expect(whole.filter { $0.text == "resumed" }.count == 1)
        #expect(contains(["resumed", "new_patient", "low interrupted", "restarted"], whole))
        // No number is given twice; an alarm that goes on keeps its own.
        let kinds = Dictionary(grouping: whole.filter { $0.fields["id"] != nil }) { $0.fields["id"] as? Int ?? 0 }
            .mapValues { Set($0.compactMap { $0.fields["kind"] as? String }) }
        #expect(kinds.values.allSatisfy { $0.count == 1 }, "\(kinds)")
        try await third.quitWhenAsked()
        #expect(try await third.waitForExit() == .exited(0))
    }

    @Test("that were never recorded are reported as such, which is not an error")
    func noStore() async throws {
        for options in [[], ["--json"]] {
            let outcome = try await ProgramWithPipes.run(["alarms"] + options)
            #expect(outcome.status == .exited(0))
            #expect(outcome.output.isEmpty)
            #expect(outcome.errorOutput.hasPrefix("bedside: No alarm has been recorded yet"))
        }
    }

    @Test("in a damaged store are answered with a sentence and a status, and the store is left as it is")
    func damagedStore() async throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path + "/bedside", withIntermediateDirectories: true)
        let nonsense = String(repeating: "no store at all ", count: 512)
        let path = try folder.write(nonsense, to: "bedside/store.sqlite")
        let outcome = try await ProgramWithPipes.run(["alarms"], environment: ["XDG_DATA_HOME": folder.path])
        #expect(outcome.status == .exited(65))
        #expect(outcome.errorOutput.contains("damaged"), "\(outcome.errorOutput)")
        #expect(try String(contentsOfFile: path, encoding: .utf8) == nonsense)
    }

    @Test(
        "are refused with a reason when they are asked for wrongly",
        arguments: [
            (["--since", "soon"], "not 'soon'"), (["--class", "feverish"], "physiological or technical"),
            (["--priority", "urgent"], "high, medium or low"), (["--count", "0"], "is not a number of entries"),
            (["--actions", "--priority", "low"], "--actions"),
        ])
    func wrongOptions(options: [String], words: String) async throws {
        let outcome = try await ProgramWithPipes.run(["alarms"] + options)
        #expect(outcome.status == .exited(64))
        #expect(outcome.errorOutput.contains(words), "\(outcome.errorOutput)")
    }

    @Test("run a hook whose failure is reported on the screen")
    func failingHook() async throws {
        let world = try await World.simulated("steady")
        let bedside = try await ProgramInTerminal.start(
            ["--connect", Steady.strap, "--set", "alarms.hook=exit 3"], on: world)
        try await bedside.waitFor("72")
        try await world.please("hr 150")
        try await bedside.waitFor("The hook failed with status 3.")
        try await bedside.quitWhenAsked()
        #expect(try await bedside.waitForExit() == .exited(0))
    }
}
