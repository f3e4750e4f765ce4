import Monitoring
import Nights
import Vitals

/// Writes runs that are over into an empty store, as the recorder would have written them.
public enum RunWriter {
    /// Writes runs, all or none, unless the store contains anything.
    ///
    /// - Parameters:
    ///   - path: The store; it is created if missing.
    ///   - programVersion: The version of the program.
    ///   - runs: Makes the runs, the oldest first, once the store is known to be empty.
    ///   - nights: Makes the nights that came during the last run.
    /// - Returns: Whether the store was empty.
    /// - Throws: ``StoreError``.
    @discardableResult
    public static func fill(
        _ path: String, programVersion: String, with runs: () -> [RecordedRun], nights: () -> [StoredNight] = { [] }
    ) throws(StoreError) -> Bool {
        let database = try StoreFile.openForAdding(path)
        guard try isEmpty(database) else { return false }
        let (runs, nights) = (runs(), nights())
        return try database.transaction { () throws(StoreError) in
            // Another program may have begun to record meanwhile.
            guard try isEmpty(database) else { return false }
            for (place, run) in runs.enumerated() {
                let number = try write(run, to: database, programVersion)
                guard place == runs.count - 1 else { continue }
                for night in nights {
                    try NightStore(database: database).append(night, at: run.end, run: number)
                }
            }
            return true
        }
    }

    /// The number of rows after which sums by the minute are written.
    private static let batchSize = 200

    private static func isEmpty(_ database: SQLiteDatabase) throws(StoreError) -> Bool {
        for table in Schema.steps.flatMap(\.tables)
        where try database.integer("SELECT 1 FROM \(table) LIMIT 1") != nil {
            return false
        }
        return true
    }

    private static func write(
        _ run: RecordedRun, to database: SQLiteDatabase, _ programVersion: String
    ) throws(StoreError) -> Int64 {
        let number = try RunTable(database: database).insert(at: run.start, programVersion: programVersion)
        var readings = ReadingStore(database, run: number)
        try readings.begin()
        let (alarms, entries) = (AlarmStore(database: database), EntryStore(database: database))
        for (place, content) in run.contents.enumerated() {
            switch content {
            case .reading(let reading): try readings.append(reading)
            case .rrIntervals(let intervals): try readings.append(intervals)
            case .alarmLog(let entry): try alarms.append(entry, run: number)
            case .entry(let entry, let patient): try entries.append(entry, run: number, patient: patient)
            }
            // In batches, so that the sums of few minutes are kept in memory.
            if place.isMultiple(of: batchSize) { try readings.settle() }
        }
        try readings.settle()
        try readings.recorded(until: run.end)
        try MemoryStore(database: database).write(.patient(run.memory))
        return number
    }
}
