import Base
import Vitals

/// Reads the store, while a monitor may be recording.
///
/// It sees one snapshot until it passes on readings, which may take long. Use it on one thread. Only names are kept in
/// memory; readings are passed on one by one.
public final class StoredHistory {
    let database: SQLiteDatabase
    private let words: [String?]
    private let sensors: [Int64: SensorIdentity]
    private let lines: [Int64: Epoch]

    /// What a row needs to know of its epoch.
    private struct Epoch {
        var run: Int64
        var clock: EpochClock
    }

    /// Opens a store for reading; `nil` where there is none.
    ///
    /// - Throws: ``StoreError``.
    public static func open(_ path: String) throws(StoreError) -> StoredHistory? {
        guard let database = try StoreFile.openForReading(path) else { return nil }
        return try StoredHistory(database)
    }

    init(_ database: SQLiteDatabase) throws(StoreError) {
        self.database = database
        // One transaction, so that all queries see the same snapshot.
        try database.execute("BEGIN")
        var words: [String?] = []
        try database.forEach("SELECT id, text FROM word") { row in
            let number = Int(clamping: row.integer(0) ?? 0)
            guard (0..<100_000).contains(number) else { return }
            while words.count <= number { words.append(nil) }
            words[number] = row.text(1)
        }
        var sensors: [Int64: SensorIdentity] = [:]
        try database.forEach("SELECT id, address, name, kind FROM sensor") { row in
            sensors[row.integer(0) ?? 0] = SensorIdentity(
                address: row.text(1) ?? "", name: row.text(2) ?? "",
                kind: row.text(3).flatMap { SensorKind(rawValue: $0) } ?? .other)
        }
        var epochs: [Int64: Epoch] = [:]
        try database.forEach("SELECT id, ifnull(run, id), wall_ms, monotonic_ns FROM epoch") { row in
            epochs[row.integer(0) ?? 0] = Epoch(
                run: row.integer(1) ?? 0,
                clock: EpochClock(wall: row.integer(2) ?? 0, monotonic: row.integer(3) ?? 0))
        }
        (self.words, self.sensors, lines) = (words, sensors, epochs)
    }

    /// The meanings of the table of words, decoded once for all rows.
    func meanings<Meaning>(_ meaning: (String) -> Meaning?) -> [Meaning?] {
        words.map { $0.flatMap(meaning) }
    }

    /// Passes the readings of a period to a closure, the oldest first.
    ///
    /// They are read in pages, and the transaction ends between pages, so that a slow reader, such as a pipe, does not
    /// make the write-ahead log grow. Readings recorded meanwhile are ignored.
    ///
    /// - Parameters:
    ///   - range: Wall times in milliseconds since 1970 (UTC) at which they came.
    ///   - record: When the patient's values were measured: what came late belongs to the record of its measurement,
    ///     whichever was open when it came.
    ///   - vitals: The wanted vitals; `nil` for all.
    ///   - body: Returns whether to continue.
    /// - Throws: ``StoreError``.
    public func forEachReading(
        in range: Range<Int64>, of record: Range<Int64> = .min..<(.max), vitals: Set<Vital>? = nil,
        _ body: (RecordedReading) -> Bool
    ) throws(StoreError) {
        let reader = RowReader(self)
        let newest = try database.integer("SELECT max(wall_ms) FROM reading") ?? .min
        let end = newest == .max ? range.upperBound : min(range.upperBound, newest + 1)
        func pass(in arrivals: Range<Int64>, isOnlyLate: Bool) throws(StoreError) -> Bool {
            var last: (wall: Int64, number: Int64) = (arrivals.lowerBound, -1)
            var isMore = !arrivals.isEmpty
            while isMore {
                let page = try page(
                    after: &last, before: arrivals.upperBound, isOnlyLate: isOnlyLate, reader, isMore: &isMore)
                try beginNewMoment()
                for found in page {
                    let reading = found.reading
                    if let vitals, !vitals.contains(reading.vital) { continue }
                    guard record.contains((reading.late?.estimate ?? reading.moment).wallMilliseconds) else { continue }
                    if !body(found) { return false }
                }
            }
            return true
        }
        let known = range.clamped(to: .min..<max(end, range.lowerBound))
        guard try pass(in: known.clamped(to: record), isOnlyLate: false) else { return }
        // What was measured then, and came when the next record was open.
        let later = max(record.upperBound, known.lowerBound)
        if later < known.upperBound { _ = try pass(in: later..<known.upperBound, isOnlyLate: true) }
    }

