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
        try store.write(.runningWaves([.acceleration, .ecg]))
        #expect(
            try store.read()
                == StoredMemory(
                    sensors: [.strap, .oximeter, .undecided], patient: .everyRule, links: [.core, .strap],
                    runningWaves: [.acceleration, .ecg]))

        var changed = RememberedSensor.strap
        changed.setLabel(nil)
        changed.isWanted = false
        changed.assignedVitals = [.heartRate]
        try store.write(.remembered(changed))
        try store.write(.forgotten(address: RememberedSensor.oximeter.address))
        try store.write(.links([.strap]))
        try store.write(.runningWaves([.ecg]))
        let fewer = MonitorMemory(limits: [MonitorMemory.everyRule.limits[2]])
        try store.write(.patient(fewer))
        #expect(
            try store.read()
                == StoredMemory(
                    sensors: [changed, .undecided], patient: fewer, links: [.strap], runningWaves: [.ecg]))
        try store.write(.patient(MonitorMemory()))
        #expect(try store.read().patient == MonitorMemory())
    }

    @Test("is not written again when it is the same")
    func unchanged() throws {
        let changes: [MemoryChange] = [
            .remembered(.oximeter), .patient(.everyRule), .links([.core]), .runningWaves([.ecg]),
        ]
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

    @Test("has the last battery level of a remembered sensor, and of no other; it is forgotten with the sensor")
    func battery() throws {
        let level = SensorContact.Battery(percent: 54, wallMilliseconds: Moment.at(7).wallMilliseconds)
        try store.write(.battery(address: RememberedSensor.strap.address, level))
        #expect(try store.read() == StoredMemory())
        try store.write(.remembered(.strap))
        #expect(try store.read().contacts.isEmpty)
        try store.write(.battery(address: RememberedSensor.strap.address, level))
        // Another decision about the sensor says nothing about its battery.
        var renamed = RememberedSensor.strap
        renamed.setLabel("Ben")
        try store.write(.remembered(renamed))
        #expect(try store.read().contacts == [RememberedSensor.strap.address: SensorContact(battery: level)])
        try store.write(.forgotten(address: RememberedSensor.strap.address))
        try store.write(.remembered(.strap))
        #expect(try store.read().contacts.isEmpty)
    }

    @Test("has the last value of a remembered sensor, with the time when it measured last")
    func lastValue() throws {
        var recorded = try TestStore()
        let memory = MemoryStore(database: recorded.database)
        try memory.write(.remembered(.strap))
        try recorded.write((0..<90).map { .rate(60 + $0, at: .at($0)) })
        try recorded.write([.noRate(.offBody, at: .at(95)), .noRate(.offBody, at: .at(200))])
        let expected = SensorContact.Measurement(
            content: .vital(.heartRate, VitalValue(whole: 149), site: nil),
            wallMilliseconds: Moment.at(89).wallMilliseconds)
        let address = RememberedSensor.strap.address
        #expect(try memory.read().contacts[address]?.measurement == expected)
        // What was measured of another patient is not this one's.
        try PatientTable(database: recorded.database).begin(at: Moment.at(150).wallMilliseconds)
        #expect(try memory.read().contacts[address] == nil)
    }

    @Test(
        "has of several vitals the one with a place on the screen, and no value beside which a malfunction was reported"
    )
    func severalVitals() throws {
        var recorded = try TestStore()
        let memory = MemoryStore(database: recorded.database)
        try memory.write(.remembered(.oximeter))
        let sensor = SensorIdentity(address: RememberedSensor.oximeter.address, name: "e-Oximeter", kind: .oximeter)
        func reading(_ vital: Vital, _ value: Int, _ quality: Reading.Quality, _ second: Int) -> Reading {
            Reading(
                sensor: sensor, vital: vital, outcome: .measured(VitalValue(whole: value), quality),
                moment: .at(second))
        }
        try recorded.write([
            reading(.oxygenSaturation, 97, .good, 1), reading(.pulseRate, 71, .good, 1),
            reading(.perfusionIndex, 5, .good, 1), reading(.oxygenSaturation, 31, .malfunction, 2),
        ])
        #expect(
            try memory.read().contacts[sensor.address]?.measurement?.content
                == .vital(.oxygenSaturation, VitalValue(whole: 97), site: nil))
    }

    @Test("has what a cuff handed over last, unless it was taken back")
    func handedOver() throws {
        let recorded = try TestStore()
        let memory = MemoryStore(database: recorded.database)
        let cuff = SensorIdentity(address: "C0:52:49:00:00:06", name: "BM 54", kind: .bloodPressure)
        try memory.write(
            .remembered(RememberedSensor(address: cuff.address, name: "BM 54", kind: .bloodPressure, isWanted: true)))
        let entries = EntryStore(database: recorded.database)
        func pressure(_ systolic: Int, at second: Int) -> RecordEntry {
            RecordEntry(
                .bloodPressure(BloodPressure(systolic: systolic, diastolic: 80)), from: .sensor(cuff),
                EntryFacts(sequence: second), enteredAt: .at(second))
        }
        try entries.append(pressure(121, at: 10), run: recorded.run)
        var mistake = pressure(240, at: 20)
        try entries.append(mistake, run: recorded.run)
        #expect(
            try memory.read().contacts[cuff.address]?.measurement?.content
                == .bloodPressure(BloodPressure(systolic: 240, diastolic: 80)))
        mistake.retract(at: .at(30))
        try entries.append(mistake, run: recorded.run)
        #expect(
            try memory.read().contacts[cuff.address]?.measurement?.content
                == .bloodPressure(BloodPressure(systolic: 121, diastolic: 80)))
    }
}
