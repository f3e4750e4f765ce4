import Base
import Monitoring
import Vitals

/// The columns of the table of entries, by their names; whoever writes or reads an entry goes through this list.
///
/// The content is a JSON object of the fields of its kind (``EntryContent``). The value and the words that stand for the
/// entry have a column of their own, for people, and for a sum without JSON.
enum EntryColumn: String, CaseIterable {
    case epoch, kind, absence, content, value, note, quality, remark, sequence, typed
    case taken = "taken_wall_ms"
    case entered = "entered_wall_ms"
    case enteredClock = "entered_monotonic_ns"
    case isTimeKnown = "time_known"
    case user = "device_user"
    case sensorAddress = "sensor_address"
    case sensorName = "sensor_name"
    case sensorKind = "sensor_kind"
    case sensorTime = "sensor_time"
    case isConfirmationWanted = "confirmation_wanted"
    case confirmed = "confirmed_wall_ms"
    case retracted = "retracted_wall_ms"
    case retractionReason = "retraction_reason"
    case corrected = "corrected_wall_ms"
    case correctedClock = "corrected_monotonic_ns"
    case correctionReason = "correction_reason"
    case importKey = "import_key"
    case importSource = "import_source"
    case importEntered = "import_entered_wall_ms"

    /// What an entry of a run has in the column.
    func value(of entry: RecordEntry, _ kind: RecordEntry.Kind, run: Int64) -> SQLiteValue {
        let sensor = entry.source == .typed ? nil : entry.sensor
        return switch self {
        case .epoch: .integer(run)
        case .kind: .text(kind.rawValue)
        case .absence: SQLiteValue(entry.absence?.rawValue)
        case .content: SQLiteValue(EntryContent.text(of: entry.content))
        case .value: SQLiteValue(entry.value(in: .value)?.hundredths)
        case .note: SQLiteValue(entry.words)
        case .quality: .text(entry.facts.quality.rawValue)
        case .remark: SQLiteValue(entry.facts.remark)
        case .sequence: SQLiteValue(entry.facts.sequence)
        case .typed: SQLiteValue(entry.typed)
        case .taken: .integer(entry.taken.wallMilliseconds)
        case .entered: .integer(entry.enteredAt.wallMilliseconds)
        case .enteredClock: .integer(entry.enteredAt.monotonicNanoseconds)
        case .isTimeKnown: .integer(entry.facts.isTimeKnown ? 1 : 0)
        case .user: SQLiteValue(entry.facts.user)
        case .sensorAddress: SQLiteValue(sensor?.address)
        case .sensorName: SQLiteValue(sensor?.name)
        case .sensorKind: SQLiteValue(sensor?.kind.rawValue)
        case .sensorTime: SQLiteValue(entry.facts.deviceTime?.storedText)
        case .isConfirmationWanted: .integer(entry.facts.confirmation == nil ? 0 : 1)
        case .confirmed: SQLiteValue(entry.confirmedAt?.wallMilliseconds)
        case .retracted: SQLiteValue(entry.retractedAt?.wallMilliseconds)
        case .retractionReason: SQLiteValue(entry.retractionReason.isEmpty ? nil : entry.retractionReason)
        case .corrected: SQLiteValue(entry.correction?.corrected.wallMilliseconds)
        case .correctedClock: SQLiteValue(entry.correction?.corrected.monotonicNanoseconds)
        case .correctionReason: SQLiteValue(entry.correction?.reason)
        case .importKey: SQLiteValue(entry.origin?.key)
        case .importSource: SQLiteValue(entry.origin?.source)
        case .importEntered: SQLiteValue(entry.origin?.enteredAt)
        }
    }

    /// The names of all columns, in their order.
    static let names = allCases.map(\.rawValue).joined(separator: ", ")
    /// How many there are, which is the place of what a query has behind them.
    static let count = Int32(allCases.count)
    /// The place of each in a row that begins with ``names``.
    fileprivate static let places = Dictionary(uniqueKeysWithValues: zip(allCases, Int32(0)...))
}

