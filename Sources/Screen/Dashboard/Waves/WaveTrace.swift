import Appearance
import Base
import TextGrid
import Vitals
import Waves
import Wording

/// A place on the screen where a wave is drawn, and how.
struct WaveTrace: Hashable {
    let stream: WaveStream
    /// The cells of the wave.
    let area: Area
    /// The columns at its right for the mark of a millivolt; empty without room.
    let scaleArea: Area
    let sweep: WaveSweep
    let gain: WaveGain
    let glyphs: GlyphSet
    let isMotionReduced: Bool
    /// What the wave is, if it is none of the patient's: "SIMULATED".
    let word: String
    /// The marks between which a frozen wave is measured; `nil` without any.
    let calipers: WaveCalipers?

    /// The cells behind the pen that are bold, so that the eye finds it.
    private static let freshCells: Int64 = 4
    /// The height of the baseline, and that of a millivolt, in percent of the strip's.
    private static let (baseline, millivolt) = (35.0, 45.0)

    /// The steps of height in a cell.
    private var levelsPerCell: Int {
        switch glyphs {
        case .braille: 4
        case .blocks: 2
        case .ascii: 3
        }
    }

    private var levels: Int { area.rows * levelsPerCell }

    /// The column of the pen; `nil` without a sample.
    func pen(of sweeps: WaveSweeps, at now: Moment) -> Int64? {
        sweeps.wave(stream)?.pen(at: sweeps.time(at: now), sweep, isMotionReduced: isMotionReduced)
    }

    /// Draws the wave instead of what is there.
    func draw(_ sweeps: WaveSweeps, on grid: inout Grid, at now: Moment) {
        let style = Style(stream.kind.traits.vitals.first?.role ?? .plain)
        grid.fill(area, " ", style)
        guard let wave = sweeps.wave(stream), let pen = pen(of: sweeps, at: now) else { return }
        let lines = lines(of: wave, pen: pen)
        let begin = wave.ring.known.map { sweep.column(ofStep: $0.lowerBound) } ?? pen
        let baseRow =
            stream.kind.traits.isGainFixed ? row(ofLevel: Int(Double(levels) * Self.baseline / 100)) : area.rows - 1
        for cell in 0..<sweep.cells {
            let places = cell * sweep.columnsPerCell..<(cell + 1) * sweep.columnsPerCell
            let own = places.map { lines[$0] }
            let columns = places.compactMap { sweep.column(at: $0, pen: pen) }
            let isFresh = columns.contains { pen - $0 < Self.freshCells * Int64(sweep.columnsPerCell) }
            put(own, isFresh ? style.bold : style, cell: cell, on: &grid)
            if columns.count == places.count, own.allSatisfy({ $0 == nil }), columns.allSatisfy({ $0 > begin }) {
                grid.set(glyphs.gapMark, .faint, column: area.column + cell, row: area.row + baseRow)
            }
            if let first = columns.first, let last = columns.last,
                own.allSatisfy({ $0.map { $0.highest < levels - levelsPerCell } ?? true })
            {
                let steps = sweep.steps(of: min(first, last)).lowerBound..<sweep.steps(of: max(first, last)).upperBound
                if steps.count <= sweep.steps(of: first).count * places.count, wave.ring.hasBeat(in: steps) {
                    grid.set(glyphs.tickMark, .faint, column: area.column + cell, row: area.row)
                }
            }
        }
        drawScale(on: &grid)
        if !word.isEmpty { grid.put(word, Style(.simulated, .bold), in: area.line(0)) }
        if let calipers { draw(calipers, wave, pen: pen, on: &grid) }
    }

    // MARK: Line

    /// What a wave has in a column of dots, in steps of height from the lower edge.
    private struct Line: Hashable {
        var lowest: Int
        var highest: Int
        /// Whether a part is above or below the strip.
        var isClipped = (above: false, below: false)

        static func == (one: Line, other: Line) -> Bool {
            one.lowest == other.lowest && one.highest == other.highest && one.isClipped == other.isClipped
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(lowest)
            hasher.combine(highest)
        }
    }

