import Monitoring

/// Reads the alarm log, while a monitor may be writing it.
public enum AlarmHistory {
    /// Passes entries to a closure, the oldest first, without keeping them in memory; none without a store.
    ///
    /// - Parameters:
    ///   - path: The store.
    ///   - since: The first moment, in milliseconds since 1970 (UTC).
    ///   - newest: The number of newest entries; `nil` for all.
    ///   - body: Called with each entry, the oldest first.
    /// - Throws: ``StoreError``.
    public static func forEach(
        in path: String, since: Int64 = .min, newest: Int64 = .max,
        _ body: (AlarmLogEntry) throws(StoreError) -> Void
    ) throws(StoreError) {
        guard let database = try StoreFile.openForReading(path) else { return }
        try AlarmStore(database: database).forEach(since: since, newest: newest, body)
    }
}
