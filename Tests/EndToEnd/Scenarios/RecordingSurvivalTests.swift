import Foundation
import Glibc
import TestSupport
import Testing

/// What becomes of the store when the program or the store itself goes.
@Suite("The store", .startsPrograms, .serialized)
struct RecordingSurvivalTests {
    /// How often the recorder is killed: as often as the project promises with `BEDSIDE_KILLS=200`.
    private static let kills = Int(ProcessInfo.processInfo.environment["BEDSIDE_KILLS"] ?? "")
    /// How many milliseconds may be lacking: the promised second where the machine has nothing else to do; beside all
    /// other tests a thread may have to wait for its turn.
    private static let tolerance = kills == nil ? 10_000 : 1000

    /// Eight sensors that together say a thousand things a second.
    private static let load = """
        {
          sensors: [
            { name: 'Strap', address: 'C0:52:49:00:10:00', kind: 'heartRateStrap', heartRate: [[0, 60], [60, 160]],
              interval: 0.01, copies: 4 },
            { name: 'Clip', address: 'C0:52:49:00:20:00', kind: 'oximeter', oxygenSaturation: 97, pulseRate: 70,
              interval: 0.01, copies: 3 },
            { name: 'CORE', address: 'C0:52:49:00:30:00', kind: 'core', temperature: 37.5, interval: 0.1 },
          ],
        }
        """

    /// A reading as it was printed, and as it was stored.
    private struct Line: Hashable {
        var time: String
        var address: String
        var vital: String

        /// Milliseconds since 1970.
        var milliseconds: Int {
            let form = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
            return (try? form.parse(time)).map { Int(($0.timeIntervalSince1970 * 1000).rounded()) } ?? 0
        }
    }

