import Monitoring
import Vitals

/// The records of a store's patients, one after the other.
struct PatientTable {
    let database: SQLiteDatabase

    /// Closes the present record and begins an empty one.
    func begin(at wallMilliseconds: Int64) throws(StoreError) {
        try database.run(
            """
            INSERT INTO patient_record (record, since_wall_ms)
                SELECT ifnull(max(record), 1) + 1, ?1 FROM patient_record
            """, .integer(wallMilliseconds))
    }

    /// The beginning of each record after the first, as wall time in milliseconds since 1970 (UTC), in their order.
    func beginnings() throws(StoreError) -> [Int64] {
        var beginnings: [Int64] = []
        try database.forEach("SELECT since_wall_ms FROM patient_record ORDER BY record LIMIT 100000") { row in
            if let wall = row.integer(0) { beginnings.append(wall) }
        }
        return beginnings
    }

    /// The beginning of the present record, by the same clock; `nil` for the first one.
    func newestBeginning() throws(StoreError) -> Int64? {
        try database.integer("SELECT since_wall_ms FROM patient_record ORDER BY record DESC LIMIT 1")
    }
}

/// The record of one patient in a store that has had several.
public struct RecordedPatient: Hashable, Sendable {
    /// Its number; the first patient of a store is 1.
    public var number: Int
    /// Its beginning, as wall time in milliseconds since 1970 (UTC); `Int64.min` for the first one.
    public var since: Int64
    /// The beginning of the next one; `nil` for the present patient's.
    public var until: Int64?

    /// The wall times of measurements in it.
    public var range: Range<Int64> { since..<max(since, until ?? .max) }
}

extension StoredHistory {
    /// The records of all patients of this store, the present one last.
    ///
    /// - Throws: ``StoreError``.
    public func patients() throws(StoreError) -> [RecordedPatient] {
        let beginnings = [.min] + (try PatientTable(database: database).beginnings())
        return beginnings.enumerated().map { place, since in
            RecordedPatient(
                number: place + 1, since: since, until: place + 1 < beginnings.count ? beginnings[place + 1] : nil)
        }
    }

    /// The beginning of the present patient's record, as wall time in milliseconds since 1970 (UTC); `nil` for the first
    /// patient.
    ///
    /// - Throws: ``StoreError``.
    public func newestPatientChange() throws(StoreError) -> Int64? {
        try PatientTable(database: database).newestBeginning()
    }
}
