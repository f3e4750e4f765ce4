import Monitoring
import Vitals

/// A vital's trend with its scale at the right.
struct VitalTrendView {
    let panel: VitalPanel
    let scene: Scene

    /// The columns that the scale takes, the space before it included.
    static func scaleColumns(_ unit: TemperatureUnit) -> Int { unit == .celsius ? 5 : 6 }

    /// Draws the trend; the scale is left out where there is hardly room for the line itself.
    func draw(in area: Area, on grid: inout Grid) {
        var area = area
        let scaleColumns = Self.scaleColumns(scene.screen.temperatureUnit)
        let showsScale = area.columns >= 16 && area.rows >= 2
        let scaleArea =
            showsScale ? area.takeRight(scaleColumns).inset(left: 1) : Area(column: 0, row: 0, columns: 0, rows: 0)
        guard area.columns >= 2, area.rows >= 1 else { return }
        let columns = TrendGraph.columns(in: area.columns, glyphs: scene.glyphs)
        let spans = panel.spans(columns: columns, screen: scene.screen, now: scene.now)
        let scale = VitalScale(panel.vital, unit: scene.screen.temperatureUnit, spans: spans)
        // Both of a fever rule's limits would fall on one row: the first, which needs no hour, is drawn.
        let limits = Array(VitalPanel.limits(of: panel.vital, scene.state).prefix(1))
        let graph = TrendGraph(
            spans: spans, range: scale.range,
            limits: limits.map { scene.valueText.shownHundredths($0, of: panel.vital) },
            favoursLow: panel.vital == .oxygenSaturation, glyphs: scene.glyphs)
        graph.draw(Style(panel.role), in: area, on: &grid)
        guard showsScale else { return }
        drawScale(graph, limits, in: scaleArea, on: &grid)
    }

    private func drawScale(_ graph: TrendGraph, _ limits: [VitalValue], in area: Area, on grid: inout Grid) {
        grid.put(VitalScale.label(graph.range.upperBound), .faint, in: area.line(0))
        grid.put(VitalScale.label(graph.range.lowerBound), .faint, in: area.line(area.rows - 1))
        for (limit, shown) in zip(limits, graph.limits) {
            guard let row = graph.row(of: shown, rows: area.rows), row > 0, row < area.rows - 1 else { continue }
            grid.put(scene.valueText.digits(limit, of: panel.vital), .faint, in: area.line(row))
        }
    }
}