    /// The line at each place, from the left; `nil` for a gap and in the erased bar.
    private func lines(of wave: SweptWave, pen: Int64) -> [Line?] {
        var former: (column: Int64, line: Line?)?
        return (0..<sweep.columns).map { place in
            guard let column = sweep.column(at: place, pen: pen) else { return nil }
            let before = former?.column == column - 1 ? former?.line : line(of: wave, column - 1)
            let own = line(of: wave, column)
            former = (column, own)
            guard var joined = own else { return nil }
            // Joined with the column before, so that a steep part is a line; a gap stays one.
            if let before, before.highest < joined.lowest { joined.lowest = before.highest + 1 }
            if let before, before.lowest > joined.highest { joined.highest = before.lowest - 1 }
            return joined
        }
    }

    private func line(of wave: SweptWave, _ column: Int64) -> Line? {
        guard let span = wave.ring.span(of: sweep.steps(of: column)), let scale = wave.scale(of: column) else {
            return nil
        }
        let (low, high) = (level(of: span.lowerBound, scale), level(of: span.upperBound, scale))
        let top = levels - 1
        var line = Line(lowest: min(max(0, low), top), highest: min(max(0, high), top))
        line.isClipped = (high > top, low < 0)
        return line
    }

    /// The step of height of a value, which may be outside of the strip.
    private func level(of value: Int32, _ scale: WaveScale) -> Int {
        let distance = Double(scale.range.lowerBound.distance(to: value))
        if scale.isFixed {
            let height = Self.baseline + distance / 1000 * Self.millivolt * gain.factor
            return Int(min(max(-1e6, Double(levels) * height / 100), 1e6).rounded(.down))
        }
        let whole = Double(max(1, scale.range.lowerBound.distance(to: scale.range.upperBound)))
        return Int(min(max(-1e6, distance / whole * Double(levels - 1)), 1e6).rounded())
    }

    private func row(ofLevel level: Int) -> Int { area.rows - 1 - min(max(0, level), levels - 1) / levelsPerCell }

    /// Puts what is in the columns of a cell.
    private func put(_ lines: [Line?], _ style: Style, cell: Int, on grid: inout Grid) {
        let present = lines.compactMap(\.self)
        guard let lowest = present.map(\.lowest).min(), let highest = present.map(\.highest).max() else { return }
        for row in row(ofLevel: highest)...row(ofLevel: lowest) {
            let bottom = (area.rows - 1 - row) * levelsPerCell
            let isAbove = row == 0 && present.contains { $0.isClipped.above }
            let isBelow = row == area.rows - 1 && present.contains { $0.isClipped.below }
            let scalar =
                isAbove
                ? glyphs.clipMarks.above : isBelow ? glyphs.clipMarks.below : scalar(of: lines, from: bottom)
            guard let scalar else { continue }
            grid.set(scalar, style, column: area.column + cell, row: area.row + row)
        }
    }

    /// The character for the part of a cell's columns in a row, whose lowest step of height is `bottom`.
    private func scalar(of lines: [Line?], from bottom: Int) -> Unicode.Scalar? {
        func isSet(_ line: Line?, _ step: Int) -> Bool {
            line.map { $0.lowest <= bottom + step && bottom + step <= $0.highest } ?? false
        }
        switch glyphs {
        case .braille:
            var dots: UInt8 = 0
            for (column, line) in lines.enumerated() {
                for step in 0..<4 where isSet(line, step) {
                    dots |= TrendGraph.brailleDot(column: column, row: 3 - step)
                }
            }
            return dots == 0 ? nil : Unicode.Scalar(0x2800 + UInt32(dots))
        case .blocks:
            switch (isSet(lines[0], 1), isSet(lines[0], 0)) {
            case (true, true): return "█"
            case (true, false): return "▀"
            case (false, true): return "▄"
            case (false, false): return nil
            }
        case .ascii:
            let steps = (0..<3).filter { isSet(lines[0], $0) }
            return steps.isEmpty ? nil : steps.count > 1 ? "|" : [".", "-", "'"][steps[0]]
        }
    }

    // MARK: Scale

