import Monitoring
import Vitals

/// Writes readings and related rows, within the caller's transaction.
///
/// It is a value: after a failed transaction the caller continues with the copy from before it. Only one instance may
/// write; after another program may have written, call ``begin()``.
struct ReadingStore {
    private let database: SQLiteDatabase
    private var names: NameTable
    private var minutes = MinuteTable()
    private var wearings: WearPeriodTable
    private var run: Int64
    private var epoch: Int64
    /// The time and number of the newest row.
    private var newest: (wall: Int64, number: Int64) = (.min, 0)
    private var last: Moment?

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

    /// Ends a batch: updates summaries and wear periods.
    mutating func end() throws(StoreError) {
        try minutes.write(to: database)
        try wearings.write()
        guard let last else { return }
        try database.run(
            """
            UPDATE epoch SET last_wall_ms = ?3, last_running_ms = CASE WHEN ?2 > monotonic_ns
                THEN max(last_running_ms, running_ms + (?2 - monotonic_ns) / 1000000) ELSE last_running_ms END
            WHERE id = ?1
            """,
            .integer(epoch), .integer(last.monotonicNanoseconds), .integer(last.wallMilliseconds))
        self.last = nil
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
        try end()
        self.epoch = epoch
    }

    private static let insertion = """
        INSERT INTO reading (wall_ms, n, epoch, monotonic_ns, sensor, vital, value, quality, absence, site,
            device_time, late, late_from_ms, late_to_ms, late_ms)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)
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
        let vital = try names.number(of: reading.vital.rawValue)
        var (value, quality, absence): (Int64?, Int64?, Int64?)
        let figure = reading.plausibleOutcome.figure.map { Int64($0.hundredths) }
        switch reading.plausibleOutcome {
        case .measured(let measured, let reported):
            value = Int64(measured.hundredths)
            quality = try names.number(of: reported.rawValue)
        case .noMeasurement(let reason): absence = try names.number(of: reason.rawValue)
        }
        let site = try reading.site.map { (site) throws(StoreError) in try names.number(of: site.rawValue) }
        let late = try reading.late.map { (late) throws(StoreError) in try names.number(of: late.source.rawValue) }
        let (moment, wall) = (reading.moment, reading.moment.wallMilliseconds)
        try database.run(
            statement,
            .integer(wall), .integer(number), .integer(epoch), .integer(moment.monotonicNanoseconds),
            .integer(sensor), .integer(vital), SQLiteValue(value), SQLiteValue(quality), SQLiteValue(absence),
            SQLiteValue(site), SQLiteValue(reading.deviceTime?.storedText), SQLiteValue(late),
            SQLiteValue(reading.late?.from.wallMilliseconds), SQLiteValue(reading.late?.to.wallMilliseconds),
            SQLiteValue(reading.late?.estimate.wallMilliseconds))
        if database.changedRows == 0 { return false }
        last = moment
        // Summaries of minutes and wear periods do not count late values.
        if reading.late != nil { return true }
        let withheld = try value != nil && figure == nil ? names.number(of: AbsenceReason.equipment.rawValue) : nil
        minutes.add(wallMilliseconds: wall, sensor: sensor, vital: vital, value: figure, absence: absence ?? withheld)
        if let absence {
            wearings.absent(reading.sensor, reason: absence)
        } else {
            try wearings.measured(reading.sensor, number: sensor, epoch: epoch, at: moment)
        }
        return true
    }

    /// Writes the RR intervals of a notification.
    mutating func append(_ intervals: RRIntervals) throws(StoreError) {
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
            INSERT INTO rr (wall_ms, n, epoch, monotonic_ns, sensor, intervals)
            VALUES (?1, ifnull(?6, (SELECT ifnull(max(n) + 1, 0) FROM rr WHERE wall_ms = ?1)), ?2, ?3, ?4, ?5)
            ON CONFLICT DO NOTHING
            """,
            .integer(wall), .integer(epoch), .integer(intervals.moment.monotonicNanoseconds),
            .integer(try names.number(of: intervals.sensor)), .blob(octets), number)
        if database.changedRows == 0 { return false }
        last = intervals.moment
        return true
    }

    /// The number that distinguishes a row from others of the same millisecond.
    private mutating func number(at wall: Int64) throws(StoreError) -> Int64 {
        if wall > newest.wall {
            newest = (wall, 0)
        } else if wall == newest.wall {
            newest.number += 1
        } else {
            // The clock was set back, or readings are out of order.
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
        try end()
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
        epoch = database.lastInsertedRow
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
        last = notification.moment
    }
}
