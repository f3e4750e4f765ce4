import Foundation
import Glibc
import TestSupport
import Testing

/// What becomes of recording and of reading at the edges: the store is taken away, cannot be written, or is no file.
@Suite("The store's edges", .startsPrograms)
struct StoreEdgeTests {
    private func record(_ readings: Int, in folder: TemporaryFolder, _ options: [String] = []) async throws {
        let watch = try await ProgramWithPipes.run(
            ["watch", "--json", "--simulate=steady", "--connect", "all", "--count", "\(readings)"] + options,
            environment: ["XDG_DATA_HOME": folder.path])
        #expect(watch.status == .exited(0), "\(watch.errorOutput)")
    }

    private func run(_ words: [String], in folder: TemporaryFolder) async throws -> ProgramWithPipes.Outcome {
        try await ProgramWithPipes.run(words, environment: ["XDG_DATA_HOME": folder.path])
    }

    private func store(in folder: TemporaryFolder) -> String { folder.path + "/bedside/simulated/store.sqlite" }

    @Test("raise an alarm when the store is removed, and recording continues in a new one")
    func removed() async throws {
        let folder = try TemporaryFolder()
        let bedside = try await ProgramWithPipes.start(
            ["watch", "--json", "--simulate=steady", "--connect", "all"], environment: ["XDG_DATA_HOME": folder.path])
        _ = try await bedside.next("a reading") { $0.event == "reading" }
        let store = store(in: folder)
        try await awaitFile(store)
        #expect(unlink(store) == 0)
        _ = try await bedside.next("the alarm") {
            $0.text("kind") == "storage" && $0.text("state") == "active"
                && $0.text("text")?.contains("removed or moved") == true
        }
        _ = try await bedside.next("the end of the alarm") {
            $0.text("kind") == "storage" && $0.text("state") == "ended"
        }
        let reading = try await bedside.next("a reading") { $0.event == "reading" }
        await bedside.send(signal: SIGTERM)
        let outcome = try await bedside.waitForExit()
        #expect(outcome.errorOutput.contains("Recording continues in \(store)"), "\(outcome.errorOutput)")
        let rows = try await SQLiteTool.rows(
            """
            SELECT count(*) > 0 FROM readings WHERE time = '\(reading.text("t") ?? "")';
            SELECT count(*) FROM alarm_log WHERE kind = 'storage' AND state = 'active'; PRAGMA integrity_check
            """, in: store)
        #expect(rows == [["1"], ["1"], ["ok"]])
    }

    private func awaitFile(_ path: String) async throws {
        let end = ContinuousClock.now + .seconds(60)
        while access(path, F_OK) != 0 {
            try #require(ContinuousClock.now < end, "there is no \(path)")
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    /// Runs the program where a folder may not be written to, not even by root.
    private func runReadOnly(_ words: [String], in folder: TemporaryFolder) async throws -> ProgramWithPipes.Outcome {
        let script = """
            place=$1; shift
            mount --bind "$place" "$place" && mount -o remount,bind,ro "$place" && exec "$@"
            """
        return try await ProgramWithPipes.run(
            ["--user", "--map-root-user", "--mount", "sh", "-c", script, "sh", folder.path, Harness.program] + words,
            environment: ["XDG_DATA_HOME": folder.path], program: "/usr/bin/unshare")
    }

    @Test(
        "do not keep anybody from reading on a disk that may not be written to",
        .enabled(if: SmallDisk.isPossible, "one may not mount anything in a name space of one's own here"))
    func readOnly() async throws {
        let folder = try TemporaryFolder()
        try await record(12, in: folder)
        let store = store(in: folder)
        try #require(access(store + "-wal", F_OK) != 0)
        for words in [
            ["export", "--simulate"], ["history", "--simulate"], ["replay", "--simulate", "--json"],
            ["replay", store, "--json"],
        ] {
            let outcome = try await runReadOnly(words, in: folder)
            #expect(outcome.status == .exited(0), "\(words): \(outcome.errorOutput)")
            #expect(!outcome.output.isEmpty, "\(words): \(outcome.errorOutput)")
        }
        let alarms = try await runReadOnly(["alarms", "--simulate"], in: folder)
        #expect(alarms.status == .exited(0), "\(alarms.errorOutput)")

        // A log that cannot be used is not left out in silence.
        _ = try await SQLiteTool.rows("PRAGMA integrity_check", in: store)
        try #require(FileManager.default.createFile(atPath: store + "-wal", contents: Data(count: 5000)))
        let refused = try await runReadOnly(["export", "--simulate"], in: folder)
        #expect(refused.status != .exited(0))
        #expect(refused.errorOutput.contains("\(store)-wal"), "\(refused.errorOutput)")
    }

    @Test("do not let an export destroy a store, and `-` is standard output")
    func exportTargets() async throws {
        let folder = try TemporaryFolder()
        try await record(4, in: folder)
        let store = store(in: folder)
        let link = folder.path + "/day.csv"
        try FileManager.default.linkItem(atPath: store, toPath: link)
        for path in [store, link] {
            let outcome = try await run(["export", "--simulate", "--output", path, "--force"], in: folder)
            #expect(outcome.status == .exited(74))
            #expect(outcome.errorOutput.contains("store of Bedside"), "\(outcome.errorOutput)")
        }
        let plain = try await run(["export", "--simulate"], in: folder)
        let dash = try await run(["export", "--simulate", "--output", "-"], in: folder)
        #expect(dash.status == .exited(0) && dash.output == plain.output && !plain.output.isEmpty)
        #expect(access("-", F_OK) != 0)
    }

    @Test("report what is found instead of a store, and never wait for it")
    func pipe() async throws {
        let folder = try TemporaryFolder()
        let path = store(in: folder)
        try FileManager.default.createDirectory(
            atPath: folder.path + "/bedside/simulated", withIntermediateDirectories: true)
        try #require(mkfifo(path, 0o600) == 0)
        for words in [["export", "--simulate"], ["history", "--simulate"], ["alarms", "--simulate"]] {
            let outcome = try await run(words, in: folder)
            #expect(outcome.status == .exited(66))
            #expect(outcome.errorOutput.contains("not an ordinary file"), "\(outcome.errorOutput)")
        }
        let watch = try await run(
            ["watch", "--json", "--simulate=steady", "--connect", "all", "--count", "2"], in: folder)
        #expect(watch.status == .exited(0))
        #expect(watch.errorOutput.contains("not an ordinary file"), "\(watch.errorOutput)")
    }

    @Test("have the name of the sender of octets from the first ones on")
    func rawNames() async throws {
        let folder = try TemporaryFolder()
        try await record(12, in: folder, ["--set", "recording.raw=true"])
        let rows = try await SQLiteTool.rows(
            """
            SELECT count(*) > 3 FROM notification; SELECT count(*) FROM sensor WHERE name = '' OR kind = 'other';
            SELECT count(*) FROM word WHERE text IN ('2A37', '2A1C', '2A5F')
            """, in: store(in: folder))
        #expect(rows == [["1"], ["0"], ["0"]])
    }
}
