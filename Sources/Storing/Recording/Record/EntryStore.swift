import Monitoring
import Base
import Vitals

/// Manual entries in the store.
struct EntryStore {
    let database: SQLiteDatabase

    /// Writes an entry, or its retraction.
    ///
    /// - Parameters:
    ///   - entry: The entry.
    ///   - run: Its epoch.
    ///   - patient: The number of its patient; `nil` for the newest one, or, for a stored value of a sensor, for the one at
    ///     the time of its measurement.
    func append(_ entry: RecordEntry, run: Int64, patient: Int? = nil) throws(StoreError) {
        guard let kind = entry.kind else { return }
        let columns = Columns(entry.content)
        let sensor = entry.source == .typed ? nil : entry.sensor
        try database.run(
            """
            INSERT INTO record_entry (epoch, taken_wall_ms, entered_wall_ms, entered_monotonic_ns, kind, value, site,
                systolic, diastolic, mean, pulse, note, retracted_wall_ms, sensor_address, sensor_name, sensor_kind,
                sensor_time, sequence, time_known, remark, details, retraction_reason, corrected_wall_ms,
                corrected_monotonic_ns, correction_reason, record, import_key, import_source, import_entered_wall_ms)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22,
                ?23, ?24, ?25,
                ifnull(?29, (SELECT ifnull(max(record), 1) FROM patient_record WHERE ?30 IS NULL OR since_wall_ms <= ?30)),
                ?26, ?27, ?28)
            ON CONFLICT DO UPDATE SET retracted_wall_ms = ifnull(retracted_wall_ms, excluded.retracted_wall_ms),
                retraction_reason = CASE WHEN retracted_wall_ms IS NULL THEN excluded.retraction_reason
                    ELSE retraction_reason END
            """,
            .integer(run), .integer(entry.taken.wallMilliseconds), .integer(entry.enteredAt.wallMilliseconds),
            .integer(entry.enteredAt.monotonicNanoseconds), .text((entry.absence == nil ? kind : .note).rawValue),
            SQLiteValue(columns.value),
            SQLiteValue(columns.site?.rawValue), SQLiteValue(columns.pressure?.systolic),
            SQLiteValue(columns.pressure?.diastolic), SQLiteValue(columns.pressure?.mean),
            SQLiteValue(columns.pressure?.pulse), SQLiteValue(entry.absence == nil ? columns.note : entry.text),
            SQLiteValue(entry.retractedAt?.wallMilliseconds), SQLiteValue(sensor?.address), SQLiteValue(sensor?.name),
            SQLiteValue(sensor?.kind.rawValue), SQLiteValue(entry.facts.deviceTime?.storedText),
            SQLiteValue(entry.facts.sequence), .integer(entry.facts.isTimeKnown ? 1 : 0),
            SQLiteValue(entry.facts.remark), SQLiteValue(EntryDetails.text(of: entry)),
            SQLiteValue(entry.retractionReason.isEmpty ? nil : entry.retractionReason),
            SQLiteValue(entry.correction?.corrected.wallMilliseconds),
            SQLiteValue(entry.correction?.corrected.monotonicNanoseconds),
            SQLiteValue(entry.correction?.reason), SQLiteValue(entry.origin?.key), SQLiteValue(entry.origin?.source),
            SQLiteValue(entry.origin?.enteredAt), SQLiteValue(patient),
            SQLiteValue(entry.isFromMemory ? entry.taken.wallMilliseconds : nil))
    }

    /// The greatest transferred sequence number of each sensor, by address.
    func newestSequences() throws(StoreError) -> [String: Int] {
        var newest: [String: Int] = [:]
        try database.forEach(
            """
            SELECT sensor_address, max(sequence) FROM record_entry
            WHERE sensor_address IS NOT NULL AND sequence IS NOT NULL GROUP BY sensor_address LIMIT 1000
            """
        ) { row in
            if let address = row.text(0), let sequence = row.integer(1) { newest[address] = Int(sequence) }
        }
        return newest
    }

    /// The columns of an entry.
    private struct Columns {
        var value: Int?
        var site: BodySite?
        var pressure: BloodPressure?
        var note: String?

        init(_ content: RecordEntry.Content) {
            switch content {
            case .vital(_, let value, let site): (self.value, self.site) = (value.hundredths, site)
            case .bloodPressure(let pressure): self.pressure = pressure
            case .neutrophils(let count): value = count.perMicrolitre * 100
            case .weight(let weight): value = weight.hundredths
            case .lab(let result): value = result.neutrophilsPerMicrolitre.map { $0 * 100 }
            case .medication(let medication): note = medication.name
            case .symptom(let rating): (value, note) = (rating.severity * 100, rating.symptom.text)
            case .mascc(let index): value = index.score * 100
            case .note(let text): note = text
            case .noMeasurement: break
            }
        }
    }
}

extension StoredHistory {
    /// The manual entries of a period, in the order of measurement.
    ///
    /// - Parameters:
    ///   - range: Wall times of the measurement in milliseconds since 1970 (UTC).
    ///   - kinds: The wanted kinds; `nil` for all.
    ///   - patient: The number of the patient's record (``patients()``); `nil` for all.
    /// - Returns: Entries whose `taken` is on the monotonic clock of the run that they were typed in.
    public func recordEntries(
        in range: Range<Int64>, kinds: Set<RecordEntry.Kind>? = nil, patient: Int? = nil
    ) throws(StoreError) -> [RecordedEntry] {
        var entries: [RecordedEntry] = []
        try database.forEach(
            """
            SELECT \(Self.entryColumns)
            FROM record_entry WHERE taken_wall_ms >= ?1 AND taken_wall_ms < ?2 AND (?3 IS NULL OR record = ?3)
            ORDER BY taken_wall_ms, entered_wall_ms, id
            """, .integer(range.lowerBound), .integer(range.upperBound), SQLiteValue(patient)
        ) { row in
            // Unreadable rows were written by another version; the others are still useful.
            if let entry = recordEntry(row, of: kinds) { entries.append(entry) }
        }
        return entries
    }

