import Vitals

/// The memory of a patient's store, while no monitor of that patient runs.
public enum SensorMemoryFile {
    /// Reads the memory; empty without a store.
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
    ///   - path: The store; it is created if missing, and left unchanged if it is damaged.
    /// - Throws: ``StoreError``.
    public static func remember(_ sensors: [RememberedSensor], in path: String) throws(StoreError) {
        let database = try StoreFile.openForAdding(path)
        try database.transaction { () throws(StoreError) in
            let memory = MemoryStore(database: database)
            for sensor in sensors { try memory.write(.remembered(sensor)) }
        }
    }
}
