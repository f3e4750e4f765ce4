import Monitoring
import SaturatingArithmetic
import Vitals

/// Manual entries in the store.
struct ManualStore {
    let database: SQLiteDatabase

    /// Writes an entry, or its retraction.
    func append(_ entry: ManualEntry, run: Int64) throws(StoreError) {
        guard let kind = entry.kind else { return }
        let columns = Columns(entry.content)
        try database.run(
            """
            INSERT INTO manual_entry (epoch, taken_wall_ms, entered_wall_ms, entered_monotonic_ns, kind, value, site,
                systolic, diastolic, mean, pulse, note, retracted_wall_ms)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)
            ON CONFLICT DO UPDATE SET retracted_wall_ms = ifnull(retracted_wall_ms, excluded.retracted_wall_ms)
            """,
            .integer(run), .integer(entry.taken.wallMilliseconds), .integer(entry.enteredAt.wallMilliseconds),
            .integer(entry.enteredAt.monotonicNanoseconds), .text(kind.rawValue), SQLiteValue(columns.value),
            SQLiteValue(columns.site?.rawValue), SQLiteValue(columns.pressure?.systolic),
            SQLiteValue(columns.pressure?.diastolic), SQLiteValue(columns.pressure?.mean),
            SQLiteValue(columns.pressure?.pulse), SQLiteValue(columns.note),
            SQLiteValue(entry.retractedAt?.wallMilliseconds))
    }

    /// The columns of an entry.
    private struct Columns {
        var value: Int?
        var site: BodySite?
        var pressure: BloodPressure?
        var note: String?

        init(_ content: ManualEntry.Content) {
            switch content {
            case .vital(_, let value, let site): (self.value, self.site) = (value.hundredths, site)
            case .bloodPressure(let pressure): self.pressure = pressure
            case .neutrophils(let count): value = count.perMicrolitre * 100
            case .note(let text): note = text
            }
        }
    }
}

extension StoredHistory {
    /// The manual entries of a period, in the order of measurement.
    ///
    /// - Parameters:
    ///   - range: Wall times in milliseconds since 1970 (UTC) at which they were measured.
    ///   - kinds: The kinds of interest; `nil` for all.
    /// - Returns: Entries whose `taken` is on the monotonic clock of the run that they were typed in.
    /// - Throws: ``StoreError``.
    public func manualEntries(
        in range: Range<Int64>, kinds: Set<ManualEntry.Kind>? = nil
    ) throws(StoreError) -> [RecordedManualEntry] {
        guard try Schema.checkedVersion(of: database) >= Schema.versionWithManualEntries else { return [] }
        var entries: [RecordedManualEntry] = []
        try database.forEach(
            """
            SELECT taken_wall_ms, entered_wall_ms, entered_monotonic_ns, kind, value, site, systolic, diastolic, mean,
                pulse, note, retracted_wall_ms, epoch
            FROM manual_entry WHERE taken_wall_ms >= ?1 AND taken_wall_ms < ?2
            ORDER BY taken_wall_ms, entered_wall_ms, id
            """, .integer(range.lowerBound), .integer(range.upperBound)
        ) { row in
            // Unreadable rows come from another version; the rest is still useful.
            guard let kind = row.text(3).flatMap({ ManualEntry.Kind(rawValue: $0) }), kinds?.contains(kind) ?? true,
                let entry = ManualEntry(row, kind)
            else { return }
            entries.append(RecordedManualEntry(entry, run: self.run(ofEpoch: row.integer(12) ?? 0)))
        }
        return entries
    }

    /// The last change of patient in the log, as wall time in milliseconds since 1970 (UTC); `nil` without one.
    ///
    /// - Throws: ``StoreError``.
    public func newestPatientChange() throws(StoreError) -> Int64? {
        try database.integer(
            "SELECT max(wall_ms) FROM alarm_log WHERE action = ?1", .text(ActionRecord.Kind.newPatient.word))
    }
}

extension ManualEntry {
    /// Reads the present row of ``StoredHistory/manualEntries(in:kinds:)``.
    fileprivate init?(_ row: SQLiteStatement, _ kind: Kind) {
        guard let taken = row.integer(0), let entered = row.integer(1), let monotonic = row.integer(2),
            let content = Self.content(row, kind, taken: taken)
        else { return nil }
        let enteredAt = Moment(monotonicNanoseconds: monotonic, wallMilliseconds: entered)
        let age = max(0, entered.subtractingSaturated(taken))
        let start = monotonic.subtractingSaturated(age.multipliedSaturated(by: 1_000_000))
        self.init(
            content, taken: Moment(monotonicNanoseconds: start, wallMilliseconds: taken), enteredAt: enteredAt,
            retractedAt: row.integer(11).map { Moment(monotonicNanoseconds: monotonic, wallMilliseconds: $0) })
    }

    private static func content(_ row: SQLiteStatement, _ kind: Kind, taken: Int64) -> Content? {
        func whole(_ column: Int32) -> Int? { row.integer(column).flatMap { Int32(exactly: $0) }.map { Int($0) } }
        switch kind {
        case .bodyTemperature, .heartRate, .oxygenSaturation:
            guard let vital = kind.vital, let value = whole(4) else { return nil }
            return .vital(
                vital, VitalValue(hundredths: value), site: row.text(5).flatMap { BodySite(rawValue: $0) })
        case .bloodPressure:
            guard let systolic = whole(6), let diastolic = whole(7) else { return nil }
            return .bloodPressure(
                BloodPressure(systolic: systolic, diastolic: diastolic, mean: whole(8), pulse: whole(9)))
        case .neutrophils:
            return whole(4).map { .neutrophils(NeutrophilCount(perMicrolitre: $0 / 100, sampledAt: taken)) }
        case .note: return row.text(10).map { .note($0) }
        }
    }
}
