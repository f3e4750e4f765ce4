import Base
import Vitals
import Wording

/// How time lies on a strip: columns of dots that are fixed in time, and so fixed on the screen.
///
/// A strip is a sweep: the pen moves to the right, begins again at the left, and what it drew a sweep ago stays until it
/// comes there again, but for a bar that is erased before it. Nothing ever scrolls. The column of a time is the same in
/// all strips, so that their pens are above each other.
struct WaveSweep: Hashable {
    /// The length of a column of dots, in nanoseconds.
    let columnWidth: Int64
    /// The columns of dots in a cell.
    let columnsPerCell: Int
    /// The cells of the strip.
    let cells: Int

    /// The empty cells before the pen.
    static let erasedCells = 4
    /// The longest time of a column.
    static let longestColumn = Duration.milliseconds(80)
    /// The time of a cell in ms, on narrow and on wide screens, and the columns from which on a screen is wide.
    private static let (narrowCell, wideCell, wideColumns): (Int64, Int64, Int) = (80, 50, 140)

    /// - Parameters:
    ///   - cells: The cells of the strip, at least 1; those that would need a longer memory are not used.
    ///   - columnsPerCell: 2 with braille, else 1.
    ///   - screenColumns: The columns of the screen.
    init(cells: Int, columnsPerCell: Int, screenColumns: Int) {
        let cellWidth = (screenColumns < Self.wideColumns ? Self.narrowCell : Self.wideCell) * 1_000_000
        self.columnsPerCell = columnsPerCell
        columnWidth = cellWidth / Int64(columnsPerCell)
        // What waits for the pen needs a part of the memory, too.
        let kept = Int64(WaveRing.capacity) * WaveRing.step - 10_000_000_000
        self.cells = min(max(1, cells), Int(kept / cellWidth))
    }

    /// The columns of dots.
    var columns: Int { cells * columnsPerCell }
    /// The time of a sweep, in nanoseconds.
    var length: Int64 { columnWidth * Int64(columns) }

    /// The column of a time, counted from the beginning of the clock.
    func column(of time: MonotonicTime) -> Int64 {
        let into = (time.nanoseconds % columnWidth + columnWidth) % columnWidth
        return time.nanoseconds.subtractingSaturated(into) / columnWidth
    }

    /// The column of the beginning of a step of the memory.
    func column(ofStep step: Int64) -> Int64 {
        column(of: MonotonicTime(nanoseconds: step.multipliedSaturated(by: WaveRing.step)))
    }

    /// The steps of the memory in a column.
    func steps(of column: Int64) -> Range<Int64> {
        let perColumn = columnWidth / WaveRing.step
        return column * perColumn..<(column + 1) * perColumn
    }

    /// The number of the sweep with a column, and the column's place in it from the left.
    func place(of column: Int64) -> (sweep: Int64, place: Int) {
        let count = Int64(columns)
        let place = (column % count + count) % count
        return ((column - place) / count, Int(place))
    }

    /// The column that is shown at a place while the pen is at another; `nil` in the erased bar.
    func column(at place: Int, pen: Int64) -> Int64? {
        let count = Int64(columns)
        let age = (Int64(self.place(of: pen).place - place) % count + count) % count
        return age >= count - Int64(min(Self.erasedCells * columnsPerCell, columns - 1)) ? nil : pen - age
    }

    /// The length of the sweep, in at most five columns.
    var lengthText: String {
        let tenths = (length + 50_000_000) / 100_000_000
        return tenths < 100 ? "\(tenths / 10).\(tenths % 10) s" : "\((tenths + 5) / 10) s"
    }

    /// What is said above the strip, from the longest text to the shortest: that it is frozen, the name, the gain, and a bar
    /// as long as a second, to half a cell.
    func words(_ wave: VitalPanel.Wave, _ glyphs: GlyphSet) -> [String] {
        let gain = wave.isGainFixed ? "" : "auto gain"
        let least = wave.frozen.isEmpty ? gain.isEmpty ? wave.title : gain : wave.frozen
        let texts = [
            [wave.frozen, wave.title, gain, secondBar(glyphs)], [wave.frozen, wave.title, gain], [wave.frozen, gain],
            [least],
        ]
        return texts.map { $0.filter { !$0.isEmpty }.joined(separator: glyphs.dot) }
    }

    /// A bar as long as a second.
    private func secondBar(_ glyphs: GlyphSet) -> String {
        let cellWidth = columnWidth * Int64(columnsPerCell)
        let cells = Int((1_000_000_000 + cellWidth / 2) / cellWidth)
        let ends = glyphs == .ascii ? ("|", "|") : ("├", "┤")
        let text = " 1 s "
        let line = String(glyphs.frame.horizontal)
        let left = max(0, (cells - 2 - text.count) / 2)
        let right = max(0, cells - 2 - text.count - left)
        return ends.0 + String(repeating: line, count: left) + text + String(repeating: line, count: right) + ends.1
    }

    /// The columns at all times on the strip.
    func shown(pen: Int64) -> ClosedRange<Int64> {
        pen - Int64(max(0, columns - 1 - Self.erasedCells * columnsPerCell))...pen
    }
}