extension RecordEntry {
    /// The number that stands for it; `nil` where it has none.
    fileprivate func value(in role: EntryField.Role) -> VitalValue? {
        absence == nil ? content.fields.first { $0.role == role }?.hundredths(content) : nil
    }

    /// The words that stand for it, or say why it has no value.
    fileprivate var words: String? {
        if absence != nil { return text }
        guard case .text(let words)? = content.fields.first(where: { $0.role == .words })?.value(content) else {
            return nil
        }
        return words
    }
}

extension SQLiteStatement {
    fileprivate func text(_ column: EntryColumn) -> String? { EntryColumn.places[column].flatMap { text($0) } }
    fileprivate func integer(_ column: EntryColumn) -> Int64? { EntryColumn.places[column].flatMap { integer($0) } }
}

/// Entries of the record in the store.
struct EntryStore {
    let database: SQLiteDatabase
    /// The table: that of the record, or that of what waits for an answer, which has the same columns.
    var table = "record_entry"

    /// Writes an entry, its confirmation or its retraction.
    ///
    /// - Parameters:
    ///   - entry: The entry.
    ///   - run: Its epoch.
    ///   - patient: The number of its patient; `nil` for the newest one, or for what was in a sensor's memory the one at whose
    ///     time it was measured.
    func append(_ entry: RecordEntry, run: Int64, patient: Int? = nil) throws(StoreError) {
        guard let kind = entry.kind else { return }
        if patient == nil, try isKnownOfOther(entry) { return }
        let statement = try database.statement(insertion)
        try statement.bind(
            [SQLiteValue(patient), SQLiteValue(entry.isFromMemory ? entry.taken.wallMilliseconds : nil)]
                + EntryColumn.allCases.map { $0.value(of: entry, kind, run: run) })
        defer { statement.reset() }
        while try statement.step() {}
    }

    /// Whether a sensor hands over again what is known, in the record of an earlier patient, to be another person's, or to
    /// wait for an answer there.
    private func isKnownOfOther(_ entry: RecordEntry) throws(StoreError) -> Bool {
        guard table == "record_entry", entry.isFromMemory, let user = entry.facts.user, user != EntryFacts.unknownUser
        else { return false }
        let measurement = LeftOutMeasurement(entry)
        let row = try database.statement(
            """
            WITH placed(record) AS (SELECT ifnull(max(record), 1) FROM patient_record WHERE since_wall_ms <= ?1)
            SELECT 1 FROM placed WHERE record < (SELECT ifnull(max(record), 1) FROM patient_record) AND (
                EXISTS (SELECT 1 FROM left_out_measurement AS other WHERE other.record = placed.record
                    AND sensor_address = ?2 AND device_user = ?3 AND stamp = ?4)
                OR EXISTS (SELECT 1 FROM waiting_entry AS other WHERE other.record = placed.record
                    AND sensor_address = ?2 AND device_user = ?3 AND ifnull(sensor_time, '') = ?5
                    AND ifnull(sequence, -1) = ?6)
                OR EXISTS (SELECT 1 FROM device_user AS other WHERE other.record = placed.record
                    AND sensor_address = ?2 AND number <> ?3))
            """)
        defer { row.reset() }
        try row.bind([
            .integer(entry.taken.wallMilliseconds), .text(measurement.address), .integer(Int64(user)),
            .text(measurement.stamp), .text(entry.facts.deviceTime?.storedText ?? ""),
            .integer(Int64(entry.facts.sequence ?? -1)),
        ])
        return try row.step()
    }

