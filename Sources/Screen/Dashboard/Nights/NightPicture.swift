import Appearance
import Base
import Nights
import TextGrid
import Vitals
import Wording

/// The picture of a night: the saturation with lines at 90 and 88 %, the falls, what is left out, the pulse, the time.
struct NightPicture {
    let scene: Scene
    let part: PatientNight.Part

    /// The columns of the numbers on the left.
    private static let labels = 5

    /// Draws as much as fits; the saturation is the last to go.
    func draw(in area: Area, on grid: inout Grid) {
        guard area.rows >= 3, area.columns >= 16 else { return }
        let cells = area.columns - Self.labels
        let graphs = NightColumns(part, count: TrendGraph.columns(in: cells, glyphs: scene.glyphs))
        let marks = NightColumns(part, count: cells)
        var rest = area
        if rest.rows >= 5 { drawAxis(marks, in: rest.takeBottom(1), on: &grid) }
        if rest.rows >= 9 { drawPulse(graphs, in: rest.takeBottom(max(3, rest.rows / 4)), on: &grid) }
        if rest.rows >= 5 { drawExcluded(marks, in: rest.takeBottom(1), on: &grid) }
        if rest.rows >= 5 { drawFalls(marks, in: rest.takeBottom(1), on: &grid) }
        if rest.rows >= 4, let legend = legend(marks) {
            put(legend, .faint, in: rest.takeTop(1).inset(left: Self.labels), on: &grid)
        }
        drawSaturation(graphs, in: rest, on: &grid)
    }

    private func put(_ text: String, _ style: Style, at offset: Int = 0, in area: Area, on grid: inout Grid) {
        grid.put(
            ellipsized(scene.glyphs.fit(text), columns: area.columns - offset, glyphs: scene.glyphs), style, at: offset,
            in: area)
    }

    private func label(_ number: Int, in line: Area, on grid: inout Grid) {
        let text = "\(number)"
        put(text, .faint, at: max(0, Self.labels - 1 - text.count), in: line.prefix(Self.labels), on: &grid)
    }

    // MARK: Saturation

    private func drawSaturation(_ night: NightColumns, in area: Area, on grid: inout Grid) {
        let lowest = Int(night.saturations?.lowerBound ?? 86)
        let range = min(86, lowest / 2 * 2) * 100...10_000
        let spans = night.columns.map { column in
            column.saturation.map { TrendSpan(low: Int($0.lowerBound) * 100, high: Int($0.upperBound) * 100) }
        }
        var graph = TrendGraph(
            spans: spans, range: range, limits: [9000, 8800], favoursLow: true, glyphs: scene.glyphs)
        graph.glows = false
        graph.draw(Style(.oxygenSaturation), in: area.inset(left: Self.labels), on: &grid)
        var labelled: Set<Int> = []
        for value in [100, range.lowerBound / 100, 90, 88] {
            // The number stands beside its line, or not at all.
            guard let row = graph.row(of: value * 100, rows: area.rows), labelled.insert(row).inserted else { continue }
            label(value, in: area.line(row), on: &grid)
        }
    }

    // MARK: Pulse

    private func drawPulse(_ night: NightColumns, in area: Area, on grid: inout Grid) {
        guard let pulses = night.pulses else { return }
        let range = Int(pulses.lowerBound) / 10 * 1000...(Int(pulses.upperBound) / 10 + 1) * 1000
        let spans = night.columns.map { column in
            column.pulse.map { TrendSpan(low: Int($0.lowerBound) * 100, high: Int($0.upperBound) * 100) }
        }
        var graph = TrendGraph(spans: spans, range: range, limits: [], favoursLow: false, glyphs: scene.glyphs)
        graph.glows = false
        graph.draw(Style(Vital.pulseRate.role), in: area.inset(left: Self.labels), on: &grid)
        label(range.upperBound / 100, in: area.line(0), on: &grid)
        label(range.lowerBound / 100, in: area.line(area.rows - 1), on: &grid)
    }

    // MARK: Marks

    /// Each cell's deepest fall, by its depth: 3 to 9, and + for more.
    private func drawFalls(_ night: NightColumns, in area: Area, on grid: inout Grid) {
        put("fall", .faint, in: area.prefix(Self.labels), on: &grid)
        for (cell, column) in night.columns.enumerated() where column.fall > 0 {
            let mark: Unicode.Scalar = column.fall > 9 ? "+" : Unicode.Scalar(UInt8(48 + column.fall))
            grid.set(
                mark, column.fall >= 4 ? .strong : .plain, column: area.column + Self.labels + cell, row: area.row)
        }
    }

    /// Why most of a cell is left out.
    private func drawExcluded(_ night: NightColumns, in area: Area, on grid: inout Grid) {
        put("out", .faint, in: area.prefix(Self.labels), on: &grid)
        for (cell, column) in night.columns.enumerated() {
            guard let reason = column.exclusion else { continue }
            let mark = reason == .gap ? scene.glyphs.gapMark : reason.letter
            grid.set(mark, .faint, column: area.column + Self.labels + cell, row: area.row)
        }
    }

    /// What the marks mean that are there; `nil` without any.
    private func legend(_ night: NightColumns) -> String? {
        let found = NightExclusion.allCases.filter { reason in night.columns.contains { $0.exclusion == reason } }
        let marks = found.map { reason in
            "\(reason == .gap ? scene.glyphs.gapMark : reason.letter) \(reason.text)"
        }
        return marks.isEmpty ? nil : marks.joined(separator: scene.glyphs.dot)
    }

    // MARK: Time

    /// The whole hours, as many as fit.
    private func drawAxis(_ night: NightColumns, in area: Area, on grid: inout Grid) {
        let place = area.inset(left: Self.labels)
        let text = NightText(scene.screen)
        var free = 0
        for hour in text.hours(in: night.range) {
            guard let cell = night.column(of: hour), cell >= free, cell + 6 <= place.columns else { continue }
            grid.set(scene.glyphs.tickMark, .faint, column: place.column + cell, row: place.row)
            put(text.clock(hour), .faint, at: cell + 1, in: place, on: &grid)
            free = cell + 8
        }
    }
}
