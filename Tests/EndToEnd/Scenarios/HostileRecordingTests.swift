import Foundation
import Glibc
import TestSupport
import Testing

/// Captures and stores that are damaged, or that somebody has made to do harm, given to the real program.
@Suite("A hostile recording", .startsPrograms)
struct HostileRecordingTests {
    private let home: TemporaryFolder

    init() throws {
        home = try TemporaryFolder()
    }

    private func write(_ script: CaptureScript) throws -> String {
        let path = home.path + "/air.btsnoop"
        try Data(script.octets).write(to: URL(filePath: path))
        return path
    }

    /// A strap whose rate is an alarm, a value each second; before each value the clock jumps by a number of microseconds.
    private func capture(from start: Int64, _ jumps: [Int64]) throws -> String {
        var script = CaptureScript(at: start)
        script.connect("C0:52:49:00:00:02", link: 64)
        script.discover(link: 64, [(16, CaptureScript.little(0x2A37, 2))])
        for jump in jumps {
            script.microseconds += 1_000_000 + jump
            script.notify(link: 64, handle: 16, [0x06, 190])
        }
        return try write(script)
    }

    /// A minute from 1970 on; then the clock is set, and a minute of 2026 follows.
    private func steppedCapture() throws -> String {
        var jumps = [Int64](repeating: 0, count: 120)
        jumps[60] = 1_767_323_045_000_000
        return try capture(from: 0, jumps)
    }

    @Test("whose clock steps from 1970 to 2026 is played at once, with a gap")
    func steppedClock() async throws {
        let outcome = try await ProgramWithPipes.run(["replay", try steppedCapture(), "--json"])
        #expect(outcome.status == .exited(0), "\(outcome.errorOutput)")
        let lines = try outcome.output.split(separator: "\n").map { try WatchLine(String($0)) }
        #expect(lines.count { $0.isFromSensor } == 120)
        let gap = try #require(lines.first { $0.event == "gap" })
        #expect(gap.text("from")?.hasPrefix("1970-01-01T00:01") == true)
        #expect(gap.text("to")?.hasPrefix("2026-01-02") == true)
    }

    @Test("whose clock steps is shown, and is not waited for at any speed", arguments: ["max", "60"])
    func steppedClockOnScreen(_ speed: String) async throws {
        let bedside = try await ProgramInTerminal.start(["replay", try steppedCapture(), "--speed", speed])
        try await bedside.waitFor("END OF REPLAY")
        #expect(try await bedside.quit() == .exited(0))
        #expect(await bedside.damageToTerminal.isEmpty)
    }

    @Test("of many long pauses lets itself be left by a key and by a signal, however much is still to come")
    func manyPauses() async throws {
        let path = try capture(from: 0, [Int64](repeating: 80_000_000_000, count: 20_000))
        let screen = try await ProgramInTerminal.start(["replay", path, "--speed", "max"])
        try await screen.waitFor("190")
        #expect(try await screen.quit() == .exited(0))
        let lines = try await ProgramWithPipes.start(["replay", path, "--json"])
        _ = try await lines.nextLine()
        await lines.send(signal: SIGTERM)
        #expect(try await lines.waitForExit().status == .exited(0))
    }

    @Test("that would be read for hours ends with a signal", arguments: [SIGINT, SIGTERM])
    func endlessFile(_ signal: Int32) async throws {
        let path = try write(CaptureScript())
        // Zeros, which take no room: empty records.
        truncate(path, 1 << 36)
        let program = try await ProgramWithPipes.start(["replay", path, "--json"])
        let files = "/proc/\(await program.processIdentifier)/fd"
        try await awaitCondition("the program reads the file", within: Harness.timeout) {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: files)) ?? []
            return names.contains {
                (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(files)/\($0)")) == path
            }
        }
        await program.send(signal: signal)
        let outcome = try await program.waitForExit()
        #expect(outcome.status == .killed(signal: signal))
    }

    /// A store of simulated sensors, in its usual place.
    private func recordedStore() async throws -> String {
        let watch = try await ProgramWithPipes.run(
            ["watch", "--json", "--simulate=steady", "--connect", "all", "--count", "12"], environment: environment)
        #expect(watch.status == .exited(0), "\(watch.errorOutput)")
        return home.path + "/bedside/simulated/store.sqlite"
    }

    private var environment: [String: String] { ["XDG_DATA_HOME": home.path] }

    private func commands(_ path: String) -> [[String]] {
        [
            ["replay", path, "--json"], ["replay", path, "--lines"], ["history", "--simulate", "--from", "2000-01-01"],
            ["history", "--simulate", "--by", "wearing"], ["alarms", "--simulate"], ["export", "--simulate"],
            ["export", "--simulate", "--format", "csv-wide"], ["export", "--simulate", "--format", "fhir"],
            ["export", "--simulate", "--format", "jsonl"],
        ]
    }

    @Test("that is a store with an endless view in place of a table is refused by every command, in a sentence")
    func endlessView() async throws {
        let path = try await recordedStore()
        _ = try await SQLiteTool.rows(
            """
            PRAGMA legacy_alter_table = ON; ALTER TABLE reading RENAME TO aside;
            CREATE VIEW reading AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
            SELECT aside.* FROM aside, n;
            """, in: path)
        for command in commands(path) {
            let outcome = try await ProgramWithPipes.run(command, environment: environment)
            #expect(outcome.status == .exited(65), "\(command)")
            #expect(outcome.errorOutput.contains("`reading` is not one of its tables"), "\(command)")
        }
    }

    @Test("that is a store with impossible times is read by every command")
    func impossibleTimes() async throws {
        let path = try await recordedStore()
        for (column, number) in [
            ("monotonic_ns", "9223372036854775807"), ("monotonic_ns", "-9223372036854775807 - 1"),
            ("wall_ms", "9223372036854775807"), ("wall_ms", "-9223372036854775807 - 1"),
        ] {
            let own = column == "monotonic_ns" ? "drift_ns" : column
            _ = try await SQLiteTool.rows(
                """
                UPDATE OR IGNORE reading SET \(own) = \(number) WHERE n % 3 = 1;
                UPDATE OR IGNORE reading SET \(own) = \(number)
                    WHERE wall_ms = (SELECT wall_ms FROM reading LIMIT 1 OFFSET 5);
                UPDATE alarm_log SET \(column) = \(number) WHERE id % 2 = 0;
                UPDATE epoch SET \(column) = \(number) WHERE id % 2 = 0;
                UPDATE wearing SET from_wall_ms = -9223372036854775807, to_wall_ms = 9223372036854775807;
                UPDATE minute SET minimum = 9223372036854775807;
                """, in: path)
            for command in commands(path) {
                let outcome = try await ProgramWithPipes.run(command, environment: environment)
                #expect(
                    outcome.status == .exited(0), "\(command) \(column) \(number): \(outcome.errorOutput.suffix(300))")
            }
        }
    }
}
