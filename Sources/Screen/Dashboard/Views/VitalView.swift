import Appearance
import Base
import Monitoring
import TextGrid
import Vitals
import Wording

/// One large vital in the form chosen by the layout.
struct VitalView {
    let panel: VitalPanel
    let scene: Scene
    /// The division of the screen.
    let layout: ScreenLayout
    /// The areas of its parts.
    let places: VitalPlaces

    // MARK: Titled

    /// The text for a stale value.
    static let stale = "STALE"

    /// Draws the strip at the left, with its title above, and the field of the number at the right.
    func drawTitled(isFirst: Bool, on grid: inout Grid) {
        drawTitle(isFirst: isFirst, in: places.title.inset(left: 1, right: 1), on: &grid)
        drawFieldTitle(in: places.fieldTitle.inset(left: 1, right: 1), on: &grid)
        if panel.missing != nil { return drawMissing(on: &grid) }
        drawDigits(in: places.digits, on: &grid)
        drawLimits(in: places.limits, on: &grid)
        drawFieldFacts(in: places.facts, on: &grid)
        drawStrip(on: &grid)
    }

    /// The trend, unless a wave is drawn over the frame, or the trend is in the band below.
    private func drawStrip(on grid: inout Grid) {
        if panel.wave?.isDrawn == true { return }
        guard let wave = panel.wave, isInBand else {
            return VitalTrendView(panel: panel, scene: scene).draw(in: places, on: &grid)
        }
        let line = places.graph.line(places.graph.rows / 2)
        let words = ellipsized(wave.words, columns: line.columns, glyphs: scene.glyphs)
        grid.put(words, .faint, at: max(0, (line.columns - columnWidth(of: words)) / 2), in: line)
    }

    /// Whether the trend of the vital is in the band of trends.
    var isInBand: Bool {
        layout.band != nil
            && ShownVital.Place.allCases.firstIndex(of: panel.slot).map(layout.basis.content.waved.contains) == true
    }

    // MARK: Field

    /// The short name, and at the right the unit, or the limits if they have no place beside the number.
    private func drawFieldTitle(in line: Area, on grid: inout Grid) {
        guard !line.isEmpty else { return }
        let end = grid.put(" \(shortName) ", panel.nameStyle, in: line)
        guard panel.missing == nil else { return }
        let (upper, lower) = panel.limitTexts
        let range = "\(lower) \(scene.glyphs.dash) \(upper)"
        let words = places.limits.isEmpty ? [range, "\(lower)\(scene.glyphs.dash)\(upper)"] : [panel.unit]
        guard let text = words.first(where: { columnWidth(of: $0) + 3 <= line.columns - end }) else { return }
        grid.putRight(" \(text) ", .faint, in: line)
    }

    /// The upper limit above the lower one, and below them the vital that belongs beside this one.
    private func drawLimits(in area: Area, on grid: inout Grid) {
        guard !area.isEmpty else { return }
        let (upper, lower) = panel.limitTexts
        grid.putRight(upper, inField(.faint), in: area.line(0))
        grid.putRight(lower, inField(.faint), in: area.line(1))
        guard let companion = companionBeside else { return }
        grid.putRight(companion.name, inField(.faint), in: area.line(3))
        grid.putRight(companion.value, inField(.plain), in: area.line(4))
    }

    /// The style of a text in the number's field, which an alarm may fill.
    private func inField(_ style: Style) -> Style { panel.isWholeFieldFilled ? panel.digitStyle : style }

    /// The other vital, if it is beside the number: its name and its value, without a unit that does not fit.
    var companionBeside: (text: String, name: String, value: String)? {
        guard places.limits.rows >= 5, let text = panel.companion else { return nil }
        let words = text.split(separator: " ")
        guard words.count >= 2, columnWidth(of: String(words[0])) <= places.limits.columns else { return nil }
        let value = [words.dropFirst().joined(separator: " "), String(words[1])]
            .first { columnWidth(of: $0) <= places.limits.columns }
        return value.map { (text, String(words[0]), $0) }
    }

    /// The source of the number and its age.
    private func drawFieldFacts(in line: Area, on grid: inout Grid) {
        guard !line.isEmpty else { return }
        let dot = scene.glyphs.dot
        let freshness =
            columnWidth(of: panel.freshness) <= line.columns ? panel.freshness : shortFreshness
        let room = line.columns - columnWidth(of: freshness + dot)
        let source =
            panel.source.isEmpty || room < 8 ? "" : ellipsizedName(panel.source, columns: room, glyphs: scene.glyphs)
        let end = grid.put(source.isEmpty ? "" : source + dot, inField(.faint), in: line)
        grid.put(freshness, inField(panel.isStale ? .strong : .faint), at: end, in: line)
    }

