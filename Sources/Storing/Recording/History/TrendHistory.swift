import Base
import Vitals

/// The values of one vital of one sensor within a minute or a second.
public struct RecordedBucket: Hashable, Sendable {
    public var sensor: SensorIdentity
    public var vital: Vital
    /// The start, in milliseconds since 1970 (UTC).
    public var from: Int64
    /// The lowest, the highest and the newest value; `nil` without a value.
    public var values: Values?
    /// The number of values.
    public var count: Int64
    /// The absence at its end; `nil` if it ended with a value.
    public var absence: AbsenceReason?

    /// The values of a bucket.
    public struct Values: Hashable, Sendable {
        /// The lowest.
        public var minimum: VitalValue
        /// The highest.
        public var maximum: VitalValue
        /// The newest.
        public var last: VitalValue
    }
}

extension StoredHistory {
    /// Passes a bucket for each minute, sensor and vital with data to a closure, the oldest first.
    ///
    /// A day of six vitals is 8640 rows at any sensor rate, found by an index.
    ///
    /// - Parameters:
    ///   - range: Wall times in milliseconds since 1970 (UTC); minutes that overlap its ends are included.
    ///   - body: Called with each bucket.
    /// - Throws: ``StoreError``.
    public func forEachMinute(in range: Range<Int64>, _ body: (RecordedBucket) -> Void) throws(StoreError) {
        let vitals = meanings { Vital(rawValue: $0) }
        let reasons = meanings { AbsenceReason(rawValue: $0) }
        try database.forEach(
            """
            SELECT minute, sensor, vital, readings, minimum, maximum, last, absence FROM minute
            WHERE minute >= ?1 AND minute <= ?2 ORDER BY minute, sensor, vital
            """,
            .integer(MinuteTable.minute(of: range.lowerBound)),
            .integer(MinuteTable.minute(of: range.upperBound.subtractingSaturated(1)))
        ) { row in
            guard let minute = row.integer(0), let sensor = row.integer(1).flatMap({ self.sensor($0) }),
                let vital = row.integer(2).flatMap({ vitals.at($0) })
            else { return }
            var values: RecordedBucket.Values?
            if let minimum = row.value(4), let maximum = row.value(5), let last = row.value(6) {
                values = RecordedBucket.Values(minimum: minimum, maximum: maximum, last: last)
            }
            body(
                RecordedBucket(
                    sensor: sensor, vital: vital, from: minute.multipliedSaturated(by: 60_000), values: values,
                    count: row.integer(3) ?? 0,
                    absence: row.integer(7).flatMap { reasons.at($0) }))
        }
    }
}
