import Vitals

/// What the store of a patient remembers, while no monitor of theirs runs.
public enum SensorMemoryFile {
    /// Reads what is remembered; nothing where there is no store.
    ///
    /// - Parameter path: The store.
    /// - Throws: ``StoreError``.
    public static func read(_ path: String) throws(StoreError) -> StoredMemory {
        guard let database = try StoreFile.openForReading(path) else { return StoredMemory() }
        return try MemoryStore(database: database).read()
    }

    /// Remembers the user's choices about sensors, all or none.
    ///
    /// - Parameters:
    ///   - sensors: The choices.
    ///   - path: The store; it is created if missing, and left as it is when it is damaged.
    /// - Throws: ``StoreError``.
    public static func remember(_ sensors: [RememberedSensor], in path: String) throws(StoreError) {
        let database = try StoreFile.openForAdding(path)
        try database.transaction { () throws(StoreError) in
            let memory = MemoryStore(database: database)
            for sensor in sensors { try memory.write(.remembered(sensor)) }
        }
    }
}
