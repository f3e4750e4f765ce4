import Appearance
import Vitals

/// One large vital in the form that the layout chose.
struct VitalView {
    let panel: VitalPanel
    let scene: Scene
    /// The size of digits that all vitals share.
    let digits: BigDigits
    /// Where its parts lie.
    let places: VitalPlaces

    /// The widest value that is usual: two decimals in a rare case, and a hundred degrees Fahrenheit.
    static let widestDigits = "188.8"

    // MARK: Framed

    /// The text for a stale value.
    private static let stale = "STALE"

    /// Draws into a frame's inner part; the area's first row is the titled rule.
    func drawFramed(isFirst: Bool, in area: Area, on grid: inout Grid) {
        drawTitle(isFirst: isFirst, in: area.line(0).inset(left: 2, right: 2), on: &grid)
        drawDigits(in: places.digits, on: &grid)
        drawContent(in: places.content, on: &grid)
    }

    /// The name, the source, the freshness; at the right what the trend shows.
    private func drawTitle(isFirst: Bool, in line: Area, on grid: inout Grid) {
        var line = line
        if isFirst, line.columns >= 56 { drawWindow(in: &line, on: &grid) }
        let nameEnd = grid.put(" \(name) ", panel.nameStyle, in: line)
        let unit = " \(panel.unit) "
        let unitEnd = nameEnd + columnWidth(of: panel.digits + unit)
        // What is under the cursor goes before everything else, and that before what the whole window had.
        let cursor = panel.cursorText(scene.screen)
        let words = cursor.isEmpty ? panel.summaryText(scene.screen) : ["at cursor \(cursor)", "[\(cursor)]"]
        let least = cursor.isEmpty ? 0 : columnWidth(of: words.last ?? "") + 4
        let facts = self.facts(columns: line.columns - unitEnd - 6 - least)
        // The number once more as text, for braille displays, screen readers and copying.
        let digits = panel.digits(isStaleNamed: panel.isStale && facts.contains { $0.text.hasPrefix(Self.stale) })
        var end = grid.put(digits, panel.digitStyle, at: nameEnd, in: line)
        end = grid.put(unit, .faint, at: end, in: line)
        if !facts.isEmpty { end = grid.put(facts, gap: 0, at: unitEnd + 2, in: line) }
        guard let text = words.first(where: { columnWidth(of: $0) + 4 <= line.columns - end }) else { return }
        grid.putRight(" \(text) ", cursor.isEmpty ? .faint : .strong, in: line)
    }

    /// Which time the trends show, at the right end of the line.
    private func drawWindow(in line: inout Area, on grid: inout Grid) {
        guard let frame = scene.frame else { return }
        let isPast = scene.screen.trends.isPast
        let words = isPast ? historyText(frame, columns: line.columns) : "last \(scene.screen.trends.window.text)"
        let right = line.takeRight(columnWidth(of: words) + 2)
        grid.put(" \(words) ", isPast ? Style(.plain, [.bold, .reverse]) : .faint, in: right)
        _ = line.takeRight(1)
    }

    /// The period, with dates where it is not today's and they fit.
    private func historyText(_ frame: TrendFrame, columns: Int) -> String {
        let dash = scene.glyphs.dash
        // The last column reaches beyond the present; nothing that is shown does.
        let end = min(frame.end, scene.now)
        let dated = scene.time.range(from: frame.start, to: end, dash: dash)
        let clocks = "\(scene.time.clock(frame.start))\(dash)\(scene.time.clock(end))"
        return "HISTORY \(columnWidth(of: dated) + 10 <= columns / 2 ? dated : clocks)"
    }

    /// The name with its mark.
    private var name: String {
        let title = panel.role == .heartRate ? "\(panel.heart(scene)) \(panel.title)" : panel.title
        return panel.marks.isEmpty ? title : "\(panel.marks) \(title)"
    }

