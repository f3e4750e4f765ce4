import Foundation
import TestSupport
import Testing

/// Sensors that measure now and then: a cuff that hands over a pressure and goes.
@Suite("A cuff", .startsPrograms)
struct EpisodicSensorTests {
    private static let scenario = """
        {
          title: 'A cuff that measures again and again',
          sensors: [{
            name: 'BM 54', address: 'C0:52:49:00:00:07', kind: 'generic', interval: 1, advertises: ['1810'],
            services: [
              {
                uuid: '1810',
                characteristics: [
                  { uuid: '2A35', flags: ['indicate'], values: ['1E 78 00 50 00 5D 00 EA 07 01 02 03 04 05 48 00 01 04 00'] },
                ],
              },
              {
                uuid: '1805',
                characteristics: [
                  { uuid: '2A2B', flags: ['read', 'write'], values: ['EA 07 01 02 03 04 05 05 00 00'] },
                ],
              },
            ],
          }],
        }
        """

    @Test(
        "is set by our clock, measures, goes and raises no alarm; what it sends twice is one entry, also after a restart"
    )
    func comesAndGoes() async throws {
        let folder = try TemporaryFolder()
        let world = try await World.simulated(try folder.write(Self.scenario, to: "cuff.json5"))
        let environment = ["XDG_DATA_HOME": folder.path + "/data", "XDG_STATE_HOME": folder.path + "/state"]
        let store = folder.path + "/data/bedside/simulated/store.sqlite"
        let query = "SELECT kind, systolic, diastolic, pulse, sensor, remark FROM record_entries"
        for _ in 0..<2 {
            let bedside = try await ProgramInTerminal.start(["--connect", "all"], on: world, environment: environment)
            // After a restart the record has the pressure before the cuff is there.
            try await bedside.waitFor("ready to measure")
            try await bedside.waitFor("BP 120/80")
            try await bedside.waitFor("irregular pulse")
            try await world.please("vanish all")
            try await bedside.waitFor("asleep until")
            try await bedside.waitFor("No alarms")
            try await world.waitUntil("it is in the store, once") {
                try await SQLiteTool.rows(query, in: store)
                    == [["blood_pressure", "120", "80", "72", "BM 54", "irregular pulse detected"]]
            }
            #expect(try await bedside.quit() == .exited(0))
            try await world.please("return all")
        }
    }
}
