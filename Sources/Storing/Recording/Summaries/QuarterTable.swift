import Base
import Monitoring
import Vitals

/// The condensed readings of each quarter of an hour that is over, so that the figures of a day need no readings.
///
/// Local days and hours begin with a quarter in every time zone, and limits are applied when they are read. What is not
/// in the table is found among the readings, so it may lack any quarter: it is filled by the way, and a quarter is removed
/// when a reading comes into it late.
enum QuarterTable {
    /// The length of a quarter, in milliseconds.
    static let length: Int64 = 900_000
    /// How old a quarter's end must be by the newest reading, in milliseconds.
    private static let margin: Int64 = 60_000
    /// The most quarters that are condensed at a time, each from some thousand readings.
    private static let stepSize = 8

    /// The quarter of a wall time, counted from 1970.
    static func quarter(of wall: Int64) -> Int64 {
        let (quotient, remainder) = wall.quotientAndRemainder(dividingBy: length)
        return remainder < 0 ? quotient - 1 : quotient
    }

    /// Whether the quarter of a wall time may have been condensed.
    static func mayHave(_ wall: Int64, newest: Int64) -> Bool {
        quarter(of: wall) < quarter(of: newest.subtractingSaturated(margin))
    }

    /// Removes a quarter that is no longer what its readings say.
    static func remove(_ wall: Int64, from database: SQLiteDatabase) throws(StoreError) {
        try database.run("DELETE FROM quarter WHERE quarter = ?1", .integer(quarter(of: wall)))
    }

    /// Condenses some quarters that are over, the oldest first, within the caller's transaction.
    ///
    /// - Returns: Whether there are more.
    static func fill(_ database: SQLiteDatabase) throws(StoreError) -> Bool {
        guard let newest = try database.integer("SELECT max(wall_ms) FROM reading") else { return false }
        let end = quarter(of: newest.subtractingSaturated(margin))
        let last = try database.integer("SELECT max(quarter) FROM quarter") ?? quarter(of: .min)
        var start = last.addingSaturated(1)
        for _ in 0..<stepSize {
            // Times without readings are skipped.
            let first = try database.integer(
                "SELECT min(wall_ms) FROM reading WHERE wall_ms >= ?1", .integer(start.multipliedSaturated(by: length)))
            guard let first, quarter(of: first) < end else { return false }
            start = quarter(of: first)
            try fill(start, in: database)
            start += 1
        }
        return true
    }

    private static func fill(_ quarter: Int64, in database: SQLiteDatabase) throws(StoreError) {
        let words = try Words(database)
        var reports: [Int64: CondensedReports] = [:]
        try database.forEach(
            """
            SELECT wall_ms, sensor, vital, value, site, quality FROM reading
            WHERE wall_ms >= ?1 AND wall_ms < ?2 AND late IS NULL ORDER BY wall_ms, n
            """, .integer(quarter * length), .integer((quarter + 1).multipliedSaturated(by: length))
        ) { row in
            let value = words.withheld.contains(row.number(5)) ? nil : row.value(3)
            let vital = words.vital(row.number(2), at: row.number(4))
            reports[vital, default: CondensedReports()].add(value, from: row.number(1), at: row.number(0))
        }
        for (vital, reports) in reports {
            try database.run(
                "INSERT OR REPLACE INTO quarter (quarter, vital, reports) VALUES (?1, ?2, ?3)", .integer(quarter),
                .integer(vital), .blob(reports.octets(from: quarter * length)))
        }
    }

    /// The numbers of the words that decide what a reading counts as.
    private struct Words {
        private var body: Int64?
        private var skin: Int64
        private var skinSite: Int64?
        /// The qualities that do not count in figures.
        var withheld: Set<Int64> = []

        init(_ database: SQLiteDatabase) throws(StoreError) {
            var names = NameTable(database)
            func known(_ word: String) throws(StoreError) -> Int64? {
                try database.integer("SELECT id FROM word WHERE text = ?1", .text(word))
            }
            body = try known(Vital.bodyTemperature.rawValue)
            skin = try names.number(of: Vital.skinTemperature.rawValue)
            skinSite = try known(BodySite.skin.rawValue)
            var found: Set<Int64> = []
            try database.forEach("SELECT id, text FROM word") { row in
                let quality = row.text(1).flatMap { Reading.Quality(rawValue: $0) }
                if quality?.countsInFigures == false { found.insert(row.number(0)) }
            }
            withheld = found
        }

