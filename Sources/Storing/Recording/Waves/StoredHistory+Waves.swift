import Base
import Vitals
import Waves

extension StoredHistory {
    /// How long before its last sample a row may begin, in milliseconds: a complete segment and a late block.
    static let longestWave: Int64 = 10_000

    /// The number of rows per page: some hundred kilobytes of samples.
    private static let wavesOfPage = 256

    /// Passes the waves of a period to a closure, the oldest first, cut off at its ends.
    ///
    /// They are read in pages, as readings are. What has a gap before it is not continuing.
    ///
    /// - Parameters:
    ///   - range: Wall times in milliseconds since 1970 (UTC).
    ///   - kinds: The wanted kinds; `nil` for all.
    ///   - body: Returns whether to continue.
    /// - Throws: ``StoreError``.
    public func forEachWave(
        in range: Range<Int64>, kinds: Set<WaveKind>? = nil, _ body: (RecordedWave) -> Bool
    ) throws(StoreError) {
        let newest = try database.integer("SELECT max(wall_ms) FROM wave") ?? .min
        let end = newest == .max ? range.upperBound : min(range.upperBound, newest + 1)
        var last: (wall: Int64, number: Int64) = (range.lowerBound.subtractingSaturated(Self.longestWave), -1)
        var isMore = true
        while isMore {
            let page = try waves(after: &last, before: end, ofEpoch: nil, limit: Self.wavesOfPage)
            isMore = page.isMore
            try beginNewMoment()
            for var recorded in page.waves where kinds?.contains(recorded.segment.kind) ?? true {
                guard let segment = recorded.segment.clipped(to: range) else { continue }
                recorded.segment = segment
                if !body(recorded) { return }
            }
        }
    }

    /// Some waves of one epoch in the order of their beginnings.
    ///
    /// - Parameters:
    ///   - epoch: The number of the epoch.
    ///   - wall: The wall time from which on they begin, in milliseconds since 1970 (UTC).
    ///   - limit: The most rows.
    /// - Returns: The waves, and the wall time from which on there may be more; `nil` when there are no more.
    /// - Throws: ``StoreError``.
    public func waves(
        ofEpoch epoch: Int64, from wall: Int64, limit: Int
    ) throws(StoreError) -> (waves: [RecordedWave], next: Int64?) {
        var last: (wall: Int64, number: Int64) = (wall, -1)
        let page = try waves(after: &last, before: .max, ofEpoch: epoch, limit: limit)
        // The rest of its millisecond is not worth another page.
        return (page.waves, page.isMore ? last.wall.addingSaturated(1) : nil)
    }

    /// The sensors with waves in a period, each with the vital that it takes from the same signal, in the order of their
    /// addresses.
    ///
    /// - Throws: ``StoreError``.
    public func waveSources(in range: Range<Int64>) throws(StoreError) -> [RecordedSource] {
        let kinds = meanings { WaveKind(rawValue: $0) }
        var found: [WaveStream: RecordedSource] = [:]
        try database.forEach(
            "SELECT DISTINCT sensor, kind FROM wave WHERE wall_ms >= ?1 AND wall_ms < ?2 ORDER BY sensor",
            .integer(range.lowerBound.subtractingSaturated(Self.longestWave)), .integer(range.upperBound)
        ) { row in
            guard let number = row.integer(0), let sensor = sensor(number),
                let kind = row.integer(1).flatMap({ kinds.at($0) }),
                let vital = kind.traits.vitals.first
            else { return }
            let numbers = found[WaveStream(sensor.address, kind)]?.sensorNumbers ?? []
            found[WaveStream(sensor.address, kind)] = RecordedSource(
                sensor: sensor, vital: vital, sensorNumbers: numbers + [number])
        }
        return found.values.sorted { ($0.sensor.address, $0.vital.rawValue) < ($1.sensor.address, $1.vital.rawValue) }
    }

    private func waves(
        after last: inout (wall: Int64, number: Int64), before end: Int64, ofEpoch epoch: Int64?, limit: Int
    ) throws(StoreError) -> (waves: [RecordedWave], isMore: Bool) {
        let kinds = meanings { WaveKind(rawValue: $0) }
        let rows = try database.statement(
            """
            SELECT wall_ms, n, epoch, drift_ns, sensor, kind, lost, continuing, spans, beats, samples FROM wave
            WHERE (wall_ms, n) > (?1, ?2) AND wall_ms < ?3 AND (?4 IS NULL OR epoch = ?4) ORDER BY wall_ms, n LIMIT ?5
            """)
        defer { rows.reset() }
        try rows.bind([
            .integer(last.wall), .integer(last.number), .integer(end), SQLiteValue(epoch), .integer(Int64(limit)),
        ])
        var (page, count): ([RecordedWave], Int) = ([], 0)
        while try rows.step() {
            count += 1
            last = (rows.integer(0) ?? last.wall, rows.integer(1) ?? last.number)
            // Unreadable rows were written by another version; the others are still useful.
            guard let epoch = rows.integer(2), let sensor = rows.integer(4).flatMap({ sensor($0) }),
                let kind = rows.integer(5).flatMap({ kinds.at($0) })
            else { continue }
            let row = WaveRow(
                sensor: sensor, kind: kind, start: moment(ofEpoch: epoch, wall: last.wall, drift: rows.number(3)),
                lost: Int(clamping: rows.number(6)), isContinuing: rows.number(7) != 0, spans: rows.blob(8) ?? [],
                beats: rows.blob(9) ?? [], samples: rows.blob(10) ?? [])
            if let segment = row.segment {
                page.append(RecordedWave(segment, run: run(ofEpoch: epoch), number: last.number))
            }
        }
        return (page, count == limit)
    }
}
