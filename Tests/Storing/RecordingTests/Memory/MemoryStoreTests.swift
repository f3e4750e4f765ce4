import Monitoring
import TestSupport
import Testing
import Vitals

@testable import Recording

@Suite("What the store remembers")
struct MemoryStoreTests {
    private let database: SQLiteDatabase
    private let store: MemoryStore

    init() throws {
        database = try SQLiteDatabase(path: ":memory:")
        try Schema.migrate(database)
        store = MemoryStore(database: database)
    }

    @Test("is nothing at first, and later what was decided last, in the order in which it began")
    func roundTrip() throws {
        #expect(try store.read() == StoredMemory())
        for sensor in [.strap, .oximeter, .undecided] as [RememberedSensor] { try store.write(.remembered(sensor)) }
        try store.write(.patient(.everyRule))
        try store.write(.links([.core, .strap]))
        #expect(
            try store.read()
                == StoredMemory(sensors: [.strap, .oximeter, .undecided], patient: .everyRule, links: [.core, .strap]))

        var changed = RememberedSensor.strap
        changed.setLabel(nil)
        changed.isWanted = false
        changed.assignedVitals = [.heartRate]
        try store.write(.remembered(changed))
        try store.write(.forgotten(address: RememberedSensor.oximeter.address))
        try store.write(.links([.strap]))
        let fewer = MonitorMemory(limits: [MonitorMemory.everyRule.limits[2]])
        try store.write(.patient(fewer))
        #expect(
            try store.read() == StoredMemory(sensors: [changed, .undecided], patient: fewer, links: [.strap]))
        try store.write(.patient(MonitorMemory()))
        #expect(try store.read().patient == MonitorMemory())
    }

    @Test("is not written again when it is the same")
    func unchanged() throws {
        let changes: [MemoryChange] = [.remembered(.oximeter), .patient(.everyRule), .links([.core])]
        for change in changes { try store.write(change) }
        let before = try database.integer("SELECT total_changes()")
        for change in changes { try store.write(change) }
        #expect(try database.integer("SELECT total_changes()") == before)
    }

    @Test("of two programs is kept beside each other")
    func shared() throws {
        let folder = try ScratchFolder()
        let path = folder.path + "/store.sqlite"
        let one = MemoryStore(database: try StoreFile.open(path, day: "2026-01-02").database)
        let other = MemoryStore(database: try StoreFile.open(path, day: "2026-01-02").database)
        try one.write(.remembered(.strap))
        try other.write(.remembered(.oximeter))
        try one.write(.patient(.everyRule))
        let expected = StoredMemory(sensors: [.strap, .oximeter], patient: .everyRule)
        #expect(try one.read() == expected)
        #expect(try other.read() == expected)
    }

    @Test("leaves out rows that another program has made wrong, and keeps the others")
    func wrongRows() throws {
        try store.write(.remembered(.strap))
        try store.write(.patient(.everyRule))
        try database.execute(
            """
            INSERT INTO remembered_sensor (address, name, kind, vitals) VALUES ('x', 'x', 'oximeter', ''),
                ('C0:52:49:00:00:09', 'Odd', 'toaster', 'spo2 tail_wag');
            INSERT INTO changed_limit (vital, rule, value, priority, milliseconds) VALUES ('mood', 'high', 1, 'low', 1),
                ('spo2', 'highest', 1, 'low', 1), ('spo2', 'high', 1, 'urgent', 1), ('spo2', 'severe_low', 1, 'low', NULL);
            UPDATE neutrophil_count SET per_microlitre = 9223372036854775807;
            """)
        let memory = try store.read()
        let odd = RememberedSensor(
            address: "C0:52:49:00:00:09", name: "Odd", kind: .other, isWanted: nil, assignedVitals: [.oxygenSaturation])
        #expect(memory.sensors == [.strap, odd])
        #expect(memory.patient == MonitorMemory(limits: MonitorMemory.everyRule.limits))
    }
}
