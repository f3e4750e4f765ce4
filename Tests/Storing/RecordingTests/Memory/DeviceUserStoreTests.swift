import Monitoring
import TestSupport
import Testing
import Vitals

@testable import Recording

@Suite("The persons of devices in the store")
struct DeviceUserStoreTests {
    private static let cuff = SensorIdentity(address: "C0:52:49:00:00:0B", name: "Cuff", kind: .bloodPressure)

    private static func entry(_ number: Int, of user: Int) -> RecordEntry {
        RecordEntry(
            .bloodPressure(BloodPressure(systolic: 120 + number, diastolic: 80)), from: .sensor(cuff),
            EntryFacts(sequence: number, user: user), enteredAt: .at(number))
    }

    private func users(_ store: TestStore, of patient: Int = 1) throws -> DeviceUsers {
        let history = try StoredHistory(store.database)
        defer { try? store.database.execute("COMMIT") }
        return try history.deviceUsers(of: patient)
    }

    @Test("are kept: the answers, whose measurements count, what waits, and what was left out, each once")
    func kept() throws {
        let store = try TestStore()
        let users = DeviceUserStore(database: store.database)
        #expect(try self.users(store) == DeviceUsers())
        try EntryStore(database: store.database).append(Self.entry(1, of: 1), run: store.run)
        let leftOut = LeftOutMeasurement(address: Self.cuff.address, user: 2, stamp: "7")
        let changes: [DeviceUserChange] = [
            .waits(Self.entry(2, of: 2)), .waits(Self.entry(3, of: 1)), .leftOut(leftOut),
            .answered(address: Self.cuff.address, 3), .answered(address: Self.cuff.address, 1),
        ]
        for change in changes + changes { try users.write(change, run: store.run) }
        let found = try self.users(store)
        #expect(found.answers == [Self.cuff.address: 1])
        #expect(found.counted == [Self.cuff.address: [1]])
        #expect(found.waiting == [Self.entry(2, of: 2), Self.entry(3, of: 1)])
        #expect(found.leftOut == [leftOut])
        try users.write(.settled(Self.entry(2, of: 2).id), run: store.run)
        #expect(try self.users(store).waiting == [Self.entry(3, of: 1)])
        // What waits is in no record.
        #expect(try store.database.integer("SELECT count(*) FROM record_entry") == 1)
    }

    @Test("belong to a patient: the next one is asked about anew")
    func anotherPatient() throws {
        let store = try TestStore()
        let users = DeviceUserStore(database: store.database)
        try users.write(.waits(Self.entry(2, of: 2)), run: store.run)
        try users.write(.answered(address: Self.cuff.address, 1), run: store.run)
        try PatientTable(database: store.database).begin(at: Moment.at(100).wallMilliseconds)
        #expect(try self.users(store, of: 2) == DeviceUsers())
        try users.write(.answered(address: Self.cuff.address, 2), run: store.run)
        #expect(try self.users(store, of: 2).answers == [Self.cuff.address: 2])
        #expect(try self.users(store).answers == [Self.cuff.address: 1])
        #expect(try self.users(store).waiting == [Self.entry(2, of: 2)])
    }

    @Test("keep another person's measurements out of an earlier patient's record when they are handed over again")
    func handedOverAgain() throws {
        for known in 0..<4 {
            let store = try TestStore()
            let users = DeviceUserStore(database: store.database)
            let entries = EntryStore(database: store.database)
            func again(_ user: Int) -> RecordEntry {
                RecordEntry(
                    .bloodPressure(BloodPressure(systolic: 120, diastolic: 80)), from: .sensor(Self.cuff),
                    EntryFacts(sequence: 1, user: user), taken: .at(10), enteredAt: .at(200 + user))
            }
            switch known {
            case 0: try users.write(.leftOut(LeftOutMeasurement(again(2))), run: store.run)
            case 1: try users.write(.answered(address: Self.cuff.address, 1), run: store.run)
            case 2: try users.write(.waits(again(2)), run: store.run)
            default: break
            }
            try PatientTable(database: store.database).begin(at: Moment.at(100).wallMilliseconds)
            try entries.append(again(2), run: store.run)
            #expect(try store.database.integer("SELECT count(*) FROM record_entry") == (known == 3 ? 1 : 0), "\(known)")
            // The patient's own is entered.
            try entries.append(again(1), run: store.run)
            #expect(
                try store.database.integer("SELECT count(*) FROM record_entry WHERE device_user = 1 AND record = 1")
                    == 1)
        }
    }
}
