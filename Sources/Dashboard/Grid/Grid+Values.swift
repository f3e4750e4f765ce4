import Appearance
import Monitoring
import Vitals

// What other screens than the dashboard draw with.
extension Grid {
    /// Draws a number at the left of an area, as large as `widest` fits into it.
    ///
    /// - Returns: The columns that `widest` takes.
    @discardableResult
    package mutating func putLarge(
        _ text: String, widest: String, _ style: Style, in area: Area, glyphs: GlyphSet
    ) -> Int {
        let size = BigDigits.fitting(widest, columns: area.columns, rows: area.rows, glyphs: glyphs)
        let place = area.inset(top: (area.rows - size.rows) / 2)
        size.draw(text, style, in: place, on: &self)
        return size.columns(of: widest)
    }

    /// Draws a vital's values over time on a scale that fits them; the newest is at the right edge.
    ///
    /// - Parameters:
    ///   - columns: As many as ``trendColumns(in:glyphs:)`` says.
    ///   - limits: The limits that get a line.
    package mutating func putTrend(
        _ columns: [TrendColumn?], of vital: Vital, limits: [VitalValue], units: DisplayUnits, _ style: Style,
        in area: Area, glyphs: GlyphSet
    ) {
        let text = ValueText(units)
        let spans = columns.map { column in
            column.map {
                TrendSpan(
                    low: text.shownHundredths($0.minimum, of: vital), high: text.shownHundredths($0.maximum, of: vital))
            }
        }
        let graph = TrendGraph(
            spans: spans, range: VitalScale(fitting: spans, vital, unit: units).range,
            limits: limits.map { text.shownHundredths($0, of: vital) }, favoursLow: vital == .oxygenSaturation,
            glyphs: glyphs)
        graph.draw(style, in: area, on: &self)
    }

    /// How many parts of time a trend of this width shows.
    package static func trendColumns(in cells: Int, glyphs: GlyphSet) -> Int {
        TrendGraph.columns(in: cells, glyphs: glyphs)
    }
}
