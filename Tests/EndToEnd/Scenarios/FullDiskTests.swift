import Foundation
import Glibc
import TestSupport
import Testing

/// What becomes of recording on a real file system that is full: a small one in memory, in a name space of its own.
@Suite(
    "A full disk", .startsPrograms,
    .enabled(if: SmallDisk.isPossible, "one may not mount anything in a name space of one's own here"))
struct FullDiskTests {
    /// A sensor that fills the room of a small disk in some ten seconds.
    ///
    /// With a faster one, a busy computer would read these lines for so long that what comes meanwhile is more than is kept
    /// for the disk.
    private static let load = """
        {
          sensors: [
            { name: 'Strap', address: 'C0:52:49:00:10:00', kind: 'heartRateStrap', heartRate: 70, interval: 0.005 },
          ],
        }
        """

    @Test("raises an alarm while monitoring continues, and nothing is lost once there is room again")
    func fillsAndEmpties() async throws {
        let folder = try TemporaryFolder()
        let scenario = try folder.write(Self.load, to: "load.json5")
        let place = folder.path + "/disk"
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        let bedside = try await ProgramWithPipes.start(
            SmallDisk.arguments(place) + ["watch", "--json", "--simulate=\(scenario)", "--connect", "all"],
            environment: ["XDG_DATA_HOME": place], program: SmallDisk.program)

        _ = try await bedside.next("the alarm of a full disk") {
            $0.text("kind") == "storage" && $0.text("state") == "active"
                && $0.text("text")?.contains("nothing more is recorded") == true
        }
        let during = try await bedside.next("a reading while the disk is full") { $0.event == "reading" }

        // The same file system, seen from outside of the name space.
        let inside = "/proc/\(await bedside.processIdentifier)/root" + place
        #expect(unlink(inside + SmallDisk.ballast) == 0)
        _ = try await bedside.next("the end of the alarm") {
            $0.text("kind") == "storage" && $0.text("state") == "ended"
        }

        let time = try #require(during.text("t"))
        try await expectStored(
            "SELECT count(*) > 0 FROM readings WHERE time = '\(time)'", [["1"]],
            by: bedside, in: inside + "/bedside/simulated/store.sqlite", copiedTo: folder.path + "/copy.sqlite")
        await bedside.send(signal: SIGTERM)
        let outcome = try await bedside.waitForExit()
        #expect(outcome.status == .exited(0))
        #expect(!outcome.errorOutput.contains("lost"), "\(outcome.errorOutput)")
    }

    /// Waits until a store that is written to has what a query asks for, and expects it to be whole and without a gap of
    /// its own.
    private func expectStored(
        _ query: String, _ answer: [[String]], by bedside: ProgramWithPipes, in store: String, copiedTo copy: String
    ) async throws {
        var rows: [[String]] = []
        try await awaitCondition("what came before, or while the disk was full, is recorded") {
            // It stands still while its files are copied to where `sqlite3` can reach them.
            await bedside.send(signal: SIGSTOP)
            for tail in ["", "-wal"] {
                try? FileManager.default.removeItem(atPath: copy + tail)
                try FileManager.default.copyItem(atPath: store + tail, toPath: copy + tail)
            }
            await bedside.send(signal: SIGCONT)
            // A busy computer may have kept the program from monitoring, which is a gap of another reason.
            rows = try await SQLiteTool.rows(
                """
                \(query); SELECT count(*) FROM gap JOIN word ON word.id = reason WHERE text = 'storage';
                PRAGMA integrity_check
                """, in: copy)
            return Array(rows.prefix(answer.count)) == answer
        }
        #expect(rows == answer + [["0"], ["ok"]])
    }

    @Test("while it records, for several attempts to write, costs nothing: the same store goes on")
    func fillsLater() async throws {
        let folder = try TemporaryFolder()
        let scenario = try folder.write(Self.load, to: "load.json5")
        let place = folder.path + "/disk"
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        let bedside = try await ProgramWithPipes.start(
            SmallDisk.arguments(place, ballast: 1) + ["watch", "--json", "--simulate=\(scenario)", "--connect", "all"],
            environment: ["XDG_DATA_HOME": place], program: SmallDisk.program)
        let first = try await bedside.next("a first reading") { $0.event == "reading" }
        let inside = "/proc/\(await bedside.processIdentifier)/root" + place
        let store = inside + "/bedside/simulated/store.sqlite"
        // More than once what the log holds between two checkpoints, so that one of them is stopped.
        for _ in 0..<3000 { _ = try await bedside.next("a reading") { $0.event == "reading" } }
        try SmallDisk.fill(inside + SmallDisk.ballast)
        _ = try await bedside.next("the alarm of a full disk") {
            $0.text("kind") == "storage" && $0.text("text")?.contains("full, nothing more is recorded") == true
        }
        // Some ten seconds, in which it is tried twice. On a busy computer these lines are read much later, and the disk is
        // full for as long: so there are few enough to be kept for eight minutes.
        for _ in 0..<2000 { _ = try await bedside.next("a reading while the disk is full") { $0.event == "reading" } }
        #expect(unlink(inside + SmallDisk.ballast) == 0)
        _ = try await bedside.next("the end of the alarm") {
            $0.text("kind") == "storage" && $0.text("state") == "ended"
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: inside + "/bedside/simulated")
        #expect(Set(names).subtracting(["-wal", "-shm", ".use", ""].map { "store.sqlite\($0)" }).isEmpty, "\(names)")

        let time = try #require(first.text("t"))
        try await expectStored(
            """
            SELECT count(*) > 0 FROM readings WHERE time = '\(time)'; SELECT count(*) > 5000 FROM reading
            """, [["1"], ["1"]], by: bedside, in: store, copiedTo: folder.path + "/copy.sqlite")
        await bedside.send(signal: SIGTERM)
        #expect(try await bedside.waitForExit().status == .exited(0))
    }
}

/// A file system of 16 MB in memory, for one program only, nearly filled with ballast.
enum SmallDisk {
    static let program = "/usr/bin/unshare"
    static let ballast = "/ballast"

    private static let options = ["--user", "--map-root-user", "--mount"]

    private static let script = """
        place=$1; ballast=$2; shift 2
        mount -t tmpfs -o size=16m,mode=700 none "$place" && head -c $ballast /dev/zero >"$place\(ballast)" && exec "$@"
        """

    /// What runs `bedside`, with what follows, where the small disk is mounted in a folder.
    ///
    /// - Parameter ballast: How many bytes of it are in use at first.
    static func arguments(_ place: String, ballast: Int = 16_000_000) -> [String] {
        options + ["sh", "-c", script, "sh", place, "\(ballast)", Harness.program]
    }

    /// Fills the disk to its last byte.
    static func fill(_ path: String) throws {
        let file = try #require(fopen(path, "a"))
        defer { fclose(file) }
        let octets = [UInt8](repeating: 0, count: 4096)
        setvbuf(file, nil, _IONBF, 0)
        while fwrite(octets, 1, octets.count, file) == octets.count {}
    }

    /// Whether this user may mount something in a name space of their own.
    static let isPossible: Bool = {
        let probe = Process()
        probe.executableURL = URL(fileURLWithPath: program)
        probe.arguments = options + ["mount", "-t", "tmpfs", "none", "/mnt"]
        (probe.standardOutput, probe.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
        guard (try? probe.run()) != nil else { return false }
        probe.waitUntilExit()
        return probe.terminationStatus == 0
    }()
}
