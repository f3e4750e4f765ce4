import Vitals

/// The rows of the sensors, found by address, with the deadline of each.
struct SensorTable: Codable, Hashable, Sendable {
    /// The sensors in the order in which they were first seen.
    private(set) var list: [SensorState] = []
    /// The place of each sensor in `list`, by address.
    private var rows: [String: Int] = [:]
    /// When time alone changes the state of each sensor.
    private var deadlines = DeadlineTable()
    private var nextOrdinal = 0

    /// One row, accessed in place because a sensor's state is too large to copy.
    subscript(row: Int) -> SensorState {
        _read { yield list[row] }
        _modify { yield &list[row] }
    }

    /// The row of the sensor with this address.
    func row(of address: String) -> Int? { rows[address] }

    /// The row of the sensor with this ordinal; `nil` if it was removed.
    func row(ordinal: Int) -> Int? { list.firstIndex { $0.ordinal == ordinal } }

    var earliestDeadline: (row: Int, time: MonotonicTime)? { deadlines.earliest }

    /// Adds a row for a sensor that has none.
    mutating func add(_ sensor: SensorIdentity) -> Int {
        let row = list.count
        list.append(SensorState(identity: sensor, ordinal: newOrdinal()))
        deadlines.appendRow()
        rows[sensor.address] = row
        return row
    }

    /// Removes a row; the following rows move up.
    mutating func remove(_ row: Int) {
        rows[list[row].identity.address] = nil
        list.remove(at: row)
        deadlines.removeRow(row)
        for later in row..<list.count { rows[list[later].identity.address] = later }
    }

    /// A unique ordinal.
    mutating func newOrdinal() -> Int {
        defer { nextOrdinal += 1 }
        return nextOrdinal
    }

    /// Updates the deadline of a changed row.
    mutating func followDeadline(row: Int) { deadlines.set(list.span[row].deadline, row: row) }
}

extension SensorTable {
    /// Whether its parts are consistent; another program may have sent it.
    var isCoherent: Bool {
        Coherence.counts.contains(nextOrdinal) && rows.count == list.count
            && list.indices.allSatisfy { rows[list[$0].identity.address] == $0 }
            && Set(list.map(\.ordinal)).count == list.count
            && list.allSatisfy { (0..<nextOrdinal).contains($0.ordinal) && $0.isCoherent }
            && deadlines.isCoherent(rowCount: list.count)
    }
}

/// One deadline for each sensor row, and the earliest of them.
///
/// Moving a deadline takes constant time, unless the row had the earliest deadline; with rows that alternate, the
/// amortised cost is constant.
struct DeadlineTable: Codable, Hashable, Sendable {
    private static let never = MonotonicTime.distantFuture
    private var deadlines: [MonotonicTime] = []
    private var earliestRow = 0

    /// The earliest deadline and its row.
    var earliest: (row: Int, time: MonotonicTime)? {
        guard deadlines.indices.contains(earliestRow), deadlines[earliestRow] != Self.never else { return nil }
        return (earliestRow, deadlines[earliestRow])
    }

    /// Adds a row, without a deadline, at the end.
    mutating func appendRow() {
        deadlines.append(Self.never)
    }

    /// Removes a row; the following rows move up.
    mutating func removeRow(_ row: Int) {
        deadlines.remove(at: row)
        findEarliest()
    }

    /// Sets or removes a row's deadline.
    mutating func set(_ time: MonotonicTime?, row: Int) {
        let deadline = time ?? Self.never
        let isLater = deadline > deadlines[row]
        deadlines[row] = deadline
        if row == earliestRow {
            if isLater { findEarliest() }
        } else if deadline < deadlines[earliestRow] {
            earliestRow = row
        }
    }

    private mutating func findEarliest() {
        earliestRow = 0
        for row in deadlines.indices where deadlines[row] < deadlines[earliestRow] {
            earliestRow = row
        }
    }
}

extension DeadlineTable {
    /// Whether it matches this number of rows; another program may have sent it.
    func isCoherent(rowCount: Int) -> Bool {
        deadlines.count == rowCount && (earliestRow == 0 || deadlines.indices.contains(earliestRow))
    }
}
