import Foundation
import TestSupport
import Testing

/// What scripts enter into the patient's record.
@Suite("bedside enter", .startsPrograms)
struct EnterTests {
    let folder: TemporaryFolder
    var session: [String: String] {
        [
            "XDG_RUNTIME_DIR": folder.path, "XDG_STATE_HOME": folder.path + "/state",
            "XDG_DATA_HOME": folder.path + "/data",
        ]
    }

    init() throws {
        folder = try TemporaryFolder()
    }

    private func enter(_ words: [String]) async throws -> ProgramWithPipes.Outcome {
        try await ProgramWithPipes.run(["enter"] + words, environment: session)
    }

    private func rows(_ store: String = "data/bedside/store.sqlite") async throws -> [[String]] {
        try await SQLiteTool.rows(
            "SELECT kind, ifnull(value, ''), ifnull(note, '') FROM record_entries ORDER BY entered",
            in: "\(folder.path)/\(store)")
    }

    @Test("writes into the store where nobody monitors, and refuses what is impossible or unusual with a sentence")
    func alone() async throws {
        let lab = try await enter(["lab", "wbc=1.2", "neutrophils=35%", "at=-2h"])
        #expect(lab.status == .exited(0), "\(lab.errorOutput)")
        #expect(lab.output.contains("ANC 420/µL (severe neutropenia)"))
        #expect(try await enter(["medication", "paracetamol", "500", "mg"]).status == .exited(0))
        #expect(try await enter(["note", "at=-5m", "refuses the strap; at=home"]).status == .exited(0))
        let impossible = try await enter(["spo2", "101"])
        #expect(impossible.status == .exited(65) && impossible.errorOutput.contains("not a possible SpO₂"))
        #expect(try await enter(["temperature", "42.3"]).status == .exited(65))
        #expect(try await enter(["temperature", "42.3", "--yes"]).status == .exited(0))
        #expect(try await enter(["labs"]).errorOutput.contains("did you mean 'lab'?"))
        #expect(try await enter([]).status == .exited(64))
        #expect(
            try await rows() == [
                ["lab", "420.0", ""], ["medication", "", "paracetamol"], ["note", "", "refuses the strap; at=home"],
                ["body_temperature", "42.3", ""],
            ])
    }

    @Test("hands the entry to the monitor that runs, which judges it at once")
    func monitored() async throws {
        let monitor = try await ProgramInTerminal.start(
            ["--simulate=steady", "--connect", "all"], environment: session)
        try await monitor.waitForSteadyValues()
        let fever = try await enter(["--simulate", "temperature", "39.6", "mouth"])
        #expect(fever.status == .exited(0) && fever.output.hasPrefix("Entered: body temperature 39.6 °C, mouth"))
        try await monitor.waitFor("FEVER 39.6")
        // A simulated monitor never takes what is meant for a patient's.
        #expect(try await enter(["temperature", "37"]).output.hasPrefix("Entered, while nobody monitors"))
        #expect(try await rows() == [["body_temperature", "37.0", ""]])
        try await monitor.quitWhenAsked()
        #expect(try await monitor.waitForExit() == .exited(0))
        #expect(try await rows("data/bedside/simulated/store.sqlite") == [["body_temperature", "39.6", ""]])
    }

    @Test("is refused beside a monitor that found simulated sensors on its bus, whose record is apart")
    func simulatedBus() async throws {
        let world = try await World.simulated("steady")
        let monitor = try await ProgramInTerminal.start(["--connect", "all"], on: world, environment: session)
        try await monitor.waitForSteadyValues()
        for words in [["temperature", "37"], ["weight", "70", "--yes"]] {
            let refused = try await enter(words)
            #expect(refused.status != .exited(0) && refused.output.isEmpty)
            #expect(refused.errorOutput.contains("With --simulate it goes there"), "\(refused.errorOutput)")
        }
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/data/bedside/store.sqlite"))
        let entered = try await enter(["--simulate", "temperature", "37"])
        #expect(entered.output.hasPrefix("Entered: body temperature 37.0 °C"), "\(entered.errorOutput)")
        try await monitor.quitWhenAsked()
        #expect(try await monitor.waitForExit() == .exited(0))
        #expect(try await rows("data/bedside/simulated/store.sqlite") == [["body_temperature", "37.0", ""]])
        // Without it nobody monitors.
        #expect(try await enter(["temperature", "37"]).output.hasPrefix("Entered, while nobody monitors"))
    }

    @Test("leaves a store as it is that is damaged, or has a view without end in place of a table, and says so")
    func unusable() async throws {
        let store = folder.path + "/data/bedside/store.sqlite"
        try FileManager.default.createDirectory(
            atPath: folder.path + "/data/bedside", withIntermediateDirectories: true)
        let nonsense = String(repeating: "no store at all ", count: 512)
        try nonsense.write(toFile: store, atomically: true, encoding: .utf8)
        let refused = try await enter(["temperature", "37"])
        #expect(refused.status == .exited(65) && refused.output.isEmpty)
        #expect(refused.errorOutput.contains("Not entered") && refused.errorOutput.contains("damaged"))
        #expect(try String(contentsOfFile: store, encoding: .utf8) == nonsense)
        try FileManager.default.removeItem(atPath: store)

        #expect(try await enter(["temperature", "37"]).status == .exited(0))
        _ = try await SQLiteTool.rows(
            """
            ALTER TABLE epoch RENAME TO aside;
            CREATE VIEW epoch AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
            SELECT aside.* FROM aside, n
            """, in: store)
        let hostile = try await enter(["temperature", "38"])
        #expect(hostile.status == .exited(65))
        #expect(hostile.errorOutput.contains("`epoch` is not one of its tables"), "\(hostile.errorOutput)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/data/bedside").count == 1)
    }
}
