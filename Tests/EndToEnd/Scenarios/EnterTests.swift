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
}
