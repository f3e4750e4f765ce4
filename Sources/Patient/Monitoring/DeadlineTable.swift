import Vitals

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
