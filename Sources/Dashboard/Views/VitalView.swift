import Vitals

/// One large vital in the form that the layout chose.
struct VitalView {
    let panel: VitalPanel
    let scene: Scene
    /// The size of digits that all vitals share.
    let digits: BigDigits
    /// The columns that all vitals give to the digits.
    let digitColumns: Int

    /// The widest value that is usual: two decimals in a rare case, and a hundred degrees Fahrenheit.
    static let widestDigits = "188.8"

    // MARK: Framed

    /// Draws into a frame's inner part; the area's first row is the titled rule.
    func drawFramed(isFirst: Bool, in area: Area, on grid: inout Grid) {
        let rule = area.line(0)
        drawTitle(isFirst: isFirst, in: rule.inset(left: 2, right: 2), on: &grid)
        var inner = area.inset(left: 2, right: 2, top: 1)
        drawDigits(in: inner.takeLeft(digitColumns), on: &grid)
        _ = inner.takeLeft(2)
        drawContent(in: inner, on: &grid)
    }

    /// The name, the source, the freshness.
    private func drawTitle(isFirst: Bool, in line: Area, on grid: inout Grid) {
        let window = "last \(TimeText.span(scene.screen.trendWindow.components.seconds))"
        var line = line
        if isFirst, line.columns >= 56 {
            let right = line.takeRight(columnWidth(of: window) + 2)
            grid.put(" \(window) ", .faint, in: right)
            _ = line.takeRight(1)
        }
        let offset = grid.put(" \(name) ", panel.nameStyle, in: line)
        // The number once more as text, for braille displays, screen readers and copying.
        let digitsEnd = grid.put(panel.digits, panel.digitStyle, at: offset, in: line)
        let unitEnd = grid.put(" \(panel.unit) ", .faint, at: digitsEnd, in: line)
        let facts = self.facts(columns: line.columns - unitEnd - 6)
        guard !facts.isEmpty else { return }
        grid.put(facts, gap: 0, at: unitEnd + 2, in: line)
    }

    /// The name with its mark.
    private var name: String {
        let title = panel.role == .heartRate ? "\(scene.glyphs.heart) \(panel.title)" : panel.title
        return panel.marks.isEmpty ? title : "\(panel.marks) \(title)"
    }

    /// Source, freshness and remarks as pieces of the rule, the most important kept longest.
    private func facts(columns: Int) -> [Segment] {
        var pieces: [Segment] = []
        if !panel.source.isEmpty {
            let name = ellipsized(panel.source, columns: max(8, min(24, columns / 2)), glyphs: scene.glyphs)
            pieces.append(Segment(name, .plain, rank: 2))
        }
        if !panel.freshness.isEmpty {
            pieces.append(Segment(panel.freshness, panel.isStale ? .strong : .faint, rank: 1))
        }
        pieces += panel.warnings.map { Segment($0, .strong, rank: 0) }
        for (index, remark) in panel.comments.enumerated() { pieces.append(Segment(remark, .plain, rank: 3 + index)) }
        let kept = Segment.fitting(pieces, gap: columnWidth(of: scene.glyphs.dot), columns: columns)
        guard !kept.isEmpty else { return [] }
        var result = [Segment(" ", .plain, rank: 0)]
        for (index, piece) in kept.enumerated() {
            if index > 0 { result.append(Segment(scene.glyphs.dot, .faint, rank: 0)) }
            result.append(piece)
        }
        return result + [Segment(" ", .plain, rank: 0)]
    }

    // MARK: Plain