    // MARK: Plain

    /// Draws digits, facts and trend side by side.
    func drawPlain(on grid: inout Grid) {
        if let missing = panel.missing {
            var text = places
            text.content = places.content.inset(top: 1)
            text.digits = places.digits
            _ = MissingView(missing: missing, glyphs: scene.glyphs)
                .draw(size: layout.digits, in: text, keepsGraph: false, on: &grid)
            let title = "\(name) \(panel.digits)"
            let offset = grid.put(title, panel.nameStyle, in: places.content)
            grid.put(panel.source, missing.style, at: offset + 2, in: places.content)
            return
        }
        drawDigits(in: places.digits, on: &grid)
        let facts = places.facts
        // The number must not be truncated by its own name.
        let isNarrow = columnWidth(of: "\(name) \(panel.digits) \(panel.unit)") > facts.columns
        let offset = grid.put(isNarrow ? panel.shortTitle : name, panel.nameStyle, in: facts)
        let digitsEnd = grid.put(panel.digits, panel.digitStyle, at: offset + 1, in: facts)
        grid.put(panel.unit(columns: facts.columns - digitsEnd - 1), .faint, at: digitsEnd + 1, in: facts)
        let cursor = panel.cursorText(scene.screen)
        let needed = ([panel.freshness] + panel.warnings).joined(separator: scene.glyphs.dot)
        // A warning is more important than the name of the source; a value under the cursor was requested.
        let isCrowded = cursor.isEmpty && !panel.warnings.isEmpty && columnWidth(of: needed) > facts.columns
        let second = fitted(
            !cursor.isEmpty
                ? ["at cursor \(cursor)"]
                : isCrowded ? panel.warnings(after: "", columns: facts.columns) : [panel.source],
            separator: scene.glyphs.dot, columns: facts.columns, glyphs: scene.glyphs)
        grid.put(second, isCrowded || !cursor.isEmpty ? .strong : .plain, in: facts.line(1))
        let end = putFreshness(
            [panel.freshness] + (isCrowded ? [] : panel.warnings), in: facts.line(2), on: &grid)
        if cursor.isEmpty { putSummary(after: end, in: facts.line(2), on: &grid) }
        VitalTrendView(panel: panel, scene: scene).draw(in: places, on: &grid)
    }

    /// The freshness of the value and other remarks, shortened to fit.
    ///
    /// - Returns: The offset after the last word.
    private func putFreshness(_ parts: [String], in line: Area, on grid: inout Grid) -> Int {
        let dot = scene.glyphs.dot
        func joined(_ comments: [String]) -> String { (parts + comments).joined(separator: dot) }
        func fits(_ text: String) -> Bool { columnWidth(of: text) <= line.columns }
        // Without its name, the shortest text would look like a part of the value.
        let shorter = panel.feverTexts.dropFirst().dropLast()
        let feverText = shorter.first { fits(joined([$0])) } ?? shorter.last
        let text =
            fits(joined(panel.comments))
            ? joined(panel.comments)
            : fitted(
                parts + panel.comments(feverText: feverText), separator: dot, columns: line.columns,
                glyphs: scene.glyphs)
        return grid.put(text, panel.isStale ? .strong : .faint, in: line)
    }

    /// The extremes of the window, in the form that all titles of this width have.
    func summary(columns: Int) -> [String] {
        let wordings = panel.summaryText(scene.screen)
        let index = columns >= 104 ? 0 : columns >= 64 ? 1 : 2
        return wordings.indices.contains(index) ? [wordings[index]] : []
    }

    /// The extremes of the window at the right end of a line, if they fit.
    private func putSummary(after offset: Int, in line: Area, on grid: inout Grid) {
        guard let words = summary(columns: 0).first, columnWidth(of: words) + 2 <= line.columns - offset else { return }
        grid.putRight(words, .faint, in: line)
    }

    // MARK: Line

