import Nights
import Vitals

/// Writes nights into the store of a patient, beside a monitor that may be recording.
public enum NightWriter {
    /// Writes nights, all or none; one that is there already stays as it is.
    ///
    /// - Parameters:
    ///   - nights: The nights.
    ///   - moment: When they came.
    ///   - path: The store; it is created if missing, and left unchanged if it is damaged.
    ///   - programVersion: The version of the program.
    /// - Throws: ``StoreError``.
    public static func write(
        _ nights: [StoredNight], at moment: Moment, to path: String, programVersion: String
    ) throws(StoreError) {
        if nights.isEmpty { return }
        let database = try StoreFile.openForAdding(path)
        let run = try EntryWriter.epoch(of: moment, database, programVersion)
        try database.transaction { () throws(StoreError) in
            for night in nights { try NightStore(database: database).append(night, at: moment, run: run) }
        }
    }
}
