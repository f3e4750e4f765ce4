import Vitals

/// Reads the remembered sensors, while a monitor may be writing them.
public enum SensorMemory {
    /// The remembered sensors, in the order in which they were first remembered; none without a store.
    ///
    /// - Parameter path: The store.
    /// - Throws: ``StoreError``.
    public static func read(_ path: String) throws(StoreError) -> [RememberedSensor] {
        guard let database = try StoreFile.openForReading(path) else { return [] }
        return try MemoryStore(database: database).read().sensors
    }
}
