import Monitoring

/// The alarm log as other commands read it, while a monitor may be writing it.
public enum AlarmHistory {
    /// Hands out entries, the oldest first, without keeping them in memory; none where there is no store.
    ///
    /// - Parameters:
    ///   - path: The store.
    ///   - since: The first moment of interest, in milliseconds since 1970 (UTC).
    ///   - newest: Only so many of the newest entries.
    ///   - body: A function that gets each entry, the oldest first.
    /// - Throws: ``StoreError``.
    public static func forEach(
        in path: String, since: Int64 = .min, newest: Int64 = .max,
        _ body: (AlarmLogEntry) throws(StoreError) -> Void
    ) throws(StoreError) {
        guard let database = try StoreFile.openForReading(path) else { return }
        try AlarmStore(database: database).forEach(since: since, newest: newest, body)
    }
}