    /// Draws digits, facts and trend side by side.
    func drawPlain(in area: Area, on grid: inout Grid) {
        var inner = area.inset(left: 1, right: 1)
        drawDigits(in: inner.takeLeft(digitColumns), on: &grid)
        _ = inner.takeLeft(2)
        if panel.missing != nil {
            let offset = grid.put(name, panel.nameStyle, in: inner)
            grid.put(panel.source, .faint, at: offset + 2, in: inner)
            drawContent(in: inner.inset(top: 1), on: &grid)
            return
        }
        let facts = inner.takeLeft(min(22, inner.columns / 2))
        // The number must not be cut off by its own name.
        let isNarrow = columnWidth(of: "\(name) \(panel.digits) \(panel.unit)") > facts.columns
        let offset = grid.put(isNarrow ? panel.shortTitle : name, panel.nameStyle, in: facts)
        let digitsEnd = grid.put(panel.digits, panel.digitStyle, at: offset + 1, in: facts)
        grid.put(panel.unit, .faint, at: digitsEnd + 1, in: facts)
        let needed = ([panel.freshness] + panel.warnings).joined(separator: scene.glyphs.dot)
        // A warning is worth more than the name of the source.
        let isCrowded = !panel.warnings.isEmpty && columnWidth(of: needed) > facts.columns
        let second = fitted(
            isCrowded ? panel.warnings : [panel.source], separator: scene.glyphs.dot, columns: facts.columns,
            glyphs: scene.glyphs)
        grid.put(second, isCrowded ? .strong : .plain, in: facts.line(1))
        let freshness = fitted(
            [panel.freshness] + (isCrowded ? [] : panel.warnings) + panel.comments, separator: scene.glyphs.dot,
            columns: facts.columns, glyphs: scene.glyphs
        )
        grid.put(freshness, panel.isStale ? .strong : .faint, in: facts.line(2))
        _ = inner.takeLeft(1)
        VitalTrendView(panel: panel, scene: scene).draw(in: inner, on: &grid)
    }

    // MARK: Line

    /// Draws a line of text with a small trend; a second row holds the remedy or makes the trend higher.
    func drawLine(in area: Area, on grid: inout Grid) {
        var inner = area.inset(left: 1, right: 1)
        let label = inner.takeLeft(inner.columns >= 40 ? 8 : 6)
        let isHeart = panel.role == .heartRate && panel.marks.isEmpty && label.columns >= 8
        let mark = isHeart ? "\(scene.glyphs.heart) " : panel.marks
        let marked = mark + panel.shortTitle
        grid.put(columnWidth(of: marked) < label.columns ? marked : panel.shortTitle, panel.nameStyle, in: label)
        grid.putRight(panel.digits, panel.digitStyle, in: inner.takeLeft(5))
        _ = inner.takeLeft(1)
        if panel.missing != nil {
            drawContent(in: inner, on: &grid)
            return
        }
        let text = inner.takeLeft(min(inner.columns, inner.columns >= 44 ? 30 : 12))
        let offset = grid.put(panel.unit, .faint, in: text)
        let facts = fitted(
            [panel.freshness] + panel.warnings + [panel.source].filter { !$0.isEmpty } + panel.comments,
            separator: scene.glyphs.dot,
            columns: text.columns - offset - 2, glyphs: scene.glyphs)
        grid.put(facts, panel.isStale ? .strong : .faint, at: offset + 1, in: text)
        VitalTrendView(panel: panel, scene: scene).draw(in: inner, on: &grid)
    }

    // MARK: Parts

    private func drawDigits(in area: Area, on grid: inout Grid) {
        let columns = digits.columns(of: panel.digits)
        let top = max(0, (area.rows - digits.rows) / 2)
        let place = area.inset(left: max(0, area.columns - columns), top: top)
        // Rare values that are wider than planned for are shown small rather than cut.
        let size = columns <= area.columns ? digits : BigDigits(face: .text, isASCII: digits.isASCII)
        size.draw(panel.digits, panel.digitStyle, in: place, on: &grid)
    }

    /// The trend, or why there is no value, or both where both fit.
    private func drawContent(in area: Area, on grid: inout Grid) {
        var area = area
        if let missing = panel.missing {
            let used = MissingView(missing: missing, glyphs: scene.glyphs).draw(in: area, on: &grid)
            _ = area.takeTop(used)
            guard area.rows >= 2, panel.trend.condition != .neverSeen else { return }
        }
        VitalTrendView(panel: panel, scene: scene).draw(in: area, on: &grid)
    }
}
