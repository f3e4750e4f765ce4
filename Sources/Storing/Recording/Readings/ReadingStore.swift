import Base
import Monitoring
import Vitals
import Waves

/// Writes readings and related rows, within the caller's transaction.
///
/// The sums by the minute, the ends of wear periods and of the epoch are derived from readings, and lie in other places
/// of the file. They are written now and then (``settle()``), and until then a reader adds what is missing
/// (``unsettled``), as the next start does after a kill (``settleEarlier(in:of:)``).
///
/// It is a value: after a failed transaction the caller continues with the copy from before it. Only one instance may
/// write; after another program may have written, call ``begin()``.
struct ReadingStore {
    private let database: SQLiteDatabase
    private var names: NameTable
    private var vitals = WordNumbers<Vital>()
    private var qualities = WordNumbers<Reading.Quality>()
    private var absences = WordNumbers<AbsenceReason>()
    private var sites = WordNumbers<BodySite>()
    private var waveKinds = WordNumbers<WaveKind>()
    private var minutes = MinuteTable()
    private var wearings: WearPeriodTable
    private var run: Int64
    private var epoch: Int64
    /// The beginning of the epoch, once it was read.
    private var clock: EpochClock?
    /// The time and number of the newest row.
    private var newest: (wall: Int64, number: Int64) = (.min, 0)
    /// The monotonic time of the newest unsettled row, and the greatest wall time of them; `nil` if all are settled.
    private var last: (monotonic: Int64, wall: Int64)?
    /// The wall time of this epoch up to which everything is settled.
    private var settled = Int64.max
    /// Whether the present batch must be settled.
    private(set) var mustSettle = false

    /// Creates a writer.
    ///
    /// - Parameter run: The first epoch of this run of the program.
    init(_ database: SQLiteDatabase, run: Int64) {
        self.database = database
        self.run = run
        epoch = run
        names = NameTable(database)
        wearings = WearPeriodTable(database)
    }

    /// Begins a batch: reads the changes of other programs.
    mutating func begin() throws(StoreError) {
        let row = try database.statement("SELECT wall_ms, n FROM reading ORDER BY wall_ms DESC, n DESC LIMIT 1")
        defer { row.reset() }
        newest = try row.step() ? (row.integer(0) ?? .min, row.integer(1) ?? 0) : (.min, 0)
    }

    /// Whether everything is settled.
    var isSettled: Bool { last == nil }

    /// Writes what is derived from the rows of this batch and of those before.
    mutating func settle() throws(StoreError) {
        mustSettle = false
        guard let last else { return }
        try minutes.write(to: database)
        try wearings.write()
        let settled = try database.integer(
            """
            UPDATE epoch SET last_wall_ms = max(last_wall_ms, ?3), last_running_ms = CASE WHEN ?2 > monotonic_ns
                THEN max(last_running_ms, running_ms + (?2 - monotonic_ns) / 1000000) ELSE last_running_ms END
            WHERE id = ?1 RETURNING last_wall_ms
            """,
            .integer(epoch), .integer(last.monotonic), .integer(last.wall))
        self.settled = settled ?? .max
        self.last = nil
    }

    /// Notes that a row of this moment was written.
    private mutating func wrote(_ moment: Moment) {
        // Unsettled rows are found by their time and in its order, so one among the settled ones, far from them, or out
        // of order does not wait.
        let wall = moment.wallMilliseconds
        let distance = wall.subtractingSaturated(settled)
        let newest = last?.wall ?? .min
        if !(1...Self.longestUnsettled / 2).contains(distance) || wall < newest { mustSettle = true }
        last = (moment.monotonicNanoseconds, max(newest, wall))
    }

    /// Stores the time up to which this epoch is recorded, with or without events.
    func recorded(until moment: Moment) throws(StoreError) {
        try database.run(
            """
            UPDATE epoch SET last_running_ms = max(last_running_ms, running_ms + (?2 - monotonic_ns) / 1000000)
            WHERE id = ?1 AND ?2 > monotonic_ns
            """, .integer(epoch), .integer(moment.monotonicNanoseconds))
    }

    /// Writes a reading.
    mutating func append(_ reading: Reading) throws(StoreError) {
        var reading = reading
        reading.moment = try placed(reading.moment)
        if let late = reading.late, late.source == .waited {
            reading.late?.from = try placed(late.from)
            reading.late?.to = try placed(late.to)
            reading.late?.estimate = try placed(late.estimate)
        }
        _ = try insert(reading, number: try number(at: reading.moment.wallMilliseconds), by: Self.insertion)
    }

