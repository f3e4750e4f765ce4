import Monitoring
import Vitals

/// Some recorded rows for a collector: entries of the alarm log, then those of the record, then readings, then RR
/// intervals.
///
/// Each kind is in the order of recording: by epoch, and by time within each, because after the clock was set back,
/// later rows have earlier times.
public struct RecordedBatch: Hashable, Sendable {
    public typealias Row = RecordedRow

    /// What a batch has of the store.
    public struct Selection: Hashable, Sendable {
        /// Whether it has notes, which never leave the bed for a ward.
        public var notes: Bool
        /// Whether it has RR intervals.
        public var rrIntervals: Bool
        /// The end of the newest minute whose readings it has, in milliseconds since 1970 (UTC); `nil` for all readings.
        ///
        /// A minute is then in one batch, unless that is too small for it.
        public var wholeMinutesBefore: Int64?

        public init(notes: Bool = false, rrIntervals: Bool = true, wholeMinutesBefore: Int64? = nil) {
            (self.notes, self.rrIntervals, self.wholeMinutesBefore) = (notes, rrIntervals, wholeMinutesBefore)
        }
    }

    /// The beginning of a store, by both clocks; it identifies the store and its copies.
    public struct Beginning: Hashable, Sendable {
        /// Milliseconds since 1970 (UTC).
        public var wallMilliseconds: Int64
        /// Nanoseconds since the computer started.
        public var monotonicNanoseconds: Int64
    }

    public var store: Beginning
    public var rows: [Row]
    /// The beginning of the next batch.
    public var next: HistoryCursor
    /// Whether it has the greatest number of rows, so that there may be more.
    public var isFull: Bool

    /// The most entries of the alarm log and of the record in a batch, because they are larger than readings.
    static let mostEntries = 50

    /// Reads the rows after a cursor.
    ///
    /// - Parameters:
    ///   - path: The store.
    ///   - cursor: The end of the last batch; `nil` for the beginning.
    ///   - count: The most rows.
    ///   - selection: Which rows.
    /// - Returns: `nil` for an empty store.
    /// - Throws: ``StoreError``.
    public static func read(
        from path: String, after cursor: HistoryCursor?, atMost count: Int, _ selection: Selection = Selection()
    ) throws(StoreError) -> RecordedBatch? {
        guard let history = try StoredHistory.open(path) else { return nil }
        return try history.batch(after: cursor, atMost: count, selection)
    }
}

extension StoredHistory {
    /// A stretch in which both clocks advance together.
    private typealias Epoch = (number: Int64, wall: Int64, monotonic: Int64)

    /// How much earlier than its epoch a reading may be, in milliseconds.
    private static let slack: Int64 = 60_000

    /// Reads the rows after a cursor, as ``RecordedBatch/read(from:after:atMost:_:)``.
    public func batch(
        after cursor: HistoryCursor?, atMost count: Int, _ selection: RecordedBatch.Selection = .init()
    ) throws(StoreError) -> RecordedBatch? {
        var epochs: [Epoch] = []
        try database.forEach("SELECT id, wall_ms, monotonic_ns FROM epoch ORDER BY id") { row in
            epochs.append((row.integer(0) ?? 0, row.integer(1) ?? 0, row.integer(2) ?? 0))
        }
        guard let first = epochs.first else { return nil }
        let store = RecordedBatch.Beginning(wallMilliseconds: first.wall, monotonicNanoseconds: first.monotonic)
        // A cursor of another store is useless.
        var next = cursor.flatMap { $0.store == store ? $0 : nil } ?? HistoryCursor(store: store)
        let mostEntries = min(count, RecordedBatch.mostEntries)
        var rows = try alarmLog(after: &next.alarmLog, atMost: mostEntries)
        var isCut = rows.count == mostEntries
        let changes = Set(rows.compactMap(\.momentOfChange)).sorted()
        let entries = try entries(after: &next.entry, atMost: min(mostEntries, count - rows.count), selection)
        isCut = isCut || entries.count == mostEntries
        rows += entries
        // An entry that was taken back or confirmed after it was sent is sent once more.
        for moment in changes { rows += try self.entries(changedAt: moment, selection) }
        let reader = RowReader(self)
        let readings = try self.rows(
            "SELECT \(RowReader.columns) FROM reading", in: epochs, after: &next.reading,
            atMost: max(0, count - rows.count), wholeMinutesBefore: selection.wholeMinutesBefore
        ) { row in reader.reading(row).map { .reading($0.reading) } }
        rows += readings.rows
        isCut = isCut || readings.isCut
        if selection.rrIntervals {
            rows += try self.rows(
                "SELECT \(Self.rrColumns) FROM rr", in: epochs, after: &next.rrIntervals,
                atMost: max(0, count - rows.count)
            ) { row in self.rrIntervals(row).map { .rrIntervals($0.intervals) } }.rows
        }
        return RecordedBatch(store: store, rows: rows, next: next, isFull: isCut || rows.count >= count)
    }

