import Foundation
import TestSupport
import Testing

/// What people measure and type: on the screen, in the store, after a restart.
@Suite("Entering by hand", .startsPrograms)
struct RecordEntryTests {
    @Test("is shown as manual, alerts, is in the store a second later, and is known again after a restart")
    func typed() async throws {
        let world = try await World.simulated("steady")
        let folder = try TemporaryFolder()
        let environment = ["XDG_DATA_HOME": folder.path + "/data", "XDG_STATE_HOME": folder.path + "/state"]
        let store = folder.path + "/data/bedside/simulated/store.sqlite"
        let first = try await ProgramInTerminal.start([], on: world, environment: environment)
        try await first.waitFor("SENSORS")
        await first.type("et38.6 mouth -5m\r")
        try await first.waitFor("FEVER 38.6")
        await first.type("b142/88 pulse 71\r")
        try await first.waitFor("BP 142/88")
        await first.type("o101\r")
        try await first.waitFor("101 % is not a possible SpO₂")
        await first.press(.escape)
        try await first.waitUntil("nothing is typed any more") { !$0.shows("SpO2 %:") }
        await first.type("t98.6\r")
        try await first.waitFor("Did you mean 98.6 °F (37.0 °C)?")
        await first.type("y")
        try await first.waitFor("37.0 °C")
        await first.type("xy")
        try await first.waitFor("MISTAKE")
        try await world.waitUntil("all of it is in the store") {
            let rows = try await SQLiteTool.rows(
                "SELECT kind, ifnull(value, systolic), status FROM record_entries ORDER BY entered", in: store)
            return rows == [
                ["body_temperature", "38.6", "final"], ["blood_pressure", "142", "final"],
                ["body_temperature", "37.0", "entered-in-error"],
            ]
        }
        await first.press(.escape)
        try await first.waitFor("TEMPERATURE, MOUTH 38.6")
        try await first.quitWhenAsked()
        #expect(try await first.waitForExit() == .exited(0))

        let second = try await ProgramInTerminal.start([], on: world, environment: environment)
        try await second.waitFor("BP 142/88")
        try await second.waitFor("FEVER 38.6")
        try await second.waitFor("manual")
        // Another patient has nothing of it.
        await second.type("Py")
        try await second.waitUntil("it is gone") { !$0.shows("142/88") && !$0.shows("38.6") }
        #expect(try await second.quit() == .exited(0))
    }
}
