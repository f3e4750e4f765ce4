import Vitals

/// Summarizes the readings of a batch by minute, sensor and vital, and adds them to those in the store.
///
/// So the trend of a day needs 1440 rows for each sensor and vital, at any sensor rate.
struct MinuteTable {
    private struct Key: Hashable {
        var minute: Int64
        var sensor: Int64
        var vital: Int64
    }

    private struct Sum {
        var readings: Int64 = 0
        var total: Int64 = 0
        var minimum: Int64?
        var maximum: Int64?
        var last: Int64?
        var absences: Int64 = 0
        /// The last reason, unless a value followed it.
        var absence: Int64?
    }

    private var sums: [Key: Sum] = [:]
    private static let milliseconds: Int64 = 60_000

    /// Adds a reading.
    ///
    /// - Parameters:
    ///   - value: Hundredths; `nil` for an absence.
    ///   - absence: The number of the reason, if there is no value.
    mutating func add(wallMilliseconds: Int64, sensor: Int64, vital: Int64, value: Int64?, absence: Int64?) {
        let minute = Self.minute(of: wallMilliseconds)
        add(value, absence, to: &sums[Key(minute: minute, sensor: sensor, vital: vital), default: Sum()])
    }

    /// The minute of a wall time, counted from 1970.
    static func minute(of wallMilliseconds: Int64) -> Int64 {
        let (quotient, remainder) = wallMilliseconds.quotientAndRemainder(dividingBy: milliseconds)
        return remainder < 0 ? quotient - 1 : quotient
    }

    private func add(_ value: Int64?, _ absence: Int64?, to sum: inout Sum) {
        sum.absence = absence
        guard let value else {
            sum.absences += 1
            return
        }
        sum.readings += 1
        sum.total += value
        sum.minimum = min(sum.minimum ?? value, value)
        sum.maximum = max(sum.maximum ?? value, value)
        sum.last = value
    }

    /// Adds the summaries to the store, then removes them here.
    mutating func write(to database: SQLiteDatabase) throws(StoreError) {
        for (key, sum) in sums {
            try database.run(
                """
                INSERT INTO minute (minute, sensor, vital, readings, total, minimum, maximum, last, absences, absence)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
                ON CONFLICT DO UPDATE SET readings = readings + excluded.readings, total = total + excluded.total,
                    minimum = min(ifnull(minimum, excluded.minimum), ifnull(excluded.minimum, minimum)),
                    maximum = max(ifnull(maximum, excluded.maximum), ifnull(excluded.maximum, maximum)),
                    last = ifnull(excluded.last, last), absences = absences + excluded.absences,
                    absence = excluded.absence
                """,
                .integer(key.minute), .integer(key.sensor), .integer(key.vital), .integer(sum.readings),
                .integer(sum.total), SQLiteValue(sum.minimum), SQLiteValue(sum.maximum), SQLiteValue(sum.last),
                .integer(sum.absences), SQLiteValue(sum.absence))
        }
        sums.removeAll(keepingCapacity: true)
    }
}
