import Foundation
import TestSupport
import Testing

/// What is recorded, read back by the program and by another one.
@Suite("Recording", .startsPrograms)
struct RecordingTests {
    /// Runs the real program on simulated sensors until a number of readings were printed, with all four vitals among
    /// them, and leaves its store.
    private func record(
        _ readings: Int, in folder: TemporaryFolder, _ options: [String] = []
    ) async throws -> [WatchLine] {
        let watch = try await ProgramWithPipes.start(
            ["watch", "--json", "--simulate=steady", "--connect", "all"] + options,
            environment: ["XDG_DATA_HOME": folder.path])
        var (count, vitals): (Int, Set<String>) = (0, [])
        _ = try await watch.next("\(readings) readings, some of each vital") { line in
            guard line.isFromSensor else { return false }
            count += 1
            vitals.insert(line.text("vital") ?? "")
            return count >= readings && vitals.count == 4
        }
        await watch.send(signal: SIGTERM)
        let outcome = try await watch.waitForExit()
        #expect(outcome.status == .exited(0), "\(outcome.errorOutput)")
        return try outcome.output.split(separator: "\n").map { try WatchLine(String($0)) }
            .filter { $0.event == "reading" }
    }

    private func run(_ words: [String], in folder: TemporaryFolder) async throws -> ProgramWithPipes.Outcome {
        try await ProgramWithPipes.run(words, environment: ["XDG_DATA_HOME": folder.path])
    }

