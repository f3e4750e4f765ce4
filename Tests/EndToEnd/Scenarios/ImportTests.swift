import Foundation
import TestSupport
import Testing

/// Entries that come from files.
@Suite("bedside import", .startsPrograms)
struct ImportTests {
    let folder: TemporaryFolder
    var session: [String: String] {
        [
            "XDG_RUNTIME_DIR": folder.path, "XDG_STATE_HOME": folder.path + "/state",
            "XDG_DATA_HOME": folder.path + "/data", "TZ": "UTC",
        ]
    }

    init() throws {
        folder = try TemporaryFolder()
    }

    private func run(_ words: [String]) async throws -> ProgramWithPipes.Outcome {
        try await ProgramWithPipes.run(words, environment: session)
    }

    private func rows(_ store: String = "data/bedside/store.sqlite") async throws -> [[String]] {
        try await SQLiteTool.rows(
            "SELECT kind, ifnull(value, ifnull(note, systolic)), imported_from FROM record_entries ORDER BY entered, time",
            in: "\(folder.path)/\(store)")
    }

    @Test("lists first, adds once, refuses with the line, and takes rare values only with a word")
    func table() async throws {
        let file = try folder.write(
            """
            time;kind;value;unit
            2025-12-18 07:30;lab;wbc 1,2 neutrophils 35%;
            2025-12-18 08:00;temperature;42,3;°C
            2025-12-18 08:05;spo2;101;
            2025-12-18 08:10;pressure;120/80;
            """, to: "old.csv")
        let trial = try await run(["import", "--dry-run", file])
        #expect(trial.status == .exited(65), "\(trial.errorOutput)")
        #expect(trial.output.contains("line 2: blood count: ANC 420/µL (severe neutropenia)"))
        #expect(trial.output.contains("line 3: not imported. 42.3 °C is unusual."))
        #expect(trial.output.contains("line 4: refused. 101 % is not a possible SpO₂"))
        #expect(trial.output.contains("2 entries would be imported, 1 rare and left out, 1 refused."))
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/data/bedside/store.sqlite"))
        #expect(try await run(["import", file]).output.contains("2 entries imported"))
        let again = try await run(["import", "--yes", file])
        #expect(again.output.contains("1 entry imported, 2 in the record already, 1 refused."))
        let expected = [
            ["lab", "420.0", "old.csv (csv)"], ["blood_pressure", "120", "old.csv (csv)"],
            ["body_temperature", "42.3", "old.csv (csv)"],
        ]
        #expect(try await rows() == expected)
        #expect(try await run(["import", "/nowhere.csv"]).status == .exited(66))
        #expect(try await run(["import", file + ".txt"]).status == .exited(64))
        #expect(try await run(["import", "--format", "cvs", file]).errorOutput.contains("did you mean 'csv'?"))
    }

    @Test(
        "refuses a local time that the clocks skipped, in any zone, and takes the ones beside it",
        arguments: [
            ("Europe/Berlin", "29.03.2025 02:30", "30.03.2025 02:30", "30.03.2025 03:00"),
            ("Europe/Berlin", "2025-03-30 01:59", "2025-03-30T02:00:00", "2025-10-26 02:30"),
            ("America/New_York", "2025-03-09 01:59", "2025-03-09 02:59", "2025-03-09 03:00"),
            ("Australia/Lord_Howe", "2024-10-06 01:59", "2024-10-06 02:15", "2024-10-06 02:30"),
            ("Pacific/Apia", "2011-12-29 12:00", "2011-12-30 12:00", "2011-12-31 00:00"),
            ("XST-1XDT-2,J329/2,J326/3", "2024-11-25 01:59", "25.11.2024 02:30", "2024-11-25 03:00"),
            // Summer time of six hours.
            ("XST-1XDT-2,J60/2,J60/8", "2025-03-01 01:59", "2025-03-01 02:30", "2025-03-01 03:00"),
        ])
    func skippedHour(zone: String, before: String, skipped: String, after: String) async throws {
        let lines = [before, skipped, after].map { "\($0);temperature;38,5" }
        let file = try folder.write("time;kind;value\n" + lines.joined(separator: "\n"), to: "night.csv")
        var environment = session
        environment["TZ"] = zone
        let outcome = try await ProgramWithPipes.run(["import", "--dry-run", file], environment: environment)
        #expect(outcome.status == .exited(65))
        #expect(outcome.output.contains("line 3: refused. There was no \(skipped): the clocks were set forward."))
        #expect(outcome.output.contains("2 entries would be imported, 1 refused."), "\(outcome.output)")
    }

