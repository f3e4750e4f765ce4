import Base
import Vitals

/// The wear periods in the store.
///
/// Values of a sensor that are at most five minutes apart form one wear period. So a slipping strap, a short absence
/// and a restart of the program do not split it; it ends with the last value, for the reason of the absence that
/// follows. A clock change begins another wear period, so that none has a wrong length.
struct WearPeriodTable {
    /// The longest time between two values of one wear period, in milliseconds.
    static let longestBreak: Int64 = 5 * 60_000

    /// The greatest difference of the two clocks' progress between two values, in milliseconds.
    private static let greatestStep: Int64 = 5000

    fileprivate struct WearPeriod {
        var number: Int64
        var to: Moment
        /// Whether the monotonic clock of `to` can be compared with the present one.
        var isOfThisRun: Bool
        var added: Int64 = 0
        var ending: Int64?
        var isChanged = false
    }

    private let database: SQLiteDatabase
    /// The newest wear period of each sensor that was looked for in the store, by address; `nil` if it has none.
    private var newest: [String: WearPeriod?] = [:]
    /// The sensors whose newest wear period differs from the stored one.
    private var changed: [String] = []

    init(_ database: SQLiteDatabase) {
        self.database = database
    }

    /// Records a value of a sensor.
    ///
    /// - Returns: Whether it begins a wear period, which is written at once.
    mutating func measured(
        _ sensor: SensorIdentity, number: Int64, epoch: Int64, at moment: Moment
    ) throws(StoreError) -> Bool {
        if var wearing = try newest(of: sensor.address), belongs(moment, to: wearing) {
            wearing.extend(to: moment)
            change(sensor.address, wearing)
            return false
        }
        try write(sensor.address)
        try database.run(
            "INSERT INTO wearing (epoch, sensor, from_wall_ms, to_wall_ms, readings) VALUES (?1, ?2, ?3, ?3, 1)",
            .integer(epoch), .integer(number), .integer(moment.wallMilliseconds))
        newest[sensor.address] = WearPeriod(number: database.lastInsertedRow, to: moment, isOfThisRun: true)
        return true
    }

    /// Records an absence; the first reason after the last value becomes the end's reason if the wear period ends.
    ///
    /// One that comes long after the last value, or after the clock was set, says nothing about what ended it.
    mutating func absent(_ sensor: SensorIdentity, reason: Int64, at moment: Moment) throws(StoreError) {
        guard var wearing = try newest(of: sensor.address), wearing.ending == nil, belongs(moment, to: wearing) else {
            return
        }
        wearing.ending = reason
        change(sensor.address, wearing)
    }

    private mutating func change(_ address: String, _ wearing: WearPeriod) {
        var wearing = wearing
        if !wearing.isChanged { changed.append(address) }
        wearing.isChanged = true
        // Set as a whole, because a change in place allocates memory for each access.
        newest[address] = wearing
    }

    /// Writes changes to the store.
    mutating func write() throws(StoreError) {
        for address in changed { try write(address) }
        changed = []
    }

    private func belongs(_ moment: Moment, to wearing: WearPeriod) -> Bool {
        let milliseconds =
            wearing.isOfThisRun
            ? moment.since(wearing.to).nanoseconds / 1_000_000
            : moment.wallMilliseconds.subtractingSaturated(wearing.to.wallMilliseconds)
        if wearing.isOfThisRun {
            let wall = moment.wallMilliseconds.subtractingSaturated(wearing.to.wallMilliseconds)
            guard (-Self.greatestStep...Self.greatestStep).contains(wall.subtractingSaturated(milliseconds)) else {
                return false
            }
        }
        // Readings of the same moment may be slightly out of order.
        return (-1000...Self.longestBreak).contains(milliseconds)
    }

    /// The newest wear period of a sensor, which is read from the store the first time.
    private mutating func newest(of address: String) throws(StoreError) -> WearPeriod? {
        if let known = newest[address] { return known }
        let read = try read(address)
        newest[address] = .some(read)
        return read
    }

    private func read(_ address: String) throws(StoreError) -> WearPeriod? {
        let row = try database.statement(
            """
            SELECT wearing.id, wearing.to_wall_ms, wearing.ending FROM wearing JOIN sensor ON sensor.id = wearing.sensor
            WHERE sensor.address = ?1 ORDER BY wearing.id DESC LIMIT 1
            """)
        defer { row.reset() }
        try row.bind([.text(address)])
        guard try row.step(), let number = row.integer(0), let to = row.integer(1) else { return nil }
        return WearPeriod(
            number: number, to: Moment(monotonicNanoseconds: 0, wallMilliseconds: to), isOfThisRun: false,
            ending: row.integer(2))
    }

    private mutating func write(_ address: String) throws(StoreError) {
        guard var wearing = newest[address] ?? nil, wearing.isChanged else { return }
        try database.run(
            "UPDATE wearing SET to_wall_ms = ?2, readings = readings + ?3, ending = ?4 WHERE id = ?1",
            .integer(wearing.number), .integer(wearing.to.wallMilliseconds), .integer(wearing.added),
            SQLiteValue(wearing.ending))
        wearing.added = 0
        wearing.isChanged = false
        newest[address] = wearing
    }
}

extension WearPeriodTable.WearPeriod {
    fileprivate mutating func extend(to moment: Moment) {
        to = moment
        isOfThisRun = true
        added += 1
        ending = nil
    }
}