    /// The number of readings per page.
    static let pageSize = 4096

    private func page(
        after last: inout (wall: Int64, number: Int64), before end: Int64, isOnlyLate: Bool, _ reader: RowReader,
        isMore: inout Bool
    ) throws(StoreError) -> [RecordedReading] {
        let rows = try database.statement(
            """
            SELECT \(RowReader.columns) FROM reading WHERE (wall_ms, n) > (?1, ?2) AND wall_ms < ?3
                \(isOnlyLate ? "AND late IS NOT NULL" : "") ORDER BY wall_ms, n LIMIT \(Self.pageSize)
            """)
        defer { rows.reset() }
        try rows.bind([.integer(last.wall), .integer(last.number), .integer(end)])
        var page: [RecordedReading] = []
        var count = 0
        while try rows.step() {
            count += 1
            last = (rows.integer(0) ?? last.wall, rows.integer(1) ?? last.number)
            // Unreadable rows were written by another version; the others are still useful.
            if let reading = reader.reading(rows) { page.append(reading) }
        }
        isMore = count == Self.pageSize
        return page
    }

    /// Ends the present snapshot and begins a new one.
    func beginNewMoment() throws(StoreError) {
        try database.execute("COMMIT")
        try database.execute("BEGIN")
    }

    /// The vitals and sensors with data in a period, in the order of vitals, then of addresses.
    ///
    /// - Parameters:
    ///   - range: When the data came.
    ///   - record: When the patient's values were measured, as for ``forEachReading(in:of:vitals:_:)``.
    ///   - vitals: The wanted vitals; `nil` for all.
    /// - Throws: ``StoreError``.
    public func sources(
        in range: Range<Int64>, of record: Range<Int64> = .min..<(.max), vitals: Set<Vital>? = nil
    ) throws(StoreError) -> [RecordedSource] {
        let present = range.clamped(to: record)
        let meanings = meanings { Vital(rawValue: $0) }
        var found: [Vital: [String: RecordedSource]] = [:]
        try database.forEach(
            """
            SELECT sensor, vital FROM minute WHERE minute >= ?1 AND minute <= ?2
            UNION SELECT sensor, vital FROM reading WHERE wall_ms >= ?3 AND wall_ms < ?4 AND late IS NOT NULL
                AND late_ms >= ?5 AND late_ms < ?6
            UNION SELECT sensor, vital FROM \(ReadingStore.unsettled)
                WHERE wall_ms >= ?3 AND wall_ms < ?4 AND late IS NULL
            ORDER BY sensor
            """,
            .integer(MinuteTable.minute(of: present.lowerBound)), .integer(MinuteTable.minute(of: present.upperBound)),
            .integer(range.lowerBound), .integer(range.upperBound), .integer(record.lowerBound),
            .integer(record.upperBound)
        ) { row in
            guard let number = row.integer(0), let sensor = sensors[number],
                let vital = row.integer(1).flatMap({ meanings.at($0) }), vitals?.contains(vital) ?? true
            else { return }
            var source =
                found[vital]?[sensor.address] ?? RecordedSource(sensor: sensor, vital: vital, sensorNumbers: [])
            source.sensor = sensor
            source.sensorNumbers.append(number)
            found[vital, default: [:]][sensor.address] = source
        }
        return Vital.allCases.flatMap { vital in
            (found[vital] ?? [:]).values.sorted { $0.sensor.address < $1.sensor.address }
        }
    }

    /// The wear periods that overlap a period, in the order in which they began.
    ///
    /// - Throws: ``StoreError``.
    public func wearings(in range: Range<Int64>) throws(StoreError) -> [RecordedWearPeriod] {
        let reasons = meanings { AbsenceReason(rawValue: $0) }
        var wearings: [RecordedWearPeriod] = []
        let unsettled = try unsettledRows()
        try database.forEach(
            """
            SELECT id, sensor, from_wall_ms, to_wall_ms, readings, ending FROM wearing
            WHERE to_wall_ms >= ?1 AND from_wall_ms < ?2 ORDER BY from_wall_ms, id
            """,
            .integer(range.lowerBound.subtractingSaturated(WearPeriodTable.longestBreak)), .integer(range.upperBound)
        ) { row in
            guard let number = row.integer(0), let sensor = row.integer(1).flatMap({ sensors[$0] }),
                let from = row.integer(2), let to = row.integer(3)
            else { return }
            wearings.append(
                RecordedWearPeriod(
                    number: number, sensor: sensor, from: from, to: to, readings: row.integer(4) ?? 0,
                    ending: row.integer(5).flatMap { reasons.at($0) }))
        }
        for row in unsettled {
            // After the clock was set back the newest one is not the last.
            let own = wearings.indices.filter { wearings[$0].sensor.address == row.address }
            guard let place = own.max(by: { wearings[$0].number < wearings[$1].number }) else { continue }
            let passed = row.wall.subtractingSaturated(wearings[place].to)
            guard (0...WearPeriodTable.longestBreak).contains(passed) else { continue }
            if row.isMeasured {
                wearings[place].to = row.wall
                wearings[place].readings += 1
                wearings[place].ending = nil
            } else if wearings[place].ending == nil {
                wearings[place].ending = row.absence.flatMap { reasons.at($0) }
            }
        }
        return wearings.filter { $0.to >= range.lowerBound }
    }