    /// Writes a reading of another store under its number there, unless it exists here.
    ///
    /// - Returns: Whether it is new.
    mutating func append(_ reading: Reading, number: Int64, epoch: Int64) throws(StoreError) -> Bool {
        try enter(epoch)
        return try insert(reading, number: number, by: Self.insertionUnlessThere)
    }

    /// Writes RR intervals of another store under their number there, unless they exist here.
    ///
    /// - Returns: Whether they are new.
    mutating func append(_ intervals: RRIntervals, number: Int64, epoch: Int64) throws(StoreError) -> Bool {
        try enter(epoch)
        return try insert(intervals, number: .integer(number))
    }

    private mutating func enter(_ epoch: Int64) throws(StoreError) {
        guard epoch != self.epoch else { return }
        // Earlier readings belong to the previous epoch.
        try settle()
        (self.epoch, clock, settled) = (epoch, nil, .max)
    }

    /// A moment by the clock of this epoch.
    ///
    /// What arrives just before the clock is set, and is recorded after it, has the time of the clock before. In the order of
    /// times it would be where no reader looks: far before this epoch, or after what comes later.
    private mutating func placed(_ moment: Moment) throws(StoreError) -> Moment {
        let clock = try epochClock()
        if moment.monotonicNanoseconds >= clock.monotonic { return moment }
        return clock.moment(at: moment.monotonicNanoseconds)
    }

    /// The distance of a moment from the line of this epoch (``EpochClock``).
    private mutating func drift(at moment: Moment) throws(StoreError) -> Int64 { try epochClock().drift(at: moment) }

    private mutating func epochClock() throws(StoreError) -> EpochClock {
        if let clock { return clock }
        var found = EpochClock()
        try database.forEach("SELECT wall_ms, monotonic_ns FROM epoch WHERE id = ?1", .integer(epoch)) { row in
            found = EpochClock(wall: row.integer(0) ?? 0, monotonic: row.integer(1) ?? 0)
        }
        clock = found
        return found
    }

    private static let insertion = """
        INSERT INTO reading (wall_ms, n, epoch, drift_ns, sensor, vital, value, quality, absence, site,
            device_time, late, late_from_ms, late_to_ms, late_ms, calibrated_with, calibrated_ms)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)
        """
    private static let insertionUnlessThere = "\(insertion) ON CONFLICT DO NOTHING"

    /// Inserts a reading and updates its summaries.
    ///
    /// - Parameter statement: The statement, which determines what happens if the key exists.
    /// - Returns: Whether it was inserted.
    private mutating func insert(
        _ reading: Reading, number: Int64, by statement: String
    ) throws(StoreError) -> Bool {
        let sensor = try names.number(of: reading.sensor)
        let vital = try vitals.number(of: reading.vital, in: &names)
        let outcome = reading.plausibleOutcome
        let moment = reading.moment
        let row = try database.statement(statement)
        defer { row.reset() }
        // What is not bound is null.
        try row.bind(moment.wallMilliseconds, at: 1)
        try row.bind(number, at: 2)
        try row.bind(epoch, at: 3)
        try row.bind(drift(at: moment), at: 4)
        try row.bind(sensor, at: 5)
        try row.bind(vital, at: 6)
        var absence: Int64?
        switch outcome {
        case .measured(let measured, let quality):
            try row.bind(Int64(measured.hundredths), at: 7)
            try row.bind(qualities.number(of: quality, in: &names), at: 8)
        case .noMeasurement(let reason):
            let number = try absences.number(of: reason, in: &names)
            try row.bind(number, at: 9)
            absence = number
        }
        if let site = reading.site { try row.bind(sites.number(of: site, in: &names), at: 10) }
        if let deviceTime = reading.deviceTime { try row.bind(.text(deviceTime.storedText), at: 11) }
        if let late = reading.late {
            try row.bind(names.number(of: late.source.rawValue), at: 12)
            try row.bind(late.from.wallMilliseconds, at: 13)
            try row.bind(late.to.wallMilliseconds, at: 14)
            try row.bind(late.estimate.wallMilliseconds, at: 15)
        }
        if let calibration = reading.calibration {
            try row.bind(Int64(calibration.glucose.hundredths), at: 16)
            try row.bind(calibration.wallMilliseconds, at: 17)
        }
        _ = try row.step()
        if database.changedRows == 0 { return false }
        wrote(moment)
        // Summaries of minutes and wear periods do not count late values.
        if reading.late != nil { return true }
        let figure = outcome.figure.map { Int64($0.hundredths) }
        try sum(reading, sensor: sensor, vital: vital, figure: figure, absence: absence)
        return true
    }