    /// Draws the length of the sweep, and a bar as high as a millivolt, or as half of one where that would not fit.
    private func drawScale(on grid: inout Grid) {
        guard scaleArea.columns >= 5, area.rows >= 4 else { return }
        grid.fill(scaleArea, " ", .faint)
        grid.putRight(sweep.lengthText, .faint, in: scaleArea.line(area.rows - 1))
        guard stream.kind.traits.isGainFixed else { return }
        let isHalf = gain == .double
        let height = Double(levels) * Self.millivolt * gain.factor / 100 * (isHalf ? 0.5 : 1)
        let bottom = Int(Double(levels) * Self.baseline / 100)
        let bar = Line(lowest: bottom, highest: min(levels - 1, bottom + max(1, Int(height.rounded())) - 1))
        let lines = glyphs == .braille ? [Line?.none, bar] : [bar]
        for row in row(ofLevel: bar.highest)...row(ofLevel: bar.lowest) {
            if let scalar = scalar(of: lines, from: (area.rows - 1 - row) * levelsPerCell) {
                let shown = glyphs == .ascii ? "|" : scalar
                grid.set(shown, .faint, column: scaleArea.column, row: scaleArea.row + row)
            }
        }
        let text = isHalf ? glyphs == .ascii ? ".5mV" : "½ mV" : "1 mV"
        grid.put(text, .faint, at: 1, in: scaleArea.line(row(ofLevel: bar.highest)))
    }

    // MARK: Calipers

    private func draw(_ calipers: WaveCalipers, _ wave: SweptWave, pen: Int64, on grid: inout Grid) {
        let shown = sweep.shown(pen: pen)
        let columns = calipers.backs.map { max(shown.lowerBound, pen - Int64($0)) }
        for (index, column) in columns.enumerated() {
            let cell = sweep.place(of: column).place / sweep.columnsPerCell
            let style = index == calipers.active ? Style.strong : .faint
            for row in 0..<area.rows {
                let (column, row) = (area.column + cell, area.row + row)
                if grid[column, row].scalar == " " {
                    grid.set(glyphs.frame.vertical, style, column: column, row: row)
                } else if index == calipers.active {
                    grid.restyle(Area(column: column, row: row, columns: 1, rows: 1)) { $0.reversed }
                }
            }
        }
        let text = glyphs.fit(
            WaveCalipers.text(
                columns.sorted(), sweep, of: wave, isASCII: glyphs == .ascii, dot: glyphs.dot))
        grid.putRight(" \(text) ", .strong, in: area.line(0))
    }
}

/// How high an electrocardiogram is drawn.
enum WaveGain: Hashable, Sendable, CaseIterable {
    case half, usual, double

    /// Of the usual height.
    var factor: Double {
        switch self {
        case .half: 0.5
        case .usual: 1
        case .double: 2
        }
    }

    /// The next one, and after the last the first.
    var next: WaveGain {
        switch self {
        case .half: .usual
        case .usual: .double
        case .double: .half
        }
    }

    /// Its name in a sentence.
    var text: String {
        switch self {
        case .half: "half of the usual height"
        case .usual: "the usual height"
        case .double: "twice the usual height"
        }
    }
}

/// Two marks on a frozen wave.
struct WaveCalipers: Hashable, Sendable {
    /// How many columns of dots each is before the pen.
    var backs = [0, 0]
    /// The one that the keys move.
    var active = 1

    /// The time between two columns, and of an electrocardiogram how much higher the later one is.
    static func text(
        _ columns: [Int64], _ sweep: WaveSweep, of wave: SweptWave, isASCII: Bool, dot: String
    ) -> String {
        guard let first = columns.first, let last = columns.last else { return "" }
        let time = "\(isASCII ? "d" : "Δ") \((last - first) * sweep.columnWidth / 1_000_000) ms"
        guard wave.kind.traits.unit == .microvolts else { return time }
        guard let low = value(first, sweep, of: wave), let high = value(last, sweep, of: wave) else {
            return "\(time)\(dot)no value"
        }
        let difference = low.distance(to: high)
        return "\(time)\(dot)\(difference > 0 ? "+" : difference < 0 ? "-" : "")\(abs(difference)) µV"
    }

    /// The value of a column: of all its samples the one that is farthest from the baseline.
    private static func value(_ column: Int64, _ sweep: WaveSweep, of wave: SweptWave) -> Int32? {
        guard let span = wave.ring.span(of: sweep.steps(of: column)), let scale = wave.scale(of: column) else {
            return nil
        }
        let base = scale.range.lowerBound
        return abs(base.distance(to: span.lowerBound)) > abs(base.distance(to: span.upperBound))
            ? span.lowerBound : span.upperBound
    }
}