    @Test("has the ECG that was printed, sample by sample, up to the last seconds before a kill")
    func waves() async throws {
        let folder = try TemporaryFolder()
        let scenario = try folder.write(
            """
            { sensors: [{ name: 'Strap', address: 'C0:52:49:00:10:00', kind: 'heartRateStrap', heartRate: 72,
              electrocardiogram: true }] }
            """, to: "ecg.json5")
        let watch = try await ProgramWithPipes.start(
            [
                "watch", "--json", "--waves", "--simulate=\(scenario)", "--connect", "all", "--set",
                "recording.waves=true",
            ],
            environment: ["XDG_DATA_HOME": folder.path])
        for _ in 0..<12 { _ = try await watch.next("samples") { $0.event == "wave" && $0.fields["samples"] != nil } }
        await watch.send(signal: SIGKILL)
        let printed = try await watch.waitForExit().output.split(separator: "\n").flatMap { text -> [Int] in
            // The last line may be cut.
            let line = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
            return line?["samples"] as? [Int] ?? []
        }
        let csv = try await run(["export", "--simulate", "--format", "waves"], in: folder)
        #expect(csv.status == .exited(0), "\(csv.errorOutput)")
        let lines = csv.output.components(separatedBy: "\r\n").dropFirst().dropLast().map {
            $0.components(separatedBy: ",")
        }
        #expect(lines.count > 130)
        #expect(printed.starts(with: lines.map { Int($0[4]) ?? .min }))
        #expect(lines.filter { $0[6] == "true" } == [lines.first])
        let fhir = try await run(["export", "--simulate", "--format", "fhir-waves"], in: folder)
        let bundle = try JSONSerialization.jsonObject(with: Data(fhir.output.utf8)) as? [String: Any]
        let data = try #require(bundle?["entry"] as? [[String: Any]]).compactMap { entry in
            ((entry["resource"] as? [String: Any])?["valueSampledData"] as? [String: Any])?["data"] as? String
        }
        #expect(data.joined(separator: " ") == lines.map { $0[4] }.joined(separator: " "))
        let without = try await run(["export", "--simulate", "--format", "rr", "--vitals", "spo2"], in: folder)
        #expect(without.status == .exited(64))
    }

    @Test("gives a second tool exactly the rows that the program exports and has printed")
    func exports() async throws {
        let folder = try TemporaryFolder()
        let printed = try await record(12, in: folder)
        let store = folder.path + "/bedside/simulated/store.sqlite"
        let rows = try await SQLiteTool.rows(
            """
            SELECT time, sensor, address, kind, vital,
                CASE WHEN value = CAST(value AS INTEGER) THEN CAST(value AS INTEGER) ELSE value END,
                ifnull(quality, ''), ifnull(absence, ''), ifnull(site, ''), run, monotonic_ns
            FROM readings ORDER BY wall_ms, (
                SELECT n FROM reading JOIN epoch ON epoch.id = epoch WHERE reading.wall_ms = readings.wall_ms AND
                epoch.monotonic_ns + (reading.wall_ms - epoch.wall_ms) * 1000000 + drift_ns = readings.monotonic_ns)
            """, in: store)
        #expect(rows.count >= 12)
        let fields = printed.map { [$0.text("t") ?? "", $0.text("vital") ?? ""] }
        #expect(Set(fields).isSubset(of: Set(rows.map { [$0[0], $0[4]] })))

        let csv = try await run(["export", "--simulate"], in: folder)
        #expect(csv.status == .exited(0), "\(csv.errorOutput)")
        let lines = csv.output.components(separatedBy: "\r\n").dropFirst().dropLast().map {
            $0.components(separatedBy: ",")
        }
        // The unit, the sensor's own time and what is simulated are not asked for above.
        let places = [0, 1, 2, 3, 4, 5, 7, 8, 9, 11, 12]
        #expect(Set(lines.map { line in places.map { line[$0] } }) == Set(rows))
        #expect(lines.count == rows.count)

        let json = try await run(["export", "--simulate", "--format", "jsonl", "--vitals", "heart_rate"], in: folder)
        let rates = try json.output.split(separator: "\n").map { try WatchLine(String($0)) }
        #expect(rates.count == rows.count { $0[4] == "heart_rate" })
        #expect(rates.allSatisfy { $0.fields["simulated"] as? Bool == true })

        let fhir = try await run(["export", "--simulate", "--format", "fhir"], in: folder)
        let bundle = try JSONSerialization.jsonObject(with: Data(fhir.output.utf8)) as? [String: Any]
        let entries = try #require(bundle?["entry"] as? [[String: Any]])
        let kinds = entries.compactMap { ($0["resource"] as? [String: Any])?["resourceType"] as? String }
        #expect(kinds.count { $0 == "Observation" } == rows.count)
        #expect(kinds.count { $0 == "Device" } == 3)
    }

    @Test("is answered by the line of SQL in the documentation")
    func documentedQuery() async throws {
        let folder = try TemporaryFolder()
        _ = try await record(12, in: folder)
        let article = try String(
            contentsOfFile: Self.repository + "/Sources/Storing/Recording/Recording.docc/StoreFormat.md",
            encoding: .utf8)
        let queries = article.components(separatedBy: "```sql\n").dropFirst().compactMap {
            $0.components(separatedBy: "\n```").first
        }
        #expect(queries.count >= 3)
        for query in queries {
            let rows = try await SQLiteTool.rows(query, in: folder.path + "/bedside/simulated/store.sqlite")
            // Nothing was typed here.
            #expect(!rows.isEmpty || query.contains("record_entries"), "\(query)")
        }
    }

    private static let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

    @Test("is summarized by history: when sensors were worn, and their values")
    func history() async throws {
        let folder = try TemporaryFolder()
        _ = try await record(12, in: folder)
        let text = try await run(["history", "--simulate"], in: folder)
        #expect(text.status == .exited(0), "\(text.errorOutput)")
        for word in ["SIMULATED", "Worn from", "Median", "heart rate", "oxygen saturation"] {
            #expect(text.output.contains(word), "\(text.output)")
        }
        let json = try await run(["history", "--simulate", "--json", "--by", "wearing"], in: folder)
        let lines = try json.output.split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        let wearings = lines.filter { $0["event"] as? String == "wearing" }
        let summaries = lines.filter { $0["event"] as? String == "summary" }
        #expect(wearings.count == 3)
        #expect(summaries.count == 4 && summaries.allSatisfy { $0["by"] as? String == "wearing" })
        let rate = try #require(summaries.first { $0["vital"] as? String == "heart_rate" })
        #expect(rate["median"] as? Double == rate["minimum"] as? Double)
    }

    /// A week in which the heart rate was as many times ten as days have passed since, a reading every ten seconds.
    private static let week = """
        INSERT OR IGNORE INTO word (text) VALUES ('heart_rate'), ('good');
        CREATE TEMP TABLE moment AS WITH RECURSIVE step(s) AS (SELECT 600 UNION ALL SELECT s + 10 FROM step WHERE s < 604800)
            SELECT CAST(strftime('%s', 'now') AS INTEGER) * 1000 - s * 1000 AS wall, 10 * (s / 86400 + 4) * 100 AS value
            FROM step;
        CREATE TEMP TABLE source AS SELECT (SELECT min(id) FROM sensor WHERE kind = 'heart_rate_strap') AS sensor,
            (SELECT id FROM word WHERE text = 'heart_rate') AS vital, (SELECT id FROM word WHERE text = 'good') AS good;
        INSERT INTO reading (wall_ms, n, epoch, drift_ns, sensor, vital, value, quality)
            SELECT wall, 0, 1, 0, sensor, vital, value, good FROM moment, source;
        INSERT INTO minute (minute, sensor, vital, readings, total, minimum, maximum, last, absences)
            SELECT wall / 60000, sensor, vital, count(*), sum(value), min(value), max(value), max(value), 0
            FROM moment, source GROUP BY 1, 2, 3;
        """

    @Test("is shown when scrolling back, to days before the start and down to seconds")
    func scrollingBack() async throws {
        let folder = try TemporaryFolder()
        _ = try await record(12, in: folder)
        _ = try await SQLiteTool.rows(Self.week, in: folder.path + "/bedside/simulated/store.sqlite")
        let bedside = try await ProgramInTerminal.start(
            ["--simulate=steady", "--set", "sensors.connect=[]", "--set", "screen.trend_window=24h"],
            environment: ["XDG_DATA_HOME": folder.path], columns: 160, rows: 40)
        // How far back there is anything is known as soon as there is a trend.
        try await bedside.waitUntil("there is a trend") { screen in
            screen.lines.joined().unicodeScalars.contains { (0x2801...0x28FF).contains($0.value) }
        }
        // Memory reaches back two days; the record knows the days before by other values.
        for (steps, days, rate) in [(5, 2, 60), (6, 5, 90)] {
            await bedside.type(String(repeating: "[", count: steps))
            try await bedside.waitUntil("the heart rate of \(days) days ago") {
                $0.text.contains("HISTORY −\(days) d") && $0.text.contains("HR \(rate)")
            }
        }
        // Two minutes of five days ago are there by the second.
        for _ in 0..<4 { await bedside.type("+") }
        try await bedside.waitUntil("two minutes of then") { screen in
            screen.lines.contains {
                $0.contains("HISTORY −5 d") && $0.contains("HR 90") && $0.count { $0 == ":" } >= 3
            }
        }
        for _ in 0..<4 { await bedside.type("-") }
        await bedside.type("[[[[[[")
        try await bedside.waitFor("Nothing was recorded before")
        await bedside.press(.escape)
        // The sentence has the row of "HISTORY" for a while; the titles of the trends show the past all the time. And
        // a key that comes with Escape would be another key, Alt-q.
        try await bedside.waitUntil("it is now again") { screen in
            !["HISTORY", "at cursor"].contains { screen.text.contains($0) }
        }
        #expect(try await bedside.quit() == .exited(0))
    }

    @Test("is what the trends of the next start begin with")
    func trends() async throws {
        let folder = try TemporaryFolder()
        _ = try await record(12, in: folder)
        // Nothing is connected this time, so whatever is drawn was recorded.
        let bedside = try await ProgramInTerminal.start(
            ["--simulate=steady", "--set", "sensors.connect=[]"], environment: ["XDG_DATA_HOME": folder.path])
        try await bedside.waitUntil("there is a trend") { screen in
            screen.lines.joined().unicodeScalars.contains { (0x2801...0x28FF).contains($0.value) }
        }
        #expect(try await bedside.quit() == .exited(0))
    }

    @Test("can be left out, and then says that there is nothing")
    func notRecorded() async throws {
        let folder = try TemporaryFolder()
        _ = try await record(4, in: folder, ["--no-record"])
        for words in [["export"], ["history"]] {
            let outcome = try await run(words + ["--simulate"], in: folder)
            #expect(outcome.status == .exited(0))
            #expect(outcome.errorOutput.hasPrefix("bedside: No recordings match"), "\(outcome.errorOutput)")
        }
        let nothing = try await run(["export"], in: folder)
        #expect(nothing.status == .exited(0))
        #expect(nothing.errorOutput.hasPrefix("bedside: Nothing has been recorded yet"))
        #expect(nothing.errorOutput.contains("There are simulated readings: add --simulate."))
    }

    @Test("is exported into a file that is complete, and replaces none")
    func files() async throws {
        let folder = try TemporaryFolder()
        _ = try await record(4, in: folder)
        let path = folder.path + "/out.csv"
        let words = ["export", "--simulate", "--output", path]
        #expect(try await run(words, in: folder).status == .exited(0))
        let first = try String(contentsOfFile: path, encoding: .utf8)
        #expect(first.hasPrefix("time,sensor"))
        let second = try await run(words, in: folder)
        #expect(second.status == .exited(74))
        #expect(second.errorOutput.contains("--force"))
        #expect(try await run(words + ["--force"], in: folder).status == .exited(0))
        #expect(try String(contentsOfFile: path, encoding: .utf8) == first)
        let full = try await ProgramWithPipes.run(
            ["-c", "exec \"$0\" export --simulate >/dev/full", Harness.program],
            environment: ["XDG_DATA_HOME": folder.path], program: "/bin/sh")
        #expect(full.status == .exited(74))
        #expect(full.errorOutput.contains("standard output cannot be written"), "\(full.errorOutput)")
    }

    @Test(
        "takes local times with the distance from UTC of their own day, whatever it is now",
        arguments: [
            // What begins where it ends, or later, is refused; so a second more or less says what was understood.
            ("2026-07-01T12:00", "2026-07-01T10:00:00Z", "2026-07-01T10:00:01Z"),
            ("2026-01-15 12:00", "2026-01-15 12:00+01:00", "2026-01-15 12:00:00.001 +0100"),
            // In the night of 25 October 02:30 comes twice: a range begins with the first one.
            ("2026-10-25T02:30", "2026-10-25T00:30Z", "2026-10-25T00:30:01Z"),
            // On 29 March there is none: it counts as 03:30.
            ("2026-03-29T02:30", "2026-03-29T03:30", "2026-03-29T03:30:01"),
            // A range ends with the second one.
            ("2026-10-25T01:30:00Z", "2026-10-25T02:30", "2026-10-25T02:30:01"),
        ])
    func localTimes(from: String, to refused: String, orTo accepted: String) async throws {
        let folder = try TemporaryFolder()
        let environment = ["TZ": "Europe/Berlin", "XDG_DATA_HOME": folder.path]
        for command in ["history", "alarms"] {
            let option = command == "alarms" ? "--since" : "--from"
            let words = command == "alarms" ? [command, option, from] : [command, option, from, "--to", accepted]
            let outcome = try await ProgramWithPipes.run(words, environment: environment)
            #expect(outcome.status == .exited(0), "\(outcome.errorOutput)")
        }
        let outcome = try await ProgramWithPipes.run(
            ["history", "--from", from, "--to", refused], environment: environment)
        #expect(outcome.status == .exited(64) && outcome.errorOutput.contains("not before"), "\(outcome.errorOutput)")
    }

    @Test(
        "is refused with a reason when it is asked for wrongly",
        arguments: [
            (["export", "--format", "xls"], "'xls' is not a format"),
            (["export", "--vitals", "pain"], "'pain' is not a vital"),
            (["export", "--from", "soon"], "--from takes"), (["export", "--from", "1h", "--to", "2h"], "not before"),
            (["export", "--subject", "Patient/1"], "--format fhir"), (["export", "--force"], "--output"),
            (["export", "--format", "fhir", "--subject", "Grandma"], "Patient/123"),
            (["history", "--by", "day"], "hour or wearing"),
        ])
    func wrongOptions(words: [String], message: String) async throws {
        let outcome = try await ProgramWithPipes.run(words)
        #expect(outcome.status == .exited(64))
        #expect(outcome.errorOutput.contains(message), "\(outcome.errorOutput)")
    }
}