    private var insertion: String {
        """
        INSERT INTO \(table) (record, \(EntryColumn.names))
        VALUES (ifnull(?1, (SELECT ifnull(max(record), 1) FROM patient_record WHERE ?2 IS NULL OR since_wall_ms <= ?2)),
            \(EntryColumn.allCases.indices.map { "?\($0 + 3)" }.joined(separator: ", ")))
        ON CONFLICT DO UPDATE SET confirmed_wall_ms = ifnull(confirmed_wall_ms, excluded.confirmed_wall_ms),
            retracted_wall_ms = ifnull(retracted_wall_ms, excluded.retracted_wall_ms),
            retraction_reason = CASE WHEN retracted_wall_ms IS NULL THEN excluded.retraction_reason
                ELSE retraction_reason END
        """
    }

    /// The newest valid measurement that a sensor has handed over for the present patient; `nil` without one.
    ///
    /// - Parameters:
    ///   - address: The sensor's address.
    ///   - since: The earliest wall time of the measurement.
    func newest(ofSensor address: String, since: Int64) throws(StoreError) -> RecordEntry? {
        let row = try database.statement(
            """
            SELECT \(EntryColumn.names) FROM record_entry
            WHERE sensor_address = ?1 AND taken_wall_ms >= ?2 AND retracted_wall_ms IS NULL AND absence IS NULL
                AND time_known <> 0 AND record = (SELECT ifnull(max(record), 1) FROM patient_record)
            ORDER BY taken_wall_ms DESC LIMIT 1
            """)
        defer { row.reset() }
        try row.bind([.text(address), .integer(since)])
        guard try row.step(), let kind = row.text(.kind).flatMap({ RecordEntry.Kind(rawValue: $0) }) else { return nil }
        return RecordEntry(row, kind)
    }

    /// The most measurements by which a sensor's next ones are compared; meters store a few thousand.
    private static let handedOverLimit = 10_000

    /// The newest measurements with the sensor's own time and without its number, retracted or not.
    func handedOver() throws(StoreError) -> [RecordEntry] {
        var entries: [RecordEntry] = []
        try database.forEach(
            """
            SELECT \(EntryColumn.names) FROM record_entry
            WHERE sensor_address IS NOT NULL AND sensor_time IS NOT NULL AND sequence IS NULL
            ORDER BY id DESC LIMIT \(Self.handedOverLimit)
            """
        ) { row in
            guard let kind = row.text(.kind).flatMap({ RecordEntry.Kind(rawValue: $0) }),
                let entry = RecordEntry(row, kind)
            else { return }
            entries.append(entry)
        }
        return entries
    }

    /// The greatest of its own numbers that each sensor has handed over, by address.
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
}

extension StoredHistory {
    /// The entries of a period, in the order of measurement.
    ///
    /// - Parameters:
    ///   - range: Wall times in milliseconds since 1970 (UTC) at which they were measured.
    ///   - kinds: The kinds of interest; `nil` for all.
    ///   - patient: The number of the patient's record (``patients()``); `nil` for all.
    /// - Returns: Entries whose `taken` is on the monotonic clock of the run that they were typed in.
    /// - Throws: ``StoreError``.
    public func recordEntries(
        in range: Range<Int64>, kinds: Set<RecordEntry.Kind>? = nil, patient: Int? = nil
    ) throws(StoreError) -> [RecordedEntry] {
        var (entries, found): ([RecordedEntry], RecordedEntries) = (
            [], try RecordedEntries(self, in: range, kinds: kinds, patient: patient)
        )
        while let entry = try found.next() { entries.append(entry) }
        return entries
    }

    /// The entries that others correct.
    ///
    /// - Throws: ``StoreError``.
    public func correctedEntries() throws(StoreError) -> [RecordedEntry] {
        var entries: [RecordedEntry] = []
        try database.forEach(
            """
            SELECT \(EntryColumn.names) FROM record_entry WHERE (entered_wall_ms, entered_monotonic_ns) IN (
                SELECT corrected_wall_ms, corrected_monotonic_ns FROM record_entry WHERE corrected_wall_ms IS NOT NULL)
            """
        ) { row in
            if let entry = recordEntry(row) { entries.append(entry) }
        }
        return entries
    }

