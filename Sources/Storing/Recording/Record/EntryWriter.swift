import Monitoring
import Vitals

/// Writes entries into the store of a patient that no monitor runs for.
public enum EntryWriter {
    /// Writes entries, all or none, with the neutrophil count for the next monitor.
    ///
    /// - Parameters:
    ///   - entries: The entries; one that the store has is confirmed or retracted there.
    ///   - actions: What was done, for the log; whoever sends the record sends the entries of such a moment again.
    ///   - path: The store; it is created if missing, and left unchanged if it is damaged.
    ///   - programVersion: The version of the program.
    /// - Throws: ``StoreError``.
    public static func write(
        _ entries: [RecordEntry], _ actions: [ActionRecord] = [], to path: String, programVersion: String
    ) throws(StoreError) {
        let database = try StoreFile.openForAdding(path)
        guard let first = entries.first else { return }
        let run = try epoch(of: actions.first?.moment ?? first.enteredAt, database, programVersion)
        try database.transaction { () throws(StoreError) in
            for entry in entries { try EntryStore(database: database).append(entry, run: run) }
            for action in actions {
                guard let entry = AlarmLogEntry(.action(action)) else { continue }
                try AlarmStore(database: database).append(entry, run: run)
            }
            let counts = entries.lazy.filter { !$0.isRetracted }.compactMap(\.neutrophilCount)
            guard let count = counts.max(by: { $0.sampledAt < $1.sampledAt }) else { return }
            let store = MemoryStore(database: database)
            var memory = try store.read().patient
            guard memory.neutrophils.map({ $0.sampledAt <= count.sampledAt }) ?? true else { return }
            memory.neutrophils = count
            try store.write(.patient(memory))
        }
    }

    /// The newest epoch, if its clocks match a moment, or else a new one.
    ///
    /// A new epoch for each entry would report a gap each time.
    static func epoch(
        of moment: Moment, _ database: SQLiteDatabase, _ programVersion: String
    ) throws(StoreError) -> Int64 {
        let difference = moment.wallMilliseconds - moment.monotonicNanoseconds / 1_000_000
        let newest = try database.integer(
            """
            SELECT id FROM epoch WHERE id = (SELECT max(id) FROM epoch)
                AND abs(wall_ms - monotonic_ns / 1000000 - ?1) < 1000
            """, .integer(difference))
        if let newest { return newest }
        return try RunTable(database: database).begin(at: moment, programVersion: programVersion)
    }
}
