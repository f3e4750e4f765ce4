import Appearance
import Base
import Monitoring
import TextGrid
import Vitals
import Wording

// Drawing functions for screens other than the dashboard.
extension Grid {
    /// Draws a number at the left of an area, in the largest size in which `widest` fits.
    ///
    /// - Returns: The width of `widest` in columns.
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
    ///   - columns: One for each of ``trendColumns(in:glyphs:)``.
    ///   - limits: The limits with a line.
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
            limits: limits.map { text.shownHundredths($0, of: vital) }, favoursLow: vital.traits.isWorseWhenLow,
            glyphs: glyphs)
        graph.draw(style, in: area, on: &self)
    }

    /// The number of parts of time in a trend of this width.
    package static func trendColumns(in cells: Int, glyphs: GlyphSet) -> Int {
        TrendGraph.columns(in: cells, glyphs: glyphs)
    }

    /// Draws an input line: its name, the text with the cursor, and the keys that end it.
    ///
    /// - Parameters:
    ///   - prompt: The text.
    ///   - keys: The keys with their labels; omitted if the text needs the space.
    package mutating func put(
        _ prompt: TextPrompt, keys: [(name: String, label: String)], in area: Area, glyphs: GlyphSet
    ) {
        var rest = area
        let hints = keys.reduce(0) { $0 + columnWidth(of: $1.name) + columnWidth(of: $1.label) + 3 }
        if area.columns >= hints + 30 {
            let right = rest.takeRight(hints)
            fill(right, " ", .plain)
            var offset = 0
            for key in keys { offset = put(key: key.name, key.label, at: offset, in: right) }
        }
        let style = Style(.plain, .bold)
        fill(rest, " ", style.reversed)
        // The text is most important: its name gets at most half of the line.
        let title = ellipsized(prompt.title, columns: max(0, rest.columns / 2 - 3), glyphs: glyphs)
        let start = put(" \(title): ", style.reversed, in: rest)
        let field = rest.inset(left: start, right: 1)
        let (text, cursor) = prompt.view(columns: field.columns)
        // What a typed character would replace is underlined.
        put(text, prompt.isSelected ? Style.plain.reversed.with(.underline) : Style.plain.reversed, in: field)
        // A cell that is not reversed represents the cursor: the terminal's own may be hidden.
        let cell = Area(column: field.column + cursor, row: field.row, columns: field.columns > cursor ? 1 : 0, rows: 1)
        restyle(cell) { _ in .plain.with(.underline) }
        if !cell.isEmpty { self.cursor = Position(column: cell.column, row: cell.row) }
    }

    /// Draws a key and its label.
    ///
    /// - Returns: The offset after both.
    @discardableResult
    package mutating func put(key: String, _ label: String, at offset: Int, in area: Area) -> Int {
        let offset = put(" \(key)", Style(.key, .bold), at: offset, in: area)
        return put(" \(label) ", .plain, at: offset, in: area)
    }
}