    /// Counts a stored reading in its minute and wear period.
    private mutating func sum(
        _ reading: Reading, sensor: Int64, vital: Int64, figure: Int64?, absence: Int64?
    ) throws(StoreError) {
        let moment = reading.moment
        let isWithheld = absence == nil && figure == nil
        minutes.add(
            wallMilliseconds: moment.wallMilliseconds, sensor: sensor, vital: vital, value: figure,
            absence: isWithheld ? try absences.number(of: .equipment, in: &names) : absence)
        if let absence {
            try wearings.absent(reading.sensor, reason: absence, at: moment)
        } else if try wearings.measured(reading.sensor, number: sensor, epoch: epoch, at: moment) {
            // A new wear period is written at once, with its first reading.
            mustSettle = true
        }
    }

    /// Writes the RR intervals of a notification.
    mutating func append(_ intervals: RRIntervals) throws(StoreError) {
        var intervals = intervals
        intervals.moment = try placed(intervals.moment)
        _ = try insert(intervals, number: .null)
    }

    /// Inserts RR intervals under a number, or under the next one of their millisecond.
    ///
    /// - Returns: Whether they were inserted; `false` if the number is taken.
    private mutating func insert(_ intervals: RRIntervals, number: SQLiteValue) throws(StoreError) -> Bool {
        let wall = intervals.moment.wallMilliseconds
        let octets = intervals.intervals.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
        try database.run(
            """
            INSERT INTO rr (wall_ms, n, epoch, drift_ns, sensor, intervals)
            VALUES (?1, ifnull(?6, (SELECT ifnull(max(n) + 1, 0) FROM rr WHERE wall_ms = ?1)), ?2, ?3, ?4, ?5)
            ON CONFLICT DO NOTHING
            """,
            .integer(wall), .integer(epoch), .integer(try drift(at: intervals.moment)),
            .integer(try names.number(of: intervals.sensor)), .blob(octets), number)
        if database.changedRows == 0 { return false }
        wrote(intervals.moment)
        return true
    }

    /// Writes a segment of a wave.
    ///
    /// No end of an epoch waits for it: the readings beside it set that.
    mutating func append(_ row: WaveRow) throws(StoreError) {
        let start = try placed(row.start)
        let wall = start.wallMilliseconds
        try database.run(
            """
            INSERT INTO wave (wall_ms, n, epoch, drift_ns, sensor, kind, lost, continuing, spans, beats, samples)
            VALUES (?1, (SELECT ifnull(max(n) + 1, 0) FROM wave WHERE wall_ms = ?1), ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
            """,
            .integer(wall), .integer(epoch), .integer(try drift(at: start)),
            .integer(try names.number(of: row.sensor)), .integer(try waveKinds.number(of: row.kind, in: &names)),
            .integer(Int64(row.lost)), .integer(row.isContinuing ? 1 : 0), .blob(row.spans),
            row.beats.isEmpty ? .null : .blob(row.beats), .blob(row.samples))
    }

    /// The number that distinguishes a row from others of the same millisecond.
    private mutating func number(at wall: Int64) throws(StoreError) -> Int64 {
        if wall > newest.wall {
            newest = (wall, 0)
        } else if wall == newest.wall {
            newest.number += 1
        } else {
            // The clock was set back, or readings are out of order.
            if QuarterTable.mayHave(wall, newest: newest.wall) { try QuarterTable.remove(wall, from: database) }
            let taken = try database.integer("SELECT max(n) FROM reading WHERE wall_ms = ?1", .integer(wall))
            return taken.map { $0 + 1 } ?? 0
        }
        return newest.number
    }