    /// A reading that no wear period counts yet.
    private struct UnsettledRow {
        var address: String
        var wall: Int64
        var isMeasured: Bool
        var absence: Int64?
    }

    private func unsettledRows() throws(StoreError) -> [UnsettledRow] {
        var rows: [UnsettledRow] = []
        try database.forEach(
            """
            SELECT sensor, wall_ms, value, absence FROM \(ReadingStore.unsettled)
            WHERE late IS NULL ORDER BY epoch, wall_ms, n
            """
        ) { row in
            guard let address = row.integer(0).flatMap({ sensors[$0] })?.address, let wall = row.integer(1) else {
                return
            }
            rows.append(
                UnsettledRow(
                    address: address, wall: wall, isMeasured: row.integer(2) != nil, absence: row.integer(3)))
        }
        return rows
    }

    /// The gaps that overlap a period, in the order in which they were detected.
    ///
    /// The start of a program while another one recorded is not a gap.
    ///
    /// - Throws: ``StoreError``.
    public func gaps(in range: Range<Int64>) throws(StoreError) -> [RecordedGap] {
        let reasons = meanings { $0 }
        var gaps: [RecordedGap] = []
        try database.forEach(
            """
            SELECT from_wall_ms, to_wall_ms, reason FROM gap JOIN epoch AS own ON own.id = gap.epoch
            WHERE max(from_wall_ms, to_wall_ms) >= ?1 AND min(from_wall_ms, to_wall_ms) < ?2
                AND NOT (reason IN (SELECT id FROM word WHERE text = ?3) AND EXISTS (
                    SELECT 1 FROM epoch AS other
                    WHERE other.wall_ms < to_wall_ms AND other.last_wall_ms > to_wall_ms
                        AND ifnull(other.run, other.id) <> ifnull(own.run, own.id)))
            ORDER BY gap.id
            """, .integer(range.lowerBound), .integer(range.upperBound), .text(GapReason.program.rawValue)
        ) { row in
            guard let from = row.integer(0), let to = row.integer(1) else { return }
            gaps.append(RecordedGap(from: from, to: to, reason: row.integer(2).flatMap { reasons.at($0) } ?? ""))
        }
        return gaps
    }

    /// The sensor with a number of the store.
    func sensor(_ number: Int64) -> SensorIdentity? { sensors[number] }

    /// The first number of each sensor, by each of its numbers: a renamed one has several.
    func firstNumbers() -> [Int64: Int64] {
        var ofAddress: [String: Int64] = [:]
        var first: [Int64: Int64] = [:]
        for (number, sensor) in sensors.sorted(by: { $0.key < $1.key }) {
            first[number] = ofAddress[sensor.address] ?? number
            if ofAddress[sensor.address] == nil { ofAddress[sensor.address] = number }
        }
        return first
    }

    /// The run of an epoch.
    func run(ofEpoch epoch: Int64) -> Int64 { lines[epoch]?.run ?? epoch }

    /// The moment of a row of an epoch.
    func moment(ofEpoch epoch: Int64, wall: Int64, drift: Int64) -> Moment {
        (lines[epoch]?.clock ?? EpochClock()).moment(wall: wall, drift: drift)
    }
}

/// Which values count in figures (`Reading.Quality.countsInFigures`), by the number of their quality.
struct CountedQualities {
    private let allowed: [Bool?]

    init(_ history: StoredHistory) {
        allowed = history.meanings { Reading.Quality(rawValue: $0)?.countsInFigures }
    }

