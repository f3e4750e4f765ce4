import Monitoring
import Vitals

@testable import Recording

extension Moment {
    /// A number of seconds after an arbitrary moment.
    static func at(_ seconds: Int) -> Moment {
        Moment(
            monotonicNanoseconds: Int64(seconds) * 1_000_000_000,
            wallMilliseconds: 1_700_000_000_000 + Int64(seconds) * 1000)
    }
}

extension AlarmLogEntry {
    /// A fever that becomes active.
    static func fever(at seconds: Int) -> AlarmLogEntry {
        let sensor = SensorIdentity(address: "C0:52:49:00:00:01", name: "CORE [1A]", kind: .core)
        return AlarmLogEntry(
            moment: .at(seconds),
            content: .change(
                Change(
                    AlarmReport(
                        id: 3, kind: .feverSingle, priority: .high, sensor: sensor, vital: .bodyTemperature,
                        site: .core, value: VitalValue(hundredths: 3860), peak: VitalValue(hundredths: 3870),
                        limit: VitalValue(hundredths: 3830),
                        sinceWallMilliseconds: Moment.at(seconds - 1).wallMilliseconds,
                        text: "Fever 38.6 °C ≥ 38.3 · core · CORE [1A]"), .active)))
    }

    /// An alarm about the computer, which has no sensor, vital or value.
    static func adapterOff(at seconds: Int) -> AlarmLogEntry {
        AlarmLogEntry(
            moment: .at(seconds),
            content: .change(
                Change(
                    AlarmReport(id: 4, kind: .adapterOff, priority: .medium, text: "Bluetooth adapter not usable"),
                    .ended)))
    }

    /// Somebody acknowledges two alarms.
    static func acknowledgement(at seconds: Int) -> AlarmLogEntry {
        AlarmLogEntry(
            moment: .at(seconds),
            content: .action(
                Action(
                    actor: .user, word: "acknowledged", text: "2 alarms acknowledged", episodes: [3, 4],
                    untilWallMilliseconds: 5)))
    }
}

extension SensorIdentity {
    static let core = SensorIdentity(address: "C0:52:49:00:00:01", name: "CORE [1A]", kind: .core)
    static let strap = SensorIdentity(address: "C0:52:49:00:00:02", name: "Polar H10", kind: .heartRateStrap)
}

extension Reading {
    /// A heart rate of the strap.
    static func rate(_ value: Int, at moment: Moment) -> Reading {
        Reading(sensor: .strap, vital: .heartRate, outcome: .measured(VitalValue(whole: value), .good), moment: moment)
    }

    /// The strap has no heart rate.
    static func noRate(_ reason: AbsenceReason, at moment: Moment) -> Reading {
        Reading(sensor: .strap, vital: .heartRate, outcome: .noMeasurement(reason), moment: moment)
    }
}

/// A store in memory, or in a file, with a run that began at second 0.
struct TestStore {
    let database: SQLiteDatabase
    let run: Int64
    var readings: ReadingStore

    init(path: String = ":memory:", at start: Moment = .at(0)) throws {
        database = try SQLiteDatabase(path: path)
        try Schema.migrate(database)
        run = try RunTable(database: database).begin(at: start, programVersion: "1.0")
        readings = ReadingStore(database, run: run)
    }

    /// Writes a batch as the recorder does.
    mutating func write(_ batch: [Reading]) throws {
        try write { (store) throws(StoreError) in
            for reading in batch { try store.append(reading) }
        }
    }

    /// Writes whatever else belongs into a batch.
    mutating func write(_ body: (inout ReadingStore) throws(StoreError) -> Void) throws {
        var draft = readings
        try database.transaction { () throws(StoreError) in
            try draft.begin()
            try body(&draft)
            try draft.settle()
        }
        readings = draft
    }

    /// How many numbers in the store name no row; SQLite does not look each up when it is written.
    var danglingReferences: Int64? {
        get throws { try database.integer("SELECT count(*) FROM pragma_foreign_key_check") }
    }

    /// What is in the store, the oldest first.
    func all() throws -> [RecordedReading] {
        var found: [RecordedReading] = []
        try StoredHistory(database).forEachReading(in: .min..<(.max)) {
            found.append($0)
            return true
        }
        try database.execute("COMMIT")
        return found
    }
}