    @Test("brings a record to another patient and back again, by both formats, and adds nothing to itself")
    func patients() async throws {
        for words in [
            ["lab", "wbc=1.2", "neutrophils=35%", "at=-2h"], ["medication", "paracetamol", "500", "mg"],
            ["symptom", "nausea", "6"], ["note", "=1+1; \"fine\""], ["temperature", "38.4", "mouth"],
            ["pressure", "120/80/93", "pulse", "72"], ["weight", "72.4"],
            "mascc burden mild hypotension no copd no tumour yes dehydration no outpatient yes under60 yes by Ada"
                .split(separator: " ").map(String.init),
        ] { #expect(try await run(["enter"] + words).status == .exited(0)) }
        for (format, file) in [("csv", "r.csv"), ("fhir", "r.json")] {
            let path = "\(folder.path)/\(file)"
            #expect(try await run(["export", "--format", format, "-o", path]).status == .exited(0))
            let own = try await run(["import", path])
            #expect(
                own.status == .exited(0) && own.output == "0 entries imported, 8 in the record already.\n", "\(own)")
            let name = "bed-\(format)"
            #expect(try await run(["import", "--patient", name, path]).output == "8 entries imported.\n")
            let there = try await run(["export", "--patient", name, "--format", "csv"])
            let here = try await run(["export", "--format", "csv"])
            // All that differs are the run with its clock, and where it came from.
            func comparable(_ table: String) -> [String] {
                table.split(separator: "\r\n").map { line in
                    String(line).replacing(/,\d+,-?\d+,false,/, with: ",")
                        .replacing(/,[^,]*,[^,]*((?:,[^,]*){4})$/) { String($0.1) }
                }
            }
            #expect(comparable(there.output) == comparable(here.output))
            let back = try await run(["export", "--patient", name, "--format", format, "-o", path + ".back"])
            #expect(back.status == .exited(0))
            let again = try await run(["import", "--format", format, path + ".back"])
            #expect(again.output == "0 entries imported, 8 in the record already.\n", "\(again)")
        }
    }

    @Test("hands entries to the monitor that runs, which judges the recent ones at once, and reads standard input")
    func monitored() async throws {
        let monitor = try await ProgramInTerminal.start(
            ["--simulate=steady", "--connect", "all"], environment: session)
        try await monitor.waitForSteadyValues()
        let formatter = ISO8601DateFormatter()
        let recent = formatter.string(from: Date(timeIntervalSinceNow: -300))
        let outcome = try await ProgramWithPipes.run(
            ["import", "--simulate", "--format", "csv", "-"],
            input: "time,kind,value\n\(recent),temperature,39.6 mouth\n2024-12-18T08:00:00Z,weight,70.1\n",
            environment: session)
        #expect(outcome.output == "2 entries imported.\n", "\(outcome.errorOutput)")
        try await monitor.waitFor("FEVER 39.6")
        await monitor.type("r")
        try await monitor.waitFor("from standard input (csv)")
        try await monitor.closePage()
        try await monitor.quitWhenAsked()
        #expect(try await monitor.waitForExit() == .exited(0))
        let rows = try await rows("data/bedside/simulated/store.sqlite")
        #expect(Set(rows.map { $0[0] }) == ["body_temperature", "weight"])
    }
}
