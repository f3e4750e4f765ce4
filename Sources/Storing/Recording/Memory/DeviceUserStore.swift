import Monitoring
import Vitals

/// What is known of the persons of devices, in the store: of the present patient's record.
struct DeviceUserStore {
    let database: SQLiteDatabase

    private static let present = "(SELECT ifnull(max(record), 1) FROM patient_record)"

    /// Writes a change; one that is stored already changes nothing.
    ///
    /// - Parameters:
    ///   - change: The change.
    ///   - run: The epoch of what waits.
    func write(_ change: DeviceUserChange, run: Int64) throws(StoreError) {
        switch change {
        case .waits(let entry): try EntryStore(database: database, table: "waiting_entry").append(entry, run: run)
        case .settled(let id):
            try database.run(
                "DELETE FROM waiting_entry WHERE entered_wall_ms = ?1 AND entered_monotonic_ns = ?2",
                .integer(id.wallMilliseconds), .integer(id.monotonicNanoseconds))
        case .leftOut(let measurement):
            try database.run(
                """
                INSERT OR IGNORE INTO left_out_measurement (record, sensor_address, device_user, stamp)
                VALUES (\(Self.present), ?1, ?2, ?3)
                """, .text(measurement.address), .integer(Int64(measurement.user)), .text(measurement.stamp))
        case .answered(let address, let number):
            try database.run(
                """
                INSERT OR REPLACE INTO device_user (record, sensor_address, number) VALUES (\(Self.present), ?1, ?2)
                """, .text(address), .integer(Int64(number)))
        }
    }
}

extension StoredHistory {
    /// What is known of the persons of devices, in a patient's record.
    ///
    /// - Parameter patient: The number of the record.
    /// - Throws: ``StoreError``.
    public func deviceUsers(of patient: Int) throws(StoreError) -> DeviceUsers {
        var (answers, counted): ([String: Int], [String: Set<Int>]) = ([:], [:])
        try database.forEach("SELECT sensor_address, number FROM device_user WHERE record = \(patient)") { row in
            if let address = row.text(0), let number = Self.number(row.integer(1)) { answers[address] = number }
        }
        try database.forEach(
            """
            SELECT DISTINCT sensor_address, device_user FROM record_entry
            WHERE record = \(patient) AND retracted_wall_ms IS NULL AND sensor_address IS NOT NULL
                AND device_user <> \(EntryFacts.unknownUser)
            """
        ) { row in
            if let address = row.text(0), let number = Self.number(row.integer(1)) {
                counted[address, default: []].insert(number)
            }
        }
        var waiting: [RecordEntry] = []
        try database.forEach(
            """
            SELECT \(EntryColumn.names) FROM waiting_entry WHERE record = \(patient)
            ORDER BY entered_wall_ms, entered_monotonic_ns
            """
        ) { row in
            if let entry = recordEntry(row) { waiting.append(entry.entry) }
        }
        var leftOut: Set<LeftOutMeasurement> = []
        try database.forEach(
            """
            SELECT sensor_address, device_user, stamp FROM left_out_measurement WHERE record = \(patient)
            LIMIT \(DeviceUsers.limit)
            """
        ) { row in
            guard let address = row.text(0), let user = Self.number(row.integer(1)), let stamp = row.text(2) else {
                return
            }
            leftOut.insert(LeftOutMeasurement(address: address, user: user, stamp: stamp))
        }
        return DeviceUsers(answers: answers, counted: counted, waiting: waiting, leftOut: leftOut)
    }

    /// The number of a person; `nil` for one that no device has.
    private static func number(_ integer: Int64?) -> Int? {
        integer.flatMap { Int(exactly: $0) }.flatMap { EntryFacts.users.contains($0) ? $0 : nil }
    }
}