        /// The vital that a reading is of (``Vital/measured(at:)``).
        func vital(_ vital: Int64, at site: Int64) -> Int64 { vital == body && site == skinSite ? skin : vital }
    }
}

extension StoredHistory {
    /// Passes the condensed quarters of a period to a closure, in the order of time; all vitals of one at once.
    ///
    /// - Throws: ``StoreError``.
    func forEachQuarter(
        in quarters: Range<Int64>, _ body: (Int64, [Vital: CondensedReports]) throws(StoreError) -> Void
    ) throws(StoreError) {
        let vitals = meanings { Vital(rawValue: $0) }
        var (present, reports): (Int64?, [Vital: CondensedReports]?) = (nil, [:])
        var found: [(Int64, [Vital: CondensedReports])] = []
        try database.forEach(
            "SELECT quarter, vital, reports FROM quarter WHERE quarter >= ?1 AND quarter < ?2 ORDER BY quarter, vital",
            .integer(quarters.lowerBound), .integer(quarters.upperBound)
        ) { row in
            let quarter = row.number(0)
            if quarter != present {
                if let present, let reports { found.append((present, reports)) }
                (present, reports) = (quarter, [:])
            }
            // A vital of another version is none here; what cannot be read is found among the readings.
            guard let vital = vitals.at(row.number(1)) else { return }
            let start = quarter.multipliedSaturated(by: QuarterTable.length)
            if let read = row.blob(2).flatMap({ CondensedReports($0, from: start) }) {
                reports?[vital] = read
            } else {
                reports = nil
            }
        }
        if let present, let reports { found.append((present, reports)) }
        for (quarter, reports) in found { try body(quarter, reports) }
    }
}

/// The octets of the column: numbers of variable length, times from the beginning of the quarter.
extension CondensedReports {
    fileprivate func octets(from start: Int64) -> [UInt8] {
        var octets: [UInt8] = []
        func append(_ number: Int64) { octets.appendCompact(number) }
        append(first.map { $0 - start } ?? -1)
        append(sensor ?? -1)
        append(standing.map { $0.since - start } ?? -1)
        append(standing.map { Int64($0.value.hundredths) } ?? 0)
        append(Int64(absences.count))
        for (sensor, wall) in absences.sorted(by: { $0.key < $1.key }) {
            append(sensor)
            append(wall - start)
        }
        var last: Int64 = 0
        for (value, tally) in tallies.sorted(by: { $0.key < $1.key }) {
            append(Int64(value.hundredths) - last)
            append(Int64(tally.count))
            append(tally.time)
            last = Int64(value.hundredths)
        }
        return octets
    }

    /// Reads a column; `nil` for what no version writes.
    fileprivate init?(_ octets: [UInt8], from start: Int64) {
        var numbers = CompactNumbers(octets)
        func next() -> Int64? { numbers.next() }
        func time() -> Int64?? {
            guard let offset = next(), (-1..<QuarterTable.length).contains(offset) else { return nil }
            return .some(offset < 0 ? nil : start.addingSaturated(offset))
        }
        func value(_ hundredths: Int64) -> VitalValue? {
            Int32(exactly: hundredths).map { VitalValue(hundredths: Int($0)) }
        }
        self.init()
        guard let first = time(), let sensor = next(), let since = time(), let held = next().flatMap(value),
            let count = next(), (0...1000).contains(count)
        else { return nil }
        (self.first, self.sensor) = (first, sensor < 0 ? nil : sensor)
        if let since { standing = Standing(since: since, value: held) }
        for _ in 0..<count {
            guard let sensor = next(), let wall = time() else { return nil }
            absences[sensor] = wall
        }
        var last: Int64 = 0
        while !numbers.isAtEnd {
            guard let step = next(), let count = next(), let held = next(), (1...Int64(Int32.max)).contains(count),
                (0...QuarterTable.length).contains(held), let value = value(last.addingSaturated(step))
            else { return nil }
            last = Int64(value.hundredths)
            tallies[value] = Tally(count: Int(count), time: held)
        }
    }
}
