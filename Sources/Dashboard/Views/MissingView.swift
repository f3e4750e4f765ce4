import Appearance

/// The banner in a vital's own row: why there is no measurement, what to do, and what the last value was.
struct MissingView {
    let missing: VitalPanel.Missing
    let glyphs: GlyphSet

    /// Draws at the top of an area.
    ///
    /// - Returns: The rows that are used.
    func draw(in area: Area, on grid: inout Grid) -> Int {
        var row = 0
        let style = missing.isBanner ? Style(.alarmLow, [.bold, .reverse]) : Style.faint
        let lines = self.lines(columns: area.columns - 2, rows: area.rows)
        for line in lines.prefix(area.rows) {
            grid.fill(area.line(row), " ", missing.isBanner ? style : .plain)
            grid.put(line, style, at: missing.isBanner ? 1 : 0, in: area.line(row))
            row += 1
        }
        if let last = missing.last, row < area.rows {
            grid.put(last, .faint, at: missing.isBanner ? 1 : 0, in: area.line(row))
            row += 1
        }
        return row
    }

    /// The text on one line when it fits, otherwise one line for the problem and one for the remedy.
    private func lines(columns: Int, rows: Int) -> [String] {
        let head = missing.isBanner ? "NO MEASUREMENT\(glyphs.dot)\(missing.title)" : missing.title
        guard !missing.remedy.isEmpty else { return wrapped(head, columns: columns, glyphs: glyphs) }
        let whole = "\(head)\(glyphs.dot)\(missing.remedy)"
        if columnWidth(of: whole) <= columns { return [whole] }
        if rows < 2 {
            return [oneLine(head, columns: columns)]
        }
        let short = missing.isBanner ? "NO MEASUREMENT\(glyphs.dot)\(missing.shortTitle)" : missing.shortTitle
        let lines =
            [head, short].lazy.map { wrapped($0, columns: columns, glyphs: glyphs) }.first { $0.count < rows }
            ?? [oneLine(head, columns: columns)]
        let remedy = "\(glyphs.arrow) \(missing.remedy)"
        let remedyLines = wrapped(remedy, columns: columns, glyphs: glyphs)
        return lines.count + remedyLines.count <= rows
            ? lines + remedyLines : lines + [ellipsized(remedy, columns: columns, glyphs: glyphs)]
    }

    /// The fullest wording that fits on one line.
    private func oneLine(_ head: String, columns: Int) -> String {
        let short = "NO MEASUREMENT\(glyphs.dot)\(missing.shortTitle)"
        let wordings =
            missing.isBanner ? [head, short, missing.title, missing.shortTitle] : [head, missing.shortTitle]
        return wordings.first { columnWidth(of: $0) <= columns }
            ?? ellipsized(missing.shortTitle, columns: columns, glyphs: glyphs)
    }
}