    private func printed(_ output: String) -> [Line] {
        // The last line may be cut.
        output.split(separator: "\n").compactMap { text in
            guard let line = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any],
                line["event"] as? String == "reading", line["reason"] as? String != "silent",
                let time = line["t"] as? String, let vital = line["vital"] as? String,
                let sensor = line["sensor"] as? [String: Any], let address = sensor["address"] as? String
            else { return nil }
            return Line(time: time, address: address, vital: vital)
        }
    }

    /// Opens a store with another tool, checks it, and compares it with what was printed.
    ///
    /// - Returns: For how many milliseconds before the last printed reading something is lacking.
    private func lacking(_ printed: [Line], in store: String) async throws -> Int {
        #expect(try await SQLiteTool.rows("PRAGMA integrity_check", in: store) == [["ok"]])
        let rows = try await SQLiteTool.rows(
            "SELECT time, address, vital FROM readings WHERE run = (SELECT max(run) FROM readings)", in: store)
        let stored = Set(rows.map { Line(time: $0[0], address: $0[1], vital: $0[2]) })
        let sums = try await SQLiteTool.rows(
            """
            SELECT count(*) - (SELECT ifnull(sum(readings + absences), 0) FROM minute)
            FROM reading JOIN epoch ON epoch.id = epoch WHERE reading.wall_ms <= last_wall_ms
            """, in: store)
        #expect(sums == [["0"]], "the sums by the minute are of other readings")
        let missing = printed.filter { !stored.contains($0) }
        guard let first = missing.map(\.milliseconds).min(), let last = printed.last?.milliseconds else { return 0 }
        // Whole batches are there or not: nothing is missing from the middle.
        let sensors = Set(missing.map(\.address))
        for line in stored where sensors.contains(line.address) { #expect(line.milliseconds <= first, "\(line)") }
        return last - first
    }

    private func loadedWorld() async throws -> (World, TemporaryFolder) {
        let folder = try TemporaryFolder()
        return (try await World.simulated(try folder.write(Self.load, to: "load.json5")), folder)
    }

    private func start(on world: World, in folder: TemporaryFolder) async throws -> ProgramWithPipes {
        try await ProgramWithPipes.start(
            ["watch", "--json", "--connect", "all"], on: world, environment: ["XDG_DATA_HOME": folder.path])
    }

    @Test("opens, is whole and lacks at most the last second after a kill at any moment under load")
    func kills() async throws {
        let (world, folder) = try await loadedWorld()
        var worst = (lack: 0, readings: 0)
        for _ in 0..<(Self.kills ?? 3) {
            let bedside = try await start(on: world, in: folder)
            _ = try await bedside.next("a reading") { $0.event == "reading" }
            // The moment of a kill is what this test is about, so it is chosen by chance.
            try await Task.sleep(for: .milliseconds(Int.random(in: 0...2500)))
            await bedside.send(signal: SIGKILL)
            let output = try await bedside.waitForExit().output
            let lines = printed(output)
            let lack = try await lacking(lines, in: folder.path + "/bedside/simulated/store.sqlite")
            #expect(lack <= Self.tolerance)
            worst = (max(worst.lack, lack), worst.readings + lines.count)
        }
        print(
            "the recorder was killed \(Self.kills ?? 3) times while \(worst.readings) readings came;"
                + " at most the last \(worst.lack) ms are lacking")
    }

    // MARK: Troubles

    /// Runs the program on simulated sensors for some readings, and returns whether its alarm about the store was raised.
    private func watch(data: String) async throws -> (errorOutput: String, hasAlarm: Bool) {
        let outcome = try await ProgramWithPipes.run(
            ["watch", "--json", "--simulate=steady", "--connect", "all", "--count", "6"],
            environment: ["XDG_DATA_HOME": data])
        #expect(outcome.status == .exited(0), "\(outcome.errorOutput)")
        let lines = try outcome.output.split(separator: "\n").map { try WatchLine(String($0)) }
        #expect(lines.count { $0.event == "reading" } >= 6)
        return (outcome.errorOutput, lines.contains { $0.event == "alarm" && $0.text("kind") == "storage" })
    }

    private func put(_ contents: Data, in folder: TemporaryFolder) throws -> String {
        let place = folder.path + "/bedside/simulated"
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        let path = place + "/store.sqlite"
        try contents.write(to: URL(fileURLWithPath: path))
        return path
    }

    @Test("of zeros is kept under another name, with a sentence and an alarm, and a new one is begun")
    func zeros() async throws {
        let folder = try TemporaryFolder()
        let zeros = Data(count: 65_536)
        let path = try put(zeros, in: folder)
        let (errorOutput, hasAlarm) = try await watch(data: folder.path)
        // What was recorded before is missing from every list, as long as the file lies there.
        #expect(hasAlarm)
        let kept = try #require(errorOutput.firstMatch(of: /was damaged; it is kept as (\S+),/), "\(errorOutput)").1
        #expect(try Data(contentsOf: URL(fileURLWithPath: String(kept))) == zeros)
        #expect(try await SQLiteTool.rows("SELECT count(*) >= 6 FROM reading", in: path) == [["1"]])
    }

    /// Stores of other versions: who made them, and the sentence that says so.
    private static let otherVersions = [
        (pragmas: "application_id = 1113941107; PRAGMA user_version = 1000", maker: "a newer version of Bedside"),
        (pragmas: "application_id = 1111835731; PRAGMA user_version = 11", maker: "a development version of Bedside"),
    ]

    /// The commands that open the store.
    private static let commands = [
        ["alarms"], ["history"], ["export"], ["report"], ["replay", "STORE"], ["enter", "note", "asleep"],
        ["import", "FILE"],
    ]

    @Test(
        "of another version is left alone, with a sentence and an alarm, and monitoring continues",
        arguments: otherVersions)
    func otherVersion(pragmas: String, maker: String) async throws {
        let folder = try TemporaryFolder()
        let path = try put(Data(), in: folder)
        _ = try await SQLiteTool.rows("PRAGMA journal_mode = WAL; CREATE TABLE t (a); PRAGMA \(pragmas)", in: path)
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        let (errorOutput, hasAlarm) = try await watch(data: folder.path)
        #expect(errorOutput.contains(maker), "\(errorOutput)")
        #expect(errorOutput.contains("Nothing is recorded for now: "), "\(errorOutput)")
        #expect(hasAlarm)
        let environment = ["XDG_DATA_HOME": folder.path]
        let file = try folder.write("time,kind,value,unit\n", to: "values.csv")
        for command in Self.commands {
            let arguments = command.map { ["STORE": path, "FILE": file][$0] ?? $0 }
            let simulated = command.contains("STORE") ? [] : ["--simulate"]
            let outcome = try await ProgramWithPipes.run(arguments + simulated, environment: environment)
            #expect(outcome.status == .exited(65), "\(command)")
            #expect(outcome.errorOutput.contains(maker), "\(command): \(outcome.errorOutput)")
        }
        let bedside = try await ProgramInTerminal.start(["--simulate=steady"], environment: environment)
        try await bedside.waitFor(maker)
        #expect(try await bedside.quit() == .exited(0))
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    }

    @Test("in a read-only folder is reported with its path and an alarm, and monitoring continues")
    func unwritable() async throws {
        // Not even root can make a folder there.
        let (errorOutput, hasAlarm) = try await watch(data: "/proc/self")
        #expect(errorOutput.contains("Nothing is recorded for now"), "\(errorOutput)")
        #expect(errorOutput.contains("/proc/self/bedside"), "\(errorOutput)")
        #expect(hasAlarm)
    }

    @Test("that two programs write at once is reported to the second, and holds the data of both")
    func twoInstances() async throws {
        let world = try await World.simulated("steady")
        let folder = try TemporaryFolder()
        let first = try await start(on: world, in: folder)
        _ = try await first.next("a reading") { $0.event == "reading" }
        let second = try await start(on: world, in: folder)
        _ = try await second.next("a reading") { $0.event == "reading" }
        for program in [second, first] {
            await program.send(signal: SIGTERM)
            let outcome = try await program.waitForExit()
            #expect(outcome.status == .exited(0))
            #expect(outcome.errorOutput.contains("Another Bedside records into") == (program === second))
        }
        let runs = try await SQLiteTool.rows(
            "SELECT count(DISTINCT run) FROM readings; PRAGMA integrity_check",
            in: folder.path + "/bedside/simulated/store.sqlite")
        #expect(runs == [["2"], ["ok"]])
    }
}
