import Foundation
import TestSupport
import Testing

/// Nights that come from files of other programs, and go to them.
@Suite("Nights in files", .startsPrograms)
struct NightImportTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func run(_ words: [String], zone: String = "Europe/Berlin") async throws -> ProgramWithPipes.Outcome {
        try await ProgramWithPipes.run(
            words,
            environment: [
                "XDG_RUNTIME_DIR": folder.path, "XDG_STATE_HOME": folder.path + "/state",
                "XDG_DATA_HOME": folder.path + "/data", "TZ": zone,
            ])
    }

    /// A night in which the clocks are set back, by a ring whose clock nobody sets: three hours, a line every four seconds.
    private static let table: String = {
        let lines = (0..<2700).map { place in
            let second = 23 * 3600 + place * 4
            let (hour, day) = (second / 3600 % 24, second < 86_400 ? 25 : 26)
            let time = String(format: "%02d:%02d:%02d Oct %d 2025", hour, second / 60 % 60, second % 60, day)
            return "\(time),\(97 - place % 9),\(55 + place % 31),\(place % 5),0,0\r\n"
        }
        return "Time,Oxygen Level,Pulse Rate,Motion,O2 Reminder,PR Reminder\r\n" + lines.joined()
    }()

    @Test("go through the store unchanged, are there once, and are the same in EDF+")
    func wayThrough() async throws {
        let file = try folder.write(Self.table, to: "O2Ring_20251025230000.csv")
        let trial = try await run(["import", "--dry-run", file])
        #expect(
            trial.output == """
                its night: night from 2025-10-25T21:00:00.000Z, 3 h 0 min, a sample every 4 s, 2700 of 2700 with a saturation
                1 night would be imported.

                """)
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/data/bedside/store.sqlite"))
        #expect(try await run(["import", file]).output == "1 night imported.\n")
        #expect(try await run(["import", file]).output == "0 nights imported, 1 in the record already.\n")
        let table = try await run(["export", "--format", "viatom-csv"])
        #expect(table.output == Self.table)
        let path = folder.path + "/night.edf"
        #expect(try await run(["export", "--format", "edf", "--output", path]).status == .exited(0))
        #expect(try await run(["import", path]).output == "0 nights imported, 1 in the record already.\n")
        #expect(try await run(["import", "--patient", "other", path]).output == "1 night imported.\n")
        #expect(try await run(["export", "--patient", "other", "--format", "viatom-csv"]).output == Self.table)
        let ring = try await run(["export", "--format", "ring-file"])
        #expect(ring.status == .exited(66) && ring.errorOutput.contains("No night that a ring handed over"))
    }

    @Test("that are cut off, doubled or of another kind are refused with the place, and change nothing")
    func damaged() async throws {
        let cut = try folder.write(String(Self.table.dropLast(30)), to: "cut.csv")
        let doubled = try folder.write(Self.table + Self.table.drop { $0 != "\r\n" }, to: "doubled.csv")
        let foreign = try folder.write(Self.table, to: "foreign.edf")
        let ring = try folder.write(Self.table, to: "ring.dat")
        for (file, reason) in [
            (cut, "line 2701 is refused, and so is the file."), (doubled, "is not after that of the line before"),
            (foreign, "it does not begin as EDF does, at octet 0"),
            (ring, "it does not begin as a night of a ring does"),
        ] {
            let outcome = try await run(["import", file])
            #expect(outcome.status == .exited(65) && outcome.output.isEmpty)
            #expect(outcome.errorOutput.contains(reason), "\(outcome.errorOutput)")
        }
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/data/bedside/store.sqlite"))
    }
}
