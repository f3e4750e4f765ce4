import Foundation
import TestSupport
import Testing

/// The patient's record on the screen, by keys, and what becomes of it with another patient.
@Suite("The record by keys", .startsPrograms)
struct RecordByKeysTests {
    let folder: TemporaryFolder
    var environment: [String: String] {
        ["XDG_DATA_HOME": folder.path + "/data", "XDG_STATE_HOME": folder.path + "/state"]
    }

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test("takes a blood count, a medication and a symptom, corrects, takes back with a reason, and refuses")
    func keys() async throws {
        let world = try await World.simulated("steady")
        let program = try await ProgramInTerminal.start([], on: world, environment: environment)
        try await program.waitFor("SENSORS")
        await program.type("rfwbc 1.2 neutrophils 35% -2h\r")
        try await program.waitFor("ANC 420/µL")
        await program.type("mparacetamol 500 mg -1h\r")
        try await program.waitFor("paracetamol 500 mg")
        await program.type("ynausea 7\r")
        try await program.waitFor("nausea 7/10, severe")
        // A correction that is impossible is refused with a sentence, and the entry stays.
        await program.press(.home)
        await program.type("E")
        try await program.waitFor("Symptom: nausea 7")
        await program.press(.end)
        await program.press(.backspace)
        await program.type("11\r")
        try await program.waitFor("11 is not possible")
        await program.press(.backspace)
        await program.press(.backspace)
        await program.type("4\r")
        try await program.waitFor("Reason")
        await program.type("misheard\r")
        try await program.waitFor("nausea 4/10, moderate")
        // The oldest entry is taken back.
        await program.press(.end)
        await program.type("x")
        try await program.waitFor("Reason")
        await program.type("of another patient\r")
        try await program.waitFor("MISTAKE")
        let store = folder.path + "/data/bedside/simulated/store.sqlite"
        try await world.waitUntil("all of it is in the store") {
            let rows = try await SQLiteTool.rows(
                "SELECT kind, status, ifnull(retraction_reason, ifnull(correction_reason, '')) FROM record_entries ORDER BY entered",
                in: store)
            return rows == [
                ["lab", "entered-in-error", "of another patient"], ["medication", "final", ""],
                ["symptom", "entered-in-error", "misheard"], ["symptom", "corrected", "misheard"],
            ]
        }
        try await program.closePage()
        #expect(try await program.quit() == .exited(0))
    }

    @Test(
        "is closed for another patient: nothing of it is shown again, not even after a restart, and it stays readable")
    func anotherPatient() async throws {
        let world = try await World.simulated("steady")
        let first = try await ProgramInTerminal.start([], on: world, environment: environment)
        try await first.waitFor("SENSORS")
        await first.type("et39.6 mouth -5m\r")
        try await first.waitFor("FEVER 39.6")
        await first.type("b142/88\r")
        try await first.waitFor("BP 142/88")
        await first.type("mparacetamol -10m\r")
        try await first.waitFor("paracetamol")
        await first.type("fwbc 0.6 neutrophils 10%\r")
        try await first.waitFor("60/µL")
        try await first.closePage()
        await first.type("Py")
        let former = ["39.6", "142/88", "paracetamol", "60/µL", "FEVER"]
        try await first.waitUntil("nothing of it is left") { screen in !former.contains { screen.shows($0) } }
        for page in ["r", "L", "e", "A"] {
            await first.type(page)
            try await first.waitUntil("nothing of it is on page \(page)") { screen in
                screen.shows(["r": "RECORD", "L": "ALARM LOG", "e": "ENTER BY HAND", "A": "ALARMS"][page] ?? "")
                    && !former.contains { screen.shows($0) }
            }
            await first.type(page)
        }
        #expect(try await first.quit() == .exited(0))

        let second = try await ProgramInTerminal.start([], on: world, environment: environment)
        try await second.waitFor("SENSORS")
        await second.type("et37.1 mouth\r")
        try await second.waitFor("37.1")
        try await second.closePage()
        for page in ["r", "L"] {
            await second.type(page)
            try await second.waitUntil("nothing of it is on page \(page)") { screen in
                screen.shows(["r": "RECORD", "L": "ALARM LOG"][page] ?? "") && !former.contains { screen.shows($0) }
            }
            await second.type(page)
        }
        #expect(try await second.quit() == .exited(0))

        func output(_ words: [String]) async throws -> String {
            let outcome = try await ProgramWithPipes.run(words + ["--simulate"], environment: environment)
            #expect(outcome.status == .exited(0), "\(words): \(outcome.errorOutput)")
            return outcome.output
        }
        let list = try await output(["report", "--record", "list"]).split(separator: "\n")
        #expect(list.count == 2 && list[0].hasPrefix("1  from the beginning until") && list[1].hasSuffix(", open"))
        for command in [["report"], ["history"], ["export"], ["alarms"]] {
            let (present, closed) = (try await output(command), try await output(command + ["--record", "1"]))
            #expect(!present.contains("39.6") && closed.contains("39.6"), "\(command)")
            #expect(try await output(command + ["--record", "all"]).contains("39.6"), "\(command)")
        }
        let none = try await ProgramWithPipes.run(
            ["history", "--simulate", "--record", "7"], environment: environment)
        #expect(none.status == .exited(66) && none.errorOutput.contains("There is no record 7"))
    }
}
