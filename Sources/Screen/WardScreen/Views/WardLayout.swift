import Dashboard

/// The arrangement of the beds on the screen.
public enum WardLayout: Hashable, Sendable {
    /// Sectors beside and above each other.
    case sectors(columns: Int, rows: Int)
    /// A line for each bed, in a number of columns.
    case lines(columns: Int)

    /// The smallest sector.
    static let leastColumns = 26
    static let leastRows = 5
    /// The width of a line.
    static let lineColumns = 72

    /// Divides an area among beds: as few and large sectors as there are beds, or lines where sectors would be too
    /// small.
    public init(beds: Int, columns: Int, rows: Int) {
        var best: (columns: Int, rows: Int, measure: Int)?
        for across in 1...8 {
            let down = (max(1, beds) + across - 1) / across
            let (width, height) = (columns / across, rows / down)
            guard across <= max(1, beds), width >= Self.leastColumns, height >= Self.leastRows else { continue }
            // A cell is twice as high as wide; a sector should be a little wider than high.
            let measure = min(width, height * 4)
            if measure > best?.measure ?? 0 { best = (across, down, measure) }
        }
        if let best {
            self = .sectors(columns: best.columns, rows: best.rows)
        } else {
            self = .lines(columns: max(1, min(3, columns / Self.lineColumns)))
        }
    }

    /// The number of beds in a row.
    public var columns: Int {
        switch self {
        case .sectors(let columns, _), .lines(let columns): columns
        }
    }
}