    /// Source, freshness and remarks as pieces of the rule, the most important kept longest.
    private func facts(columns: Int) -> [Segment] {
        var pieces: [Segment] = []
        if !panel.source.isEmpty {
            let name = ellipsizedName(panel.source, columns: max(8, min(24, columns / 2)), glyphs: scene.glyphs)
            pieces.append(Segment(name, .plain, rank: 2))
        }
        if panel.isStale {
            let isWhole = columnWidth(of: panel.freshness) + 2 <= columns
            pieces.append(Segment(isWhole ? panel.freshness : Self.stale, .strong, rank: 0))
        } else if !panel.freshness.isEmpty {
            pieces.append(Segment(panel.freshness, .faint, rank: 1))
        }
        pieces += panel.warnings.map { Segment($0, .strong, rank: 0) }
        let gap = columnWidth(of: scene.glyphs.dot)
        func remarks(_ comments: [String]) -> [Segment] {
            pieces + comments.enumerated().map { Segment($1, .plain, rank: 3 + $0) }
        }
        let isWhole = Segment.width(of: remarks(panel.comments), gap: gap) <= columns
        let kept = Segment.fitting(
            remarks(isWhole ? panel.comments : panel.comments(unjudged: FeverRemarks.cannotEvaluateLabels[0])),
            gap: gap,
            columns: columns)
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
    func drawPlain(on grid: inout Grid) {
        drawDigits(in: places.digits, on: &grid)
        if panel.missing != nil {
            let offset = grid.put(name, panel.nameStyle, in: places.content)
            grid.put(panel.source, .faint, at: offset + 2, in: places.content)
            drawContent(in: places.content.inset(top: 1), on: &grid)
            return
        }
        let facts = places.facts
        // The number must not be cut off by its own name.
        let isNarrow = columnWidth(of: "\(name) \(panel.digits) \(panel.unit)") > facts.columns
        let offset = grid.put(isNarrow ? panel.shortTitle : name, panel.nameStyle, in: facts)
        let digitsEnd = grid.put(panel.digits, panel.digitStyle, at: offset + 1, in: facts)
        grid.put(panel.unit, .faint, at: digitsEnd + 1, in: facts)
        let cursor = panel.cursorText(scene.screen)
        let needed = ([panel.freshness] + panel.warnings).joined(separator: scene.glyphs.dot)
        // A warning is worth more than the name of the source; what is read by a cursor was asked for.
        let isCrowded = cursor.isEmpty && !panel.warnings.isEmpty && columnWidth(of: needed) > facts.columns
        let second = fitted(
            !cursor.isEmpty ? ["at cursor \(cursor)"] : isCrowded ? panel.warnings : [panel.source],
            separator: scene.glyphs.dot, columns: facts.columns, glyphs: scene.glyphs)
        grid.put(second, isCrowded || !cursor.isEmpty ? .strong : .plain, in: facts.line(1))
        let end = putFreshness(
            [panel.freshness] + (isCrowded ? [] : panel.warnings), in: facts.line(2), on: &grid)
        if cursor.isEmpty { putSummary(panel.summaryText(scene.screen), after: end, in: facts.line(2), on: &grid) }
        VitalTrendView(panel: panel, scene: scene).draw(in: places, on: &grid)
    }

    /// The freshness of the value and other remarks, shortened to fit.
    ///
    /// - Returns: The offset after the last word.
    private func putFreshness(_ parts: [String], in line: Area, on grid: inout Grid) -> Int {
        let dot = scene.glyphs.dot
        func joined(_ comments: [String]) -> String { (parts + comments).joined(separator: dot) }
        func fits(_ text: String) -> Bool { columnWidth(of: text) <= line.columns }
        let unjudged =
            FeverRemarks.cannotEvaluateLabels.first { fits(joined([$0])) } ?? FeverRemarks.cannotEvaluateLabels[1]
        let text =
            fits(joined(panel.comments))
            ? joined(panel.comments)
            : fitted(
                parts + panel.comments(unjudged: unjudged), separator: dot, columns: line.columns,
                glyphs: scene.glyphs)
        return grid.put(text, panel.isStale ? .strong : .faint, in: line)
    }

    /// The extremes of the window at the right end of a line, in the longest text that fits.
    private func putSummary(_ wordings: [String], after offset: Int, in line: Area, on grid: inout Grid) {
        guard let words = wordings.first(where: { columnWidth(of: $0) + 2 <= line.columns - offset }) else { return }
        grid.putRight(words, .faint, in: line)
    }

    // MARK: Line

    /// Draws a line of text with a small trend; a second row holds the remedy or makes the trend higher.
    func drawLine(on grid: inout Grid) {
        let label = places.label
        let isHeart = panel.role == .heartRate && panel.marks.isEmpty && label.columns >= 8
        let mark = isHeart ? "\(panel.heart(scene)) " : panel.marks
        let marked = mark + panel.shortTitle
        let isMarked = columnWidth(of: marked) < label.columns
        grid.put(isMarked ? marked : panel.shortTitle, panel.nameStyle, in: label)
        let needed = columnWidth(of: "\(panel.unit) \(panel.marks) \(Self.stale)")
        let digits = panel.digits(isStaleNamed: places.facts.columns >= needed)
        grid.putRight(digits, panel.digitStyle, in: places.value)
        if panel.missing != nil {
            drawContent(in: places.content, on: &grid)
            return
        }
        let text = places.facts
        let cursor = panel.cursorText(scene.screen)
        if !cursor.isEmpty { return drawCursor(cursor, in: text, on: &grid) }
        var offset = grid.put(panel.unit, .faint, in: text)
        // Never by its colour alone.
        if !isMarked, !panel.marks.isEmpty { offset = grid.put(panel.marks, panel.nameStyle, at: offset + 1, in: text) }
        let end = putFreshness(
            [panel.freshness] + panel.warnings + [panel.source].filter { !$0.isEmpty },
            in: text.inset(left: offset + 1),
            on: &grid)
        // Beside the value, numbers without a name would be mistaken for it.
        let summary = panel.summaryText(scene.screen).prefix(2)
        putSummary(Array(summary), after: offset + 1 + end, in: text, on: &grid)
        VitalTrendView(panel: panel, scene: scene).draw(in: places, on: &grid)
    }

    /// The freshness of the live value, and in brackets what was under the cursor, without a number in part.
    private func drawCursor(_ words: String, in text: Area, on grid: inout Grid) {
        let freshness = panel.freshness
        let wordings = ["\(freshness) [\(words)]", "[\(words)]", words]
        let shown = wordings.first { columnWidth(of: $0) < text.columns } ?? ""
        grid.put(shown, .strong, in: text)
        VitalTrendView(panel: panel, scene: scene).draw(in: places, on: &grid)
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
        var places = places
        if let missing = panel.missing {
            let used = MissingView(missing: missing, glyphs: scene.glyphs).draw(in: area, on: &grid)
            let unit = scene.screen.temperatureUnit
            places = places.below(rows: area.row - places.content.row + used, unit: unit)
            let isEmpty = panel.trend.trend.isEmpty && panel.picture?.marks.isEmpty ?? true
            guard places.graph.rows >= 2, !isEmpty else { return }
        }
        VitalTrendView(panel: panel, scene: scene).draw(in: places, on: &grid)
    }
}

extension VitalPanel {
    /// The heart, which is another one at each value that comes, unless nothing comes or motion is reduced.
    func heart(_ scene: Scene) -> String {
        isBeating(scene) ? scene.glyphs.hollowHeart : scene.glyphs.heart
    }

    /// Whether what beats is in the second half of its beat.
    func isBeating(_ scene: Scene) -> Bool {
        missing == nil && !isStale && !trend.valueCount.isMultiple(of: 2)
            && !scene.state.settings.alarmSignals.isMotionReduced
    }
}
