import Base
import Vitals

/// The summary of a minute of one vital of one sensor whose readings were removed.
struct RecordedMinute {
    var minute: Int64
    var sensor: SensorIdentity
    var vital: Vital
    var count: Int
    var minimum, maximum: VitalValue?

    /// The beginning of the minute, as a wall time in milliseconds; clamped, in case of a damaged store.
    var start: Int64 { Self.start(of: minute) }

    static func start(of minute: Int64) -> Int64 { minute.multipliedSaturated(by: 60_000) }
}

extension StoredHistory {
    /// The wall time from which all readings are kept; before it only summaries of minutes exist.
    ///
    /// - Throws: ``StoreError``.
    func startOfReadings() throws(StoreError) -> Int64 {
        guard let first = try database.integer("SELECT min(wall_ms) FROM reading") else { return .max }
        let minute = MinuteTable.minute(of: first)
        let (start, end) = (RecordedMinute.start(of: minute), RecordedMinute.start(of: minute + 1))
        let summed = try database.integer(
            "SELECT sum(readings + absences) FROM minute WHERE minute = ?1", .integer(minute))
        let kept = try database.integer(
            "SELECT count(*) FROM reading WHERE wall_ms >= ?1 AND wall_ms < ?2 AND late IS NULL",
            .integer(start), .integer(end))
        // A partly removed minute is represented by its summary.
        return summed ?? 0 > kept ?? 0 ? end : start
    }

    /// Passes the summaries of minutes before a wall time to a closure, the oldest first.
    ///
    /// - Throws: ``StoreError``.
    func forEachMinute(
        in range: Range<Int64>, before end: Int64, vitals: Set<Vital>?, _ body: (RecordedMinute) -> Void
    ) throws(StoreError) {
        let meanings = meanings { Vital(rawValue: $0) }
        let last = min(range.upperBound, end)
        guard range.lowerBound < last else { return }
        try database.forEach(
            """
            SELECT minute, sensor, vital, readings, minimum, maximum FROM minute
            WHERE minute >= ?1 AND minute <= ?2 ORDER BY minute, sensor, vital
            """,
            .integer(MinuteTable.minute(of: range.lowerBound)),
            .integer(MinuteTable.minute(of: last.subtractingSaturated(1)))
        ) { row in
            guard let minute = row.integer(0), let sensor = row.integer(1).flatMap({ self.sensor($0) }),
                let vital = row.integer(2).flatMap({ meanings.at($0) }), vitals?.contains(vital) ?? true
            else { return }
            func value(_ column: Int32) -> VitalValue? {
                row.integer(column).map { VitalValue(hundredths: Int(clamping: $0)) }
            }
            body(
                RecordedMinute(
                    minute: minute, sensor: sensor, vital: vital, count: Int(clamping: row.integer(3) ?? 0),
                    minimum: value(4), maximum: value(5)))
        }
    }
}
