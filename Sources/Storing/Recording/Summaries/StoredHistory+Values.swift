import Base
import Vitals

/// A reading, reduced to the fields of a summary: a day has some hundred thousand.
struct RecordedValue {
    /// When it came, in milliseconds since 1970 (UTC).
    var wall: Int64
    /// The number of its sensor under the name that it had.
    var sensor: Int64
    var vital: Vital
    /// The number of the vital's word, which is found faster than the vital, whose hash is that of a text.
    var vitalNumber: Int64
    var site: BodySite?
    /// `nil` for an absence, and for a value that does not count in figures.
    var value: VitalValue?
}

extension StoredHistory {
    /// The number of values per page.
    private static let valuePageSize = 65_536

    /// Passes the values of a period to a closure, the oldest first; late ones are left out.
    ///
    /// They are read in pages, between which the transaction ends, as readings are. What is recorded meanwhile is ignored.
    ///
    /// - Throws: ``StoreError``.
    func forEachValue(
        in range: Range<Int64>, vitals wanted: Set<Vital>? = nil, _ body: (RecordedValue) -> Void
    ) throws(StoreError) {
        let newest = try database.integer("SELECT max(wall_ms) FROM reading") ?? .min
        let end = newest == .max ? range.upperBound : min(range.upperBound, newest + 1)
        let vitals = meanings { word in Vital(rawValue: word).flatMap { wanted?.contains($0) ?? true ? $0 : nil } }
        let sites = meanings { BodySite(rawValue: $0) }
        let counted = CountedQualities(self)
        var last: (wall: Int64, number: Int64) = (range.lowerBound, -1)
        var count = last.wall < end ? Self.valuePageSize : 0
        while count == Self.valuePageSize {
            count = 0
            let rows = try database.statement(
                """
                SELECT wall_ms, n, sensor, vital, value, site, quality FROM reading
                WHERE (wall_ms, n) > (?1, ?2) AND wall_ms < ?3 AND late IS NULL ORDER BY wall_ms, n
                LIMIT \(Self.valuePageSize)
                """)
            do {
                defer { rows.reset() }
                try rows.bind([.integer(last.wall), .integer(last.number), .integer(end)])
                while try rows.step() {
                    count += 1
                    last = (rows.number(0), rows.number(1))
                    let number = rows.number(3)
                    guard let vital = vitals.at(number) else { continue }
                    let value = counted.allow(rows.number(6)) ? rows.value(4) : nil
                    body(
                        RecordedValue(
                            wall: last.wall, sensor: rows.number(2), vital: vital, vitalNumber: number,
                            site: sites.at(rows.number(5)), value: value))
                }
            }
            try beginNewMoment()
        }
    }
}
