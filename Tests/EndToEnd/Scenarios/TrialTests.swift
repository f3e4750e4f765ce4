import Foundation
import TestSupport
import Testing

/// What a trial without sensors shows.
@Suite("A trial", .startsPrograms)
struct TrialTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private var environment: [String: String] { ["XDG_DATA_HOME": folder.path, "XDG_RUNTIME_DIR": folder.path] }
    private var store: String { folder.path + "/bedside/simulated/store.sqlite" }

    private func start(_ arguments: [String]) async throws -> ProgramInTerminal {
        try await ProgramInTerminal.start(arguments, environment: environment, columns: 120, rows: 40)
    }

    private func count(_ rows: String) async throws -> Int {
        Int(try await SQLiteTool.rows("SELECT count(*) FROM \(rows)", in: store).first?.first ?? "") ?? -1
    }

    @Test("begins with two weeks of a past, labelled, and no present number; the next one adds none and connects again")
    func past() async throws {
        let first = try await start(["--simulate"])
        try await first.waitUntil("the sensors are heard") { $0.shows("Polar H10 4A2C1B23") }
        let screen = await first.screen
        #expect(screen.lines[0].contains("SIMULATED"))
        #expect(screen.shows("Nothing is measured"))
        #expect(try await count("reading") > 50_000)
        await first.type("D")
        try await first.waitUntil("the days are there") {
            $0.shows("THE LAST 14 DAYS") && $0.shows("Neutrophils") && $0.shows("median")
        }
        #expect(await first.screen.lines[0].contains("SIMULATED"))
        await first.type("*")
        try await first.waitUntil("the night is there") {
            $0.shows("NIGHT OF ") && $0.shows("ODI 3 %") && $0.shows("Falls")
        }
        await first.press(.escape)
        try await first.connect("Polar H10 4A2C1B23")
        #expect(try await first.quit() == .exited(0))

        let runs = try await count("epoch WHERE run IS NULL")
        let past = try await count("reading WHERE epoch < 3")
        let second = try await start(["--simulate"])
        try await second.waitUntil("the strap is connected again") {
            $0.row(of: "Polar H10 4A2C1B23", says: "connected")
        }
        #expect(try await count("epoch WHERE run IS NULL") == runs + 1)
        #expect(try await count("reading WHERE epoch < 3") == past)
        // Between runs; a busy computer may have kept the program from monitoring within one.
        #expect(try await count("gap JOIN epoch ON epoch.id = gap.epoch WHERE to_wall_ms <= wall_ms") == 3)
        #expect(try await second.quit() == .exited(0))

        let report = try await ProgramWithPipes.run(["report", "--simulate"], environment: environment)
        #expect(report.output.contains("SIMULATED") && report.output.contains("39."), "\(report.output)")
        let night = try await ProgramWithPipes.run(["night", "--simulate"], environment: environment)
        #expect(night.output.contains("SIMULATED") && night.output.contains("ODI 3 %"), "\(night.output)")
        let nights = try await ProgramWithPipes.run(
            ["night", "--simulate", "--from", "30d", "--json"], environment: environment)
        #expect(nights.output.split(separator: "\n").count { $0.contains("\"event\":\"night\"") } >= 13)
        let real = try await ProgramWithPipes.run(["report"], environment: environment)
        #expect(!real.output.contains("39."), "\(real.output)")
    }

    @Test("is only the one without a scenario, and only where something is recorded")
    func others() async throws {
        let named = try await start(["--simulate=ward-evening"])
        try await named.waitUntil("the sensors are heard") { $0.shows("Polar H10 4A2C1B23") }
        #expect(try await count("reading") == 0)
        #expect(try await named.quit() == .exited(0))
        try FileManager.default.removeItem(atPath: folder.path + "/bedside")
        let unrecorded = try await start(["--simulate", "--set", "recording.enabled=false"])
        try await unrecorded.waitUntil("the sensors are heard") { $0.shows("Polar H10 4A2C1B23") }
        #expect(try await count("reading") == 0)
        #expect(try await unrecorded.quit() == .exited(0))
    }
}