    /// Writes a gap, and begins an epoch after it.
    ///
    /// - Parameter reason: Such as `asleep`.
    mutating func append(_ gap: Gap, reason: String) throws(StoreError) {
        // Earlier readings belong to the epoch that ends here.
        try settle()
        try recorded(until: gap.from)
        try insert(from: gap.from.wallMilliseconds, to: gap.to.wallMilliseconds, reason)
        try database.run(
            """
            INSERT INTO epoch (wall_ms, monotonic_ns, program_version, cause, run, last_wall_ms, running_ms,
                last_running_ms)
            SELECT ?2, ?3, program_version, ?4, id, ?2, running, running
            FROM (SELECT *, running_ms + max(0, ?3 - monotonic_ns) / 1000000 AS running FROM epoch WHERE id = ?1)
            """,
            .integer(run), .integer(gap.to.wallMilliseconds), .integer(gap.to.monotonicNanoseconds), .text(reason))
        (epoch, clock, settled) = (database.lastInsertedRow, nil, gap.to.wallMilliseconds)
    }

    /// Writes a gap before this run, or a gap for data that could not be written.
    mutating func appendGap(from: Int64, to: Int64, reason: String) throws(StoreError) {
        try insert(from: from, to: to, reason)
    }

    private mutating func insert(from: Int64, to: Int64, _ reason: String) throws(StoreError) {
        try database.run(
            "INSERT INTO gap (epoch, from_wall_ms, to_wall_ms, reason) VALUES (?1, ?2, ?3, ?4)", .integer(epoch),
            .integer(from), .integer(to), .integer(try names.number(of: reason)))
    }

    /// Writes a notification.
    mutating func append(_ notification: RawNotification) throws(StoreError) {
        let sensor =
            switch notification.source {
            case .sensor(let sensor): try names.number(of: sensor)
            case .address(let address): try names.number(ofAddress: address)
            }
        try database.run(
            """
            INSERT INTO notification (epoch, wall_ms, monotonic_ns, sensor, characteristic, octets, mistake)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
            """,
            .integer(epoch), .integer(notification.moment.wallMilliseconds),
            .integer(notification.moment.monotonicNanoseconds), .integer(sensor),
            .integer(try names.number(of: notification.characteristic.lowercased())), .blob(notification.octets),
            SQLiteValue(notification.mistake))
        wrote(notification.moment)
    }
}

extension ReadingStore {
    /// How far after the last settled row of its epoch an unsettled one may be, in milliseconds.
    private static let longestUnsettled: Int64 = 60_000

    /// The rows of `reading` of the newest epochs that are not settled, as tables of a query.
    ///
    /// They are later than the last settled row of their epoch, but not by more than ``longestUnsettled``.
    static let unsettled = """
        (SELECT id, last_wall_ms FROM epoch ORDER BY id DESC LIMIT 16) AS open CROSS JOIN reading
            ON reading.wall_ms > open.last_wall_ms AND reading.wall_ms <= open.last_wall_ms + \(longestUnsettled)
            AND reading.epoch = open.id
        """

    /// Settles what a killed program, or a connection that was given up, has left unsettled.
    ///
    /// - Parameter run: The only run to settle, because another program may be writing the others; `nil` for all.
    static func settleEarlier(in database: SQLiteDatabase, of run: Int64?) throws(StoreError) {
        guard try database.integer("SELECT 1 FROM \(unsettled) LIMIT 1") != nil else { return }
        let history = try StoredHistory(database)
        let reader = RowReader(history)
        var found: [(epoch: Int64, vital: Int64, absence: Int64?, recorded: RecordedReading)] = []
        try database.forEach(
            "SELECT \(RowReader.columns) FROM \(unsettled) WHERE late IS NULL ORDER BY epoch, wall_ms, n"
        ) { row in
            guard let epoch = row.integer(2), let vital = row.integer(5), let recorded = reader.reading(row) else {
                return
            }
            if run == nil || recorded.run == run { found.append((epoch, vital, row.integer(8), recorded)) }
        }
        try database.execute("COMMIT")
        try database.transaction { () throws(StoreError) in
            var store = ReadingStore(database, run: 0)
            for (epoch, vital, absence, recorded) in found {
                try store.enter(epoch)
                store.wrote(recorded.reading.moment)
                try store.sum(
                    recorded.reading, sensor: recorded.sensorNumber, vital: vital,
                    figure: recorded.reading.outcome.figure.map { Int64($0.hundredths) }, absence: absence)
            }
            try store.settle()
        }
    }
}
