import Foundation
import TestSupport
import Testing

/// What a monitor knows again of alarms when it was killed.
@Suite("A restart", .calm)
struct RestartTests {
    @Test("loses no fever and no unanswered alarm, not even after SIGKILL, and invents no answer")
    func killed() async throws {
        let world = try await World.simulated("steady")
        let folder = try TemporaryFolder()
        let environment = ["XDG_DATA_HOME": folder.path + "/data", "XDG_STATE_HOME": folder.path + "/state"]
        func start() async throws -> ProgramWithPipes {
            try await ProgramWithPipes.start(
                ["watch", "--json", "--connect", "all"], on: world, environment: environment)
        }
        func alarm(_ kind: String, _ state: String, of program: ProgramWithPipes) async throws -> WatchLine {
            try await program.next("\(kind) \(state)") {
                $0.event == "alarm" && $0.text("kind") == kind && $0.text("state") == state
            }
        }
        func log() async throws -> [String] {
            let outcome = try await ProgramWithPipes.run(["alarms", "--json", "--simulate"], environment: environment)
            return try outcome.output.split(separator: "\n").compactMap { line in
                let fields = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
                guard let kind = fields["kind"] as? String, let state = fields["state"] as? String else { return nil }
                return "\(kind) \(fields["id"] ?? "") \(state)"
            }
        }
        let first = try await start()
        _ = try await first.next("a heart rate") { $0.isReading(of: "heart_rate", 72) }
        try await world.please("hr 30")
        let rate = try await alarm("severe_low", "active", of: first)
        try await world.please("hr 72")
        _ = try await alarm("severe_low", "ended", of: first)
        try await world.please("temp 39.5")
        let fever = try await alarm("fever_single", "active", of: first)
        try await world.please("temp 38.0")
        let (rateNumber, feverNumber) = (try #require(rate.number("id")), try #require(fever.number("id")))
        try await world.waitUntil("the store has both, and the milder temperature") {
            let entries = try await log()
            let store = folder.path + "/data/bedside/simulated/store.sqlite"
            let rows = try await SQLiteTool.rows(
                "SELECT count(*) > 0 FROM readings WHERE vital = 'body_temperature' AND value = 38.0", in: store)
            return entries.contains("severe_low \(Int(rateNumber)) ended")
                && entries.contains("fever_single \(Int(feverNumber)) active") && rows == [["1"]]
        }
        await first.send(signal: SIGKILL)
        #expect(try await first.waitForExit().status == .killed(signal: SIGKILL))

        let second = try await start()
        let suspended = try await alarm("fever_single", "suspended", of: second)
        #expect(suspended.number("id") == feverNumber)
        let over = try await alarm("severe_low", "ended", of: second)
        #expect(over.number("id") == rateNumber && over.fields["latched"] as? Bool == true)
        // Its own rule has not ended the fever: it was below 37.8 °C for no half hour.
        let active = try await alarm("fever_single", "active", of: second)
        #expect(active.number("id") == feverNumber)
        try await world.waitUntil("the log contains both") {
            let entries = try await log()
            return [
                "fever_single \(Int(feverNumber)) interrupted", "fever_single \(Int(feverNumber)) suspended",
                "severe_low \(Int(rateNumber)) unanswered",
            ].allSatisfy(entries.contains)
        }
        await second.send(signal: SIGTERM)
        #expect(try await second.waitForExit().status == .exited(0))
    }
}