    /// The measurements that wait for somebody who confirms or discards them, in the order of measurement.
    ///
    /// - Parameter patient: The number of the patient's record.
    /// - Returns: Each with its number in the store, which it keeps.
    /// - Throws: ``StoreError``.
    public func unconfirmedEntries(of patient: Int) throws(StoreError) -> [(number: Int64, recorded: RecordedEntry)] {
        var entries: [(number: Int64, recorded: RecordedEntry)] = []
        let rows = try database.statement(
            """
            SELECT \(EntryColumn.names), id FROM record_entry
            WHERE confirmation_wanted = 1 AND confirmed_wall_ms IS NULL AND retracted_wall_ms IS NULL AND record = ?1
            ORDER BY taken_wall_ms, entered_wall_ms, id
            """)
        defer { rows.reset() }
        try rows.bind([.integer(Int64(patient))])
        while try rows.step() {
            if let entry = recordEntry(rows) { entries.append((rows.number(EntryColumn.count), entry)) }
        }
        return entries
    }

    /// The entry of a row of ``EntryColumn/names``; `nil` for one of another version, or of none of these kinds.
    func recordEntry(_ row: SQLiteStatement, of kinds: Set<RecordEntry.Kind>? = nil) -> RecordedEntry? {
        guard let kind = row.text(.kind).flatMap({ RecordEntry.Kind(rawValue: $0) }), kinds?.contains(kind) ?? true,
            let entry = RecordEntry(row, kind)
        else { return nil }
        return RecordedEntry(entry, run: run(ofEpoch: row.integer(.epoch) ?? 0))
    }
}

/// The entries of a period in the order of measurement, read in pages, so that they need little memory.
public struct RecordedEntries {
    private static let pageSize = 256

    private let history: StoredHistory
    private let range: Range<Int64>
    private let kinds: Set<RecordEntry.Kind>?
    private let patient: Int?
    /// The last entry that is read; what is entered meanwhile is left out.
    private let newest: Int64
    /// The rest of the page, the next one last.
    private var page: [RecordedEntry] = []
    /// The place of the last row of the page; `nil` when there are no more.
    private var last: (taken: Int64, entered: Int64, number: Int64)? = (.min, .min, .min)

    /// Begins with the first one; parameters as for ``StoredHistory/recordEntries(in:kinds:patient:)``.
    ///
    /// - Throws: ``StoreError``.
    public init(
        _ history: StoredHistory, in range: Range<Int64>, kinds: Set<RecordEntry.Kind>? = nil, patient: Int? = nil
    ) throws(StoreError) {
        (self.history, self.range, self.kinds, self.patient) = (history, range, kinds, patient)
        newest = try history.database.integer("SELECT max(id) FROM record_entry") ?? 0
    }

    /// The next one, unless it was measured later than a wall time; `nil` if there is none.
    ///
    /// - Throws: ``StoreError``.
    public mutating func next(until wall: Int64 = .max) throws(StoreError) -> RecordedEntry? {
        while page.isEmpty, let last { try read(after: last) }
        guard let next = page.last, next.entry.taken.wallMilliseconds <= wall else { return nil }
        page.removeLast()
        return next
    }

    private mutating func read(after start: (taken: Int64, entered: Int64, number: Int64)) throws(StoreError) {
        var count = 0
        let rows = try history.database.statement(
            """
            SELECT \(EntryColumn.names), id FROM record_entry
            WHERE taken_wall_ms >= ?1 AND taken_wall_ms < ?2 AND (?3 IS NULL OR record = ?3)
                AND (taken_wall_ms, entered_wall_ms, id) > (?4, ?5, ?6) AND id <= ?7
            ORDER BY taken_wall_ms, entered_wall_ms, id LIMIT \(Self.pageSize)
            """)
        defer { rows.reset() }
        try rows.bind([
            .integer(max(range.lowerBound, start.taken)), .integer(range.upperBound), SQLiteValue(patient),
            .integer(start.taken), .integer(start.entered), .integer(start.number), .integer(newest),
        ])
        while try rows.step() {
            count += 1
            last = (rows.integer(.taken) ?? 0, rows.integer(.entered) ?? 0, rows.number(EntryColumn.count))
            // Unreadable rows come from another version; the rest is still useful.
            if let entry = history.recordEntry(rows, of: kinds) { page.append(entry) }
        }
        page.reverse()
        if count < Self.pageSize { last = nil }
    }
}

