import Appearance
import Monitoring
import TextGrid
import Vitals

/// A vital's trend with its scale at the right.
struct VitalTrendView {
    let panel: VitalPanel
    let scene: Scene

    /// Draws the trend, if it is visible.
    func draw(in places: VitalPlaces, on grid: inout Grid) {
        let area = places.graph
        guard let picture = panel.picture, area.rows >= 1, area.columns == picture.frame.cells else { return }
        let spans = picture.columns.map { column in
            column.map { TrendSpan(low: shown($0.minimum), high: shown($0.maximum)) }
        }
        let limits = picture.limits.ordinary + (area.rows >= 8 ? picture.limits.severe : [])
        // A limit outside of the usual range is part of the chart.
        let limitSpans = limits.map { TrendSpan(low: shown($0), high: shown($0)) }
        let marks = picture.marks.map { (cell: $0.cell, value: shown($0.value)) }
        let markSpans = marks.map { TrendSpan(low: $0.value, high: $0.value) }
        let unit = scene.screen.units
        // A fitted scale means nothing without its numbers.
        let isFitted = scene.screen.trends.isFitted && places.scale.rows >= 2 && places.scale.columns > 0
        let scale =
            isFitted
            ? VitalScale(fitting: spans + markSpans, panel.vital, unit: unit)
            : VitalScale(panel.vital, unit: unit, spans: spans + markSpans + (area.rows > 2 ? limitSpans : []))
        let graph = TrendGraph(
            spans: spans, range: scale.range, limits: limits.map(shown),
            favoursLow: panel.vital.traits.isWorseWhenLow, glyphs: scene.glyphs,
            shades: (0..<picture.frame.cells).map { picture.alarm(ofCell: $0)?.role }, cursor: picture.cursor,
            marks: marks, breaks: Set(picture.sourceChanges), changeCells: picture.changeCells)
        graph.draw(Style(panel.role), in: area, on: &grid)
        drawScale(graph, limits, isFitted ? .strong : .faint, in: places.scale, on: &grid)
    }

    private func shown(_ value: VitalValue) -> Int { scene.valueText.shownHundredths(value, of: panel.vital) }

    /// The numbers of the scale, those of a fitted one bright, because they differ from the usual.
    private func drawScale(
        _ graph: TrendGraph, _ limits: [VitalValue], _ style: Style, in area: Area, on grid: inout Grid
    ) {
        guard area.rows >= 2 else { return }
        // A limit at an end of the scale must not look like the end's line.
        var labels = [String?](repeating: nil, count: area.rows)
        if area.rows > 2 {
            for (limit, shown) in zip(limits, graph.limits) {
                guard let row = graph.row(of: shown, rows: area.rows), labels[row] == nil else { continue }
                labels[row] = scene.valueText.limit(limit, of: panel.vital)
            }
        }
        for (row, end) in [(0, graph.range.upperBound), (area.rows - 1, graph.range.lowerBound)] {
            labels[row] = labels[row] ?? VitalScale.label(end)
        }
        for (row, label) in labels.enumerated() {
            if let label { grid.put(label, style, in: area.line(row)) }
        }
    }
}
