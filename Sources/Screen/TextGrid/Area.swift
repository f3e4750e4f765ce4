/// A rectangle of cells; never of negative size.
public struct Area: Hashable, Sendable {
    /// The leftmost column.
    public var column: Int
    /// The topmost row.
    public var row: Int
    /// The width.
    public private(set) var columns: Int
    /// The height.
    public private(set) var rows: Int

    /// Makes an area; negative sizes become 0.
    public init(column: Int, row: Int, columns: Int, rows: Int) {
        self.column = column
        self.row = row
        self.columns = max(0, columns)
        self.rows = max(0, rows)
    }

    /// Whether nothing fits in.
    package var isEmpty: Bool { columns == 0 || rows == 0 }

    /// Whether another area lies in this one as a whole.
    package func contains(_ other: Area) -> Bool {
        other.column >= column && other.column + other.columns <= column + columns
            && other.row >= row && other.row + other.rows <= row + rows
    }

    /// One row of the area, counted from 0.
    package func line(_ index: Int) -> Area {
        Area(column: column, row: row + index, columns: columns, rows: index >= 0 && index < rows ? 1 : 0)
    }

    /// At most this many columns at the left.
    package func prefix(_ count: Int) -> Area {
        Area(column: column, row: row, columns: min(count, columns), rows: rows)
    }

    /// The area without this many cells at its edges.
    package func inset(left: Int = 0, right: Int = 0, top: Int = 0, bottom: Int = 0) -> Area {
        Area(column: column + left, row: row + top, columns: columns - left - right, rows: rows - top - bottom)
    }

    /// Cuts at most `count` rows off the top and returns them.
    package mutating func takeTop(_ count: Int) -> Area {
        let taken = min(max(0, count), rows)
        let top = Area(column: column, row: row, columns: columns, rows: taken)
        self = inset(top: taken)
        return top
    }

    /// Cuts at most `count` rows off the bottom and returns them.
    package mutating func takeBottom(_ count: Int) -> Area {
        let taken = min(max(0, count), rows)
        self = inset(bottom: taken)
        return Area(column: column, row: row + rows, columns: columns, rows: taken)
    }

    /// Cuts at most `count` columns off the left and returns them.
    package mutating func takeLeft(_ count: Int) -> Area {
        let taken = min(max(0, count), columns)
        let left = Area(column: column, row: row, columns: taken, rows: rows)
        self = inset(left: taken)
        return left
    }

    /// Cuts at most `count` columns off the right and returns them.
    package mutating func takeRight(_ count: Int) -> Area {
        let taken = min(max(0, count), columns)
        self = inset(right: taken)
        return Area(column: column + columns, row: row, columns: taken, rows: rows)
    }
}