extension RecordEntry {
    /// Reads the present row of ``EntryColumn/names``.
    fileprivate init?(_ row: SQLiteStatement, _ kind: Kind) {
        guard let taken = row.integer(.taken), let entered = row.integer(.entered),
            let monotonic = row.integer(.enteredClock),
            let content = Self.content(row, kind, taken: taken)
        else { return nil }
        let enteredAt = Moment(monotonicNanoseconds: monotonic, wallMilliseconds: entered)
        let age = max(0, entered.subtractingSaturated(taken))
        let start = monotonic.subtractingSaturated(age.multipliedSaturated(by: 1_000_000))
        self.init(
            content, from: Source(row), EntryFacts(row, monotonic: monotonic),
            taken: Moment(monotonicNanoseconds: start, wallMilliseconds: taken), enteredAt: enteredAt)
        if let retracted = row.integer(.retracted) {
            retract(
                at: Moment(monotonicNanoseconds: monotonic, wallMilliseconds: retracted),
                reason: row.text(.retractionReason) ?? "")
        }
        if let wall = row.integer(.corrected), let clock = row.integer(.correctedClock) {
            correction = Correction(
                of: Moment(monotonicNanoseconds: clock, wallMilliseconds: wall),
                reason: row.text(.correctionReason) ?? "")
        }
        if let key = row.text(.importKey) {
            origin = ImportOrigin(
                key: key, source: row.text(.importSource) ?? "", enteredAt: row.integer(.importEntered))
        }
        keep(typed: row.text(.typed))
    }

    private static func content(_ row: SQLiteStatement, _ kind: Kind, taken: Int64) -> Content? {
        // The reason of a newer version is an unusable value here.
        if let absence = row.text(.absence) {
            return .noMeasurement(kind, AbsenceReason(rawValue: absence) ?? .unusable)
        }
        return row.text(.content).flatMap { EntryContent.content($0, kind, taken: taken) }
    }
}

extension RecordEntry.Source {
    /// Reads the present row of ``EntryColumn/names``.
    fileprivate init(_ row: SQLiteStatement) {
        guard let address = row.text(.sensorAddress),
            let kind = row.text(.sensorKind).flatMap({ SensorKind(rawValue: $0) })
        else {
            self = .typed
            return
        }
        self = .sensor(SensorIdentity(address: address, name: row.text(.sensorName) ?? "", kind: kind))
    }
}

extension EntryFacts {
    /// Reads the present row of ``EntryColumn/names``; a quality of a newer version is questionable here.
    ///
    /// - Parameter monotonic: When it was entered, in nanoseconds since the computer started.
    fileprivate init(_ row: SQLiteStatement, monotonic: Int64) {
        let isWanted = row.integer(.isConfirmationWanted) == 1
        let confirmed = row.integer(.confirmed).map {
            Moment(monotonicNanoseconds: monotonic, wallMilliseconds: $0)
        }
        self.init(
            deviceTime: row.text(.sensorTime).flatMap { DeviceTime(storedText: $0) },
            sequence: row.integer(.sequence).flatMap { Int(exactly: $0) },
            isTimeKnown: row.integer(.isTimeKnown) != 0,
            quality: row.text(.quality).map { Reading.Quality(rawValue: $0) ?? .questionable } ?? .good,
            remark: row.text(.remark),
            user: row.integer(.user).flatMap { Int(exactly: $0) }.flatMap { EntryFacts.users.contains($0) ? $0 : nil },
            confirmation: isWanted ? confirmed.map { .given($0) } ?? .awaited : nil)
    }
}