    /// The rows of a table after a place, in the order of epochs.
    ///
    /// - Parameters:
    ///   - selection: The columns, of which the first three are the time, the number and the epoch; and the table.
    ///   - minutesEnd: Where rows are to end with whole minutes, the end of the newest one; `nil` elsewhere.
    ///   - read: Reads a row; unreadable ones were written by another version.
    /// - Returns: The rows, and whether the last ones were left out because their minute is not whole.
    private func rows(
        _ selection: String, in epochs: [Epoch], after place: inout HistoryCursor.Place?, atMost count: Int,
        wholeMinutesBefore minutesEnd: Int64? = nil, _ read: (SQLiteStatement) -> RecordedContent?
    ) throws(StoreError) -> (rows: [RecordedBatch.Row], isCut: Bool) {
        var rows: [RecordedBatch.Row] = []
        // Where the minute of the newest row begins: the place before it, and the number of rows.
        var minute: (start: Int64, before: HistoryCursor.Place?, count: Int) = (.min, nil, 0)
        for epoch in epochs where epoch.number >= place?.epoch ?? .min {
            if rows.count >= count { break }
            if place?.epoch != epoch.number {
                let start = place == nil ? Int64.min : epoch.wall - Self.slack
                place = HistoryCursor.Place(epoch: epoch.number, wallMilliseconds: start, number: -1)
            }
            let found = try database.statement(
                """
                \(selection) WHERE (wall_ms, n) > (?1, ?2) AND epoch = ?3 AND wall_ms < ?5
                ORDER BY wall_ms, n LIMIT ?4
                """)
            defer { found.reset() }
            // By the clock of an earlier epoch, which may have been wrong, all its minutes are over.
            let end = epoch.number == epochs.last?.number ? minutesEnd ?? .max : .max
            try found.bind([
                .integer(place?.wallMilliseconds ?? .min), .integer(place?.number ?? -1), .integer(epoch.number),
                .integer(Int64(count - rows.count)), .integer(end),
            ])
            while try found.step() {
                guard let wall = found.integer(0), let number = found.integer(1) else { continue }
                let start = wall - wall % 60_000
                if start != minute.start || minute.before?.epoch != epoch.number {
                    minute = (start, place, rows.count)
                }
                place = HistoryCursor.Place(epoch: epoch.number, wallMilliseconds: wall, number: number)
                if let content = read(found) {
                    rows.append(RecordedBatch.Row(content, run: run(ofEpoch: epoch.number), number: number))
                }
            }
        }
        guard minutesEnd != nil, rows.count >= count, minute.count > 0 else { return (rows, false) }
        rows.removeSubrange(minute.count...)
        place = minute.before
        return (rows, true)
    }

    private func entries(
        after last: inout Int64, atMost count: Int, _ selection: RecordedBatch.Selection
    ) throws(StoreError) -> [RecordedBatch.Row] {
        guard count > 0 else { return [] }
        // As for the alarm log.
        if try database.integer("SELECT max(id) FROM record_entry") ?? 0 < last { last = 0 }
        let found = try entries("id > ?1 ORDER BY id LIMIT ?2", selection, .integer(last), .integer(Int64(count)))
        last = found.last?.number ?? last
        return found.compactMap(\.row)
    }

    private func entries(
        changedAt moment: Int64, _ selection: RecordedBatch.Selection
    ) throws(StoreError) -> [RecordedBatch.Row] {
        try entries("(retracted_wall_ms = ?1 OR confirmed_wall_ms = ?1) ORDER BY id", selection, .integer(moment))
            .compactMap(\.row)
    }

    /// The entries that satisfy a condition, with their numbers; unreadable ones were written by another version.
    private func entries(
        _ condition: String, _ selection: RecordedBatch.Selection, _ values: SQLiteValue...
    ) throws(StoreError) -> [(number: Int64, row: RecordedBatch.Row?)] {
        var rows: [(number: Int64, row: RecordedBatch.Row?)] = []
        let found = try database.statement(
            """
            SELECT \(EntryColumn.names), record, id FROM record_entry
            WHERE \(selection.notes ? "" : "kind <> 'note' AND ")\(condition)
            """)
        defer { found.reset() }
        try found.bind(values)
        while try found.step() {
            let patient = found.integer(EntryColumn.count).flatMap { Int(exactly: $0) } ?? 1
            let number = found.integer(EntryColumn.count + 1) ?? 0
            let row = recordEntry(found).map {
                RecordedBatch.Row(.entry($0.entry, patient: patient), run: $0.run, number: number)
            }
            rows.append((number, row))
        }
        return rows
    }

    private func alarmLog(after last: inout Int64, atMost count: Int) throws(StoreError) -> [RecordedBatch.Row] {
        // The numbers start again when all entries were removed because of their age.
        if try database.integer("SELECT max(id) FROM alarm_log") ?? 0 < last { last = 0 }
        let page = try AlarmStore(database: database).page(after: last, atMost: count)
        last = page.last
        return page.entries.map { number, entry in
            RecordedBatch.Row(.alarmLog(entry), run: entry.run, number: number)
        }
    }
}

extension RecordedBatch.Row {
    /// The wall time of a retraction or a confirmation, from the action that reports it.
    fileprivate var momentOfChange: Int64? {
        guard case .alarmLog(let entry) = content, case .action(let action) = entry.content,
            action.name == .retracted || action.name == .confirmed
        else { return nil }
        return entry.moment.wallMilliseconds
    }
}
