import Vitals

extension StoredHistory {
    /// Passes the RR intervals of a period to a closure, the oldest first; there are none in older stores.
    ///
    /// They are read in pages, as readings are.
    ///
    /// - Parameters:
    ///   - range: Wall times in milliseconds since 1970 (UTC).
    ///   - body: Returns whether to continue.
    /// - Throws: ``StoreError``.
    public func forEachRRIntervals(
        in range: Range<Int64>, _ body: (RecordedRRIntervals) -> Bool
    ) throws(StoreError) {
        let newest = try database.integer("SELECT max(wall_ms) FROM rr") ?? .min
        let end = newest == .max ? range.upperBound : min(range.upperBound, newest + 1)
        var last: (wall: Int64, number: Int64) = (range.lowerBound, -1)
        var isMore = true
        while isMore {
            let page = try intervals(after: &last, before: end, isMore: &isMore)
            try beginNewMoment()
            for recorded in page where !body(recorded) { return }
        }
    }

    private func intervals(
        after last: inout (wall: Int64, number: Int64), before end: Int64, isMore: inout Bool
    ) throws(StoreError) -> [RecordedRRIntervals] {
        let rows = try database.statement(
            """
            SELECT \(Self.rrColumns) FROM rr WHERE (wall_ms, n) > (?1, ?2) AND wall_ms < ?3 ORDER BY wall_ms, n LIMIT \(Self.pageSize)
            """)
        defer { rows.reset() }
        try rows.bind([.integer(last.wall), .integer(last.number), .integer(end)])
        var page: [RecordedRRIntervals] = []
        var count = 0
        while try rows.step() {
            count += 1
            last = (rows.integer(0) ?? last.wall, rows.integer(1) ?? last.number)
            if let recorded = rrIntervals(rows) { page.append(recorded) }
        }
        isMore = count == Self.pageSize
        return page
    }

    /// The columns of ``rrIntervals(_:)``.
    static let rrColumns = "wall_ms, n, epoch, drift_ns, sensor, intervals"

    /// The intervals of the present row; `nil` if another version has written it.
    func rrIntervals(_ row: SQLiteStatement) -> RecordedRRIntervals? {
        guard let wall = row.integer(0), let epoch = row.integer(2), let drift = row.integer(3),
            let sensor = row.integer(4).flatMap({ self.sensor($0) }), let octets = row.blob(5), !octets.isEmpty
        else { return nil }
        return RecordedRRIntervals(
            RRIntervals(
                sensor: sensor, intervals: Self.intervals(octets),
                moment: moment(ofEpoch: epoch, wall: wall, drift: drift)),
            run: run(ofEpoch: epoch))
    }

    /// The intervals of a row; an incomplete one at the end is ignored.
    private static func intervals(_ octets: [UInt8]) -> [UInt16] {
        stride(from: 0, to: octets.count - 1, by: 2).map { UInt16(octets[$0]) | UInt16(octets[$0 + 1]) << 8 }
    }
}