    /// Whether a value of a quality counts; the quality of a newer version does, as a questionable one.
    func allow(_ number: Int64?) -> Bool { number.flatMap { allowed.at($0) } ?? true }
}

/// Creates readings from rows of the table of readings, with the meanings of all numbers.
struct RowReader {
    /// The columns that ``reading(_:)`` reads.
    static let columns = """
        wall_ms, n, epoch, drift_ns, sensor, vital, value, quality, absence, site, device_time, late, late_from_ms,
        late_to_ms, late_ms, calibrated_with, calibrated_ms
        """
    private let history: StoredHistory
    private let vitals: [Vital?]
    private let qualities: [Reading.Quality?]
    private let reasons: [AbsenceReason?]
    private let sites: [BodySite?]
    private let lateSources: [LateInterval.Source?]

    init(_ history: StoredHistory) {
        self.history = history
        vitals = history.meanings { Vital(rawValue: $0) }
        qualities = history.meanings { Reading.Quality(rawValue: $0) }
        reasons = history.meanings { AbsenceReason(rawValue: $0) }
        sites = history.meanings { BodySite(rawValue: $0) }
        lateSources = history.meanings { LateInterval.Source(rawValue: $0) }
    }

    func reading(_ row: SQLiteStatement) -> RecordedReading? {
        guard let wall = row.integer(0), let number = row.integer(1), let epoch = row.integer(2),
            let drift = row.integer(3), let sensorNumber = row.integer(4),
            let sensor = history.sensor(sensorNumber), let vital = row.integer(5).flatMap({ vitals.at($0) }),
            let outcome = outcome(row)
        else { return nil }
        let moment = history.moment(ofEpoch: epoch, wall: wall, drift: drift)
        let reading = Reading(
            sensor: sensor, vital: vital, outcome: outcome, moment: moment,
            site: row.integer(9).flatMap { sites.at($0) },
            deviceTime: row.text(10).flatMap { DeviceTime(storedText: $0) }, late: late(row, at: moment),
            calibration: calibration(row))
        return RecordedReading(
            reading, run: history.run(ofEpoch: epoch), number: number, sensorNumber: sensorNumber)
    }

    private func late(_ row: SQLiteStatement, at moment: Moment) -> LateInterval? {
        guard let source = row.integer(11).flatMap({ lateSources.at($0) }), let from = row.integer(12),
            let to = row.integer(13), let estimate = row.integer(14)
        else { return nil }
        func at(_ wall: Int64) -> Moment {
            moment.advanced(by: .milliseconds(wall.subtractingSaturated(moment.wallMilliseconds)))
        }
        var interval = LateInterval(sensorTime: at(estimate))
        (interval.from, interval.to, interval.source) = (at(from), at(to), source)
        return interval
    }

    private func calibration(_ row: SQLiteStatement) -> AppliedCalibration? {
        guard let glucose = row.value(15), let wall = row.integer(16) else { return nil }
        let applied = AppliedCalibration(glucose: glucose, wallMilliseconds: wall)
        return applied.isPossible ? applied : nil
    }

    private func outcome(_ row: SQLiteStatement) -> Reading.Outcome? {
        if row.integer(6) != nil {
            let quality = row.integer(7).flatMap { qualities.at($0) } ?? .questionable
            return row.value(6).map { .measured($0, quality) }
        }
        return row.integer(8).flatMap { reasons.at($0) }.map { .noMeasurement($0) }
    }
}

extension Array {
    /// The element with a number of the store, if it is known.
    func at<Wrapped>(_ number: Int64) -> Wrapped? where Element == Wrapped? {
        indices.contains(Int(clamping: number)) ? self[Int(clamping: number)] : nil
    }
}

/// The summary of a minute of one vital of one sensor whose readings were removed.
struct RecordedMinute {
    var minute: Int64
    var sensor: SensorIdentity
    /// The sensor's number under its present name.
    var sensorNumber: Int64
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
            guard let minute = row.integer(0), let number = row.integer(1), let sensor = self.sensor(number),
                let vital = row.integer(2).flatMap({ meanings.at($0) }), vitals?.contains(vital) ?? true
            else { return }
            func value(_ column: Int32) -> VitalValue? {
                row.integer(column).map { VitalValue(hundredths: Int(clamping: $0)) }
            }
            body(
                RecordedMinute(
                    minute: minute, sensor: sensor, sensorNumber: number, vital: vital,
                    count: Int(clamping: row.integer(3) ?? 0),
                    minimum: value(4), maximum: value(5)))
        }
    }
}
