/// The help: what the keys do, what the marks mean, and what Bedside is not.
struct HelpView {
    let glyphs: GlyphSet

    /// Draws over an area, which is blanked first.
    func draw(in area: Area, on grid: inout Grid) {
        grid.fill(area, " ", .plain)
        let isTight = area.rows < 8 || area.columns < 30
        let lines = self.lines(columns: area.columns - (isTight ? 2 : 4)).filter { !isTight || !$0.text.isEmpty }
        let width = min(area.columns, max(40, (lines.map { columnWidth(of: $0.text) }.max() ?? 0) + 4))
        let left = (area.columns - width) / 2
        let height = min(area.rows, lines.count + 2)
        let top = (area.rows - height) / 2
        let box = area.inset(left: left, right: area.columns - width - left, top: top, bottom: area.rows - height - top)
        if !isTight { drawBox(in: box, on: &grid) }
        let inner = isTight ? area.inset(left: 1, right: 1) : box.inset(left: 2, right: 2, top: 1, bottom: 1)
        for (index, line) in lines.prefix(inner.rows).enumerated() {
            grid.put(line.text, line.style, in: inner.line(index))
        }
    }

    private func lines(columns: Int) -> [(text: String, style: Style)] {
        var result: [(text: String, style: Style)] = []
        // First, because on a small screen the end is cut off.
        let disclaimer = "Bedside is not a medical device. Do not rely on it for a diagnosis or for alarms."
        for line in wrapped(disclaimer, columns: columns, glyphs: glyphs) {
            result.append((line, .strong))
        }
        result.append(("", .plain))
        for binding in KeyBinding.table {
            let padding = String(repeating: " ", count: max(1, 9 - binding.name.count))
            let line = ellipsized(binding.name + padding + binding.explanation, columns: columns, glyphs: glyphs)
            result.append((line, .plain))
        }
        result.append(("", .plain))
        let marks = [
            "\(glyphs.full) gives values", "\(glyphs.half) connecting", "\(glyphs.trouble) needs attention",
            "\(glyphs.empty) nearby, not connected",
        ]
        for line in wrapped(marks.joined(separator: glyphs.dot), columns: columns, glyphs: glyphs) {
            result.append((line, .plain))
        }
        return result
    }

    private func drawBox(in box: Area, on grid: inout Grid) {
        FrameView(glyphs: glyphs).drawBox(box, on: &grid)
        grid.put(" HELP ", .strong, at: 2, in: box.line(0))
        let close = " ? or Esc closes "
        grid.put(close, .faint, at: max(2, box.columns - close.count - 2), in: box.line(0))
    }
}