    /// The columns of ``recordEntry(_:of:)``.
    static let entryColumns = """
        taken_wall_ms, entered_wall_ms, entered_monotonic_ns, kind, value, site, systolic, diastolic, mean, pulse, note,
        retracted_wall_ms, epoch, sensor_address, sensor_name, sensor_kind, sensor_time, sequence, time_known, remark,
        details, retraction_reason, corrected_wall_ms, corrected_monotonic_ns, correction_reason, import_key,
        import_source, import_entered_wall_ms
        """

    /// The entry of a row of ``entryColumns``; `nil` for one of another version, or of another kind.
    func recordEntry(_ row: SQLiteStatement, of kinds: Set<RecordEntry.Kind>? = nil) -> RecordedEntry? {
        guard let kind = row.text(3).flatMap({ RecordEntry.Kind(rawValue: $0) }), let entry = RecordEntry(row, kind),
            kinds?.contains(entry.kind ?? kind) ?? true
        else { return nil }
        return RecordedEntry(entry, run: run(ofEpoch: row.integer(12) ?? 0))
    }
}

extension RecordEntry {
    /// Reads the present row of ``StoredHistory/entryColumns``.
    fileprivate init?(_ row: SQLiteStatement, _ kind: Kind) {
        guard let taken = row.integer(0), let entered = row.integer(1), let monotonic = row.integer(2),
            let content = Self.content(row, kind, taken: taken)
        else { return nil }
        let enteredAt = Moment(monotonicNanoseconds: monotonic, wallMilliseconds: entered)
        let age = max(0, entered.subtractingSaturated(taken))
        let start = monotonic.subtractingSaturated(age.multipliedSaturated(by: 1_000_000))
        self.init(
            content, from: Source(row), EntryFacts(row),
            taken: Moment(monotonicNanoseconds: start, wallMilliseconds: taken),
            enteredAt: enteredAt)
        if let retracted = row.integer(11) {
            retract(
                at: Moment(monotonicNanoseconds: monotonic, wallMilliseconds: retracted), reason: row.text(21) ?? "")
        }
        if let wall = row.integer(22), let clock = row.integer(23) {
            correction = Correction(
                of: Moment(monotonicNanoseconds: clock, wallMilliseconds: wall), reason: row.text(24) ?? "")
        }
        if let key = row.text(25) {
            origin = ImportOrigin(key: key, source: row.text(26) ?? "", enteredAt: row.integer(27))
        }
        keep(typed: EntryDetails.typed(row.text(20)))
    }

    private static func content(_ row: SQLiteStatement, _ kind: Kind, taken: Int64) -> Content? {
        func whole(_ column: Int32) -> Int? { row.integer(column).flatMap { Int32(exactly: $0) }.map { Int($0) } }
        switch kind {
        case .bodyTemperature, .heartRate, .oxygenSaturation, .glucose:
            guard let vital = kind.vital, let value = whole(4) else { return nil }
            return .vital(
                vital, VitalValue(hundredths: value), site: row.text(5).flatMap { BodySite(rawValue: $0) })
        case .bloodPressure:
            guard let systolic = whole(6), let diastolic = whole(7) else { return nil }
            return .bloodPressure(
                BloodPressure(systolic: systolic, diastolic: diastolic, mean: whole(8), pulse: whole(9)))
        case .neutrophils:
            return whole(4).map { .neutrophils(NeutrophilCount(perMicrolitre: $0 / 100, sampledAt: taken)) }
        case .weight: return whole(4).map { .weight(VitalValue(hundredths: $0)) }
        case .lab: return row.text(20).flatMap(EntryDetails.labResult).map { .lab($0) }
        case .medication:
            return row.text(10).flatMap { EntryDetails.medication(named: $0, row.text(20)) }.map { .medication($0) }
        case .symptom:
            guard let name = row.text(10), let value = whole(4), SymptomRating.severities.contains(value / 100) else {
                return nil
            }
            return .symptom(SymptomRating(Symptom(name), severity: value / 100))
        case .mascc: return row.text(20).flatMap(EntryDetails.masccIndex).map { .mascc($0) }
        case .note:
            // Stored as a note, because the other kinds have a value in every version of the store.
            if row.text(13) != nil, let absence = EntryDetails.absence(row.text(20)) {
                return .noMeasurement(absence.kind, absence.reason)
            }
            return row.text(10).map { .note($0) }
        }
    }
}

extension RecordEntry.Source {
    /// Reads the present row of ``StoredHistory/entryColumns``.
    fileprivate init(_ row: SQLiteStatement) {
        guard let address = row.text(13), let kind = row.text(15).flatMap({ SensorKind(rawValue: $0) }) else {
            self = .typed
            return
        }
        self = .sensor(SensorIdentity(address: address, name: row.text(14) ?? "", kind: kind))
    }
}

extension EntryFacts {
    /// Reads the present row of ``StoredHistory/entryColumns``.
    fileprivate init(_ row: SQLiteStatement) {
        self.init(
            deviceTime: row.text(16).flatMap { DeviceTime(storedText: $0) },
            sequence: row.integer(17).flatMap { Int(exactly: $0) }, isTimeKnown: row.integer(18) != 0,
            quality: EntryDetails.quality(row.text(20)), remark: row.text(19),
            user: EntryDetails.user(row.text(20)))
    }
}