    /// Draws a line of text with a small trend; a second row contains the remedy or makes the trend higher.
    func drawLine(on grid: inout Grid) {
        let label = places.label
        if let missing = panel.missing {
            MissingView(missing: missing, glyphs: scene.glyphs).drawOutline(around: places.whole, on: &grid)
        }
        if panel.isWholeFieldFilled {
            let columns = places.value.column + places.value.columns - label.column
            grid.fill(
                Area(column: label.column, row: label.row, columns: columns, rows: 1), " ", panel.digitStyle)
        }
        let isHeart = panel.role == .heartRate && panel.marks.isEmpty && label.columns >= 8
        let mark = isHeart ? "\(panel.heart(scene.glyphs)) " : panel.marks
        let marked = mark + panel.shortTitle
        let isMarked = columnWidth(of: marked) < label.columns
        let nameStyle = panel.missing.map { $0.isBanner ? $0.style : panel.nameStyle } ?? panel.nameStyle
        grid.put(isMarked ? marked : panel.shortTitle, nameStyle, in: label)
        let stale = columnWidth(of: "\(panel.unit) \(panel.marks) \(Self.stale)")
        let digits = panel.digits(isStaleNamed: places.facts.columns >= stale)
        grid.putRight(digits, panel.digitStyle, in: places.value)
        if let missing = panel.missing {
            MissingView(missing: missing, glyphs: scene.glyphs).drawText(in: places.content, on: &grid)
            return
        }
        let text = places.facts
        let cursor = panel.cursorText(scene.screen)
        if !cursor.isEmpty { return drawCursor(cursor, in: text, on: &grid) }
        let warnings = panel.warnings(after: panel.freshness, columns: text.columns)
        let needed = ([panel.freshness] + warnings).joined(separator: scene.glyphs.dot)
        let room = text.columns - columnWidth(of: "\(panel.marks) \(needed) ")
        var offset = grid.put(panel.unit(columns: room), .faint, in: text)
        // Never by its colour alone.
        if !isMarked, !panel.marks.isEmpty { offset = grid.put(panel.marks, panel.nameStyle, at: offset + 1, in: text) }
        _ = putFreshness(
            [panel.freshness] + warnings + [panel.source].filter { !$0.isEmpty },
            in: text.inset(left: offset + 1),
            on: &grid)
        VitalTrendView(panel: panel, scene: scene).draw(in: places, on: &grid)
    }

    /// The freshness of the live value, and in brackets the value under the cursor, without truncating a number.
    private func drawCursor(_ words: String, in text: Area, on grid: inout Grid) {
        let freshness = panel.freshness
        let wordings = ["\(freshness) [\(words)]", "[\(words)]", words]
        let shown = wordings.first { columnWidth(of: $0) < text.columns } ?? ""
        grid.put(shown, .strong, in: text)
        VitalTrendView(panel: panel, scene: scene).draw(in: places, on: &grid)
    }

    // MARK: Parts

    private func drawDigits(in area: Area, on grid: inout Grid) {
        let digits = layout.digits
        let number = panel.largeDigits
        let columns = digits.columns(of: number)
        let left = layout.hasDigitsAbove ? max(0, (area.columns - columns) / 2) : 0
        let place = area.inset(left: left, top: max(0, (area.rows - digits.rows) / 2))
        // Rare values that are wider than planned for are shown smaller rather than truncated.
        let size =
            columns <= area.columns
            ? digits
            : .fitting(number, columns: area.columns, rows: digits.rows, glyphs: scene.glyphs)
        let behind = Area(
            column: place.column, row: place.row, columns: size.columns(of: number), rows: size.rows)
        panel.fill(places.field.isEmpty ? area.inset(left: -1, right: -1) : places.field, behind: behind, on: &grid)
        size.draw(number, panel.digitStyle, in: place, on: &grid)
    }

    /// The reason of a missing value, and the trend if both fit.
    private func drawMissing(on grid: inout Grid) {
        guard let missing = panel.missing else { return }
        let hasGraph = panel.hasTrend || panel.picture?.marks.isEmpty == false
        let used = MissingView(missing: missing, glyphs: scene.glyphs)
            .draw(size: layout.digits, in: places, keepsGraph: hasGraph, on: &grid)
        guard used < places.content.rows else { return }
        let below = places.below(rows: used, unit: scene.screen.temperatureUnit)
        VitalTrendView(panel: panel, scene: scene).draw(in: below, on: &grid)
    }
}

extension VitalPanel {
    /// Fills the field of a number whose alarm is unanswered: with high priority the whole field, with medium priority only
    /// what is behind the number, and a margin where there is one.
    func fill(_ field: Area, behind number: Area, on grid: inout Grid) {
        guard isFieldFilled else { return }
        if isWholeFieldFilled { return grid.fill(field, " ", digitStyle) }
        let start = max(number.column - 1, field.column + 1)
        let end = min(number.column + number.columns + 1, field.column + field.columns - 1)
        grid.fill(
            Area(column: start, row: number.row, columns: end - start, rows: number.rows), " ", digitStyle)
    }

    /// The heart, which changes with each new value.
    func heart(_ glyphs: GlyphSet) -> String { isSecondHalfOfBeat ? glyphs.hollowHeart : glyphs.heart }
}
