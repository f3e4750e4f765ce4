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
    private static let stale = "STALE"

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
    private var isInBand: Bool {
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
    private var companionBeside: (text: String, name: String, value: String)? {
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

    // MARK: Rules

    /// Draws the titled rule of a vital without a sensor.
    func drawRule(in area: Area, on grid: inout Grid) {
        let line = area.line(0).inset(left: 1, right: 1)
        var end = grid.put(" \(name) ", panel.nameStyle, in: line)
        guard let missing = panel.missing else { return }
        let words = fitted(
            [missing.title, missing.last, missing.remedy].compactMap { $0 }.filter { !$0.isEmpty },
            separator: scene.glyphs.dot, columns: line.columns - end - 4, glyphs: scene.glyphs)
        end = grid.put(words.isEmpty ? "" : " \(words) ", .faint, at: end + 2, in: line)
    }

    /// The name, the source, the freshness; at the right the period of the trend.
    private func drawTitle(isFirst: Bool, in line: Area, on grid: inout Grid) {
        var line = line
        if isFirst, line.columns >= 56, panel.wave?.isDrawn != true, layout.band == nil {
            drawWindow(in: &line, on: &grid)
        }
        if panel.missing != nil, places.content.rows < 2 { return drawAbsenceTitle(in: line, on: &grid) }
        // A doubt about a value comes before its direction.
        let others = columnWidth(of: "  \(shortName)  \(panel.digits)") + neededColumns(panel.warnings)
        var unitText = panel.unit(columns: line.columns - others)
        let shortest =
            columnWidth(of: "  \(shortName)  \(panel.digits)\(unitText)") + neededColumns(panel.shortWarnings)
        if !panel.warnings.isEmpty, shortest > line.columns { unitText = "" }
        let unit = unitText.isEmpty ? " " : " \(unitText) "
        let room = line.columns - columnWidth(of: panel.digits + unit) - neededColumns(panel.warnings)
        // The value under the cursor comes before everything else, and before that of the whole window.
        let cursor = panel.cursorText(scene.screen)
        let isWave = cursor.isEmpty && panel.wave != nil
        let words =
            isWave
            ? waveWords
            : cursor.isEmpty ? summary(columns: line.columns) : ["at cursor \(cursor)", "[\(cursor)]"]
        let least = cursor.isEmpty && !isWave ? 0 : columnWidth(of: words.last ?? "") + 4
        func factColumns(_ name: String) -> Int {
            line.columns - columnWidth(of: " \(name) \(panel.digits)\(unit)") - 4 - least
        }
        let name = fittingName(columns: room - 2) { keptFacts(columns: factColumns($0)) }
        let nameEnd = grid.put(" \(name) ", panel.nameStyle, in: line)
        if let past = words.last, !cursor.isEmpty, !places.fieldTitle.isEmpty,
            columnWidth(of: " \(name) \(panel.digits)\(unit)\(past)") + 4 > line.columns
        {
            // The number is large beside it; what was asked for comes before its text.
            grid.putRight(" \(past) ", .strong, in: line)
            return
        }
        let unitEnd = nameEnd + columnWidth(of: panel.digits + unit)
        let facts = self.facts(columns: factColumns(name))
        // The number once more as text, for braille displays, screen readers and copying: they have this line alone, so a
        // word below the large number is not enough.
        let isStaleNamed = facts.contains { $0.text.hasPrefix(Self.stale) }
        let digits = panel.digits(isStaleNamed: panel.isStale && isStaleNamed)
        var end = grid.put(digits, panel.digitStyle, at: nameEnd, in: line)
        end = grid.put(unit, .faint, at: end, in: line)
        if !facts.isEmpty { end = grid.put(facts, gap: 0, at: unitEnd + 2, in: line) }
        guard let text = words.first(where: { columnWidth(of: $0) + 4 <= line.columns - end }) else { return }
        let isFrozen = isWave && panel.wave?.frozen.isEmpty == false
        grid.putRight(" \(text) ", isFrozen ? .selected : cursor.isEmpty ? .faint : .strong, in: line)
    }

    /// The name of the wave and its measures, from the longest text to the shortest; or why it is not there.
    private var waveWords: [String] {
        guard let wave = panel.wave else { return [] }
        guard wave.isDrawn else { return isInBand ? [] : [wave.words].filter { !$0.isEmpty } }
        let sweep = WaveSweep(
            cells: places.graph.columns, columnsPerCell: TrendGraph.columns(in: 1, glyphs: scene.glyphs),
            screenColumns: layout.basis.columns)
        return sweep.words(wave, scene.glyphs)
    }

    /// The longest form of the name that fits, and beside which no fact is lost that has room beside a shorter one.
    ///
    /// - Parameter kept: How many facts have room beside a form of the name, and of how many.
    private func fittingName(columns: Int, kept: (String) -> (count: Int, all: Int)) -> String {
        let name = name
        // The short form is in the field's title, too, if there is one.
        let mayBeShort = !places.fieldTitle.isEmpty
        if columnWidth(of: name) <= columns {
            let kept = kept(name)
            if !mayBeShort || kept.count == kept.all { return name }
        }
        // Looked up only here, because that costs as much as drawing the rest of the title.
        let shortened = name.exchanging("TEMPERATURE", for: "TEMP")
        let fitting = [name, shortened].filter { columnWidth(of: $0) <= columns } + [shortName]
        guard mayBeShort else { return fitting[0] }
        let most = fitting.map { kept($0).count }.max() ?? 0
        return fitting.first { kept($0).count == most } ?? shortName
    }

    /// The title if there is no room for text below it: the missing measurement, and its duration.
    private func drawAbsenceTitle(in line: Area, on grid: inout Grid) {
        guard let missing = panel.missing else { return }
        let dot = scene.glyphs.dot
        let words = [
            "\(name) \(missing.word)\(dot)\(missing.shortTitle) \(missing.duration)",
            "\(shortName) \(missing.shortTitle) \(missing.duration)",
            "\(shortName) \(missing.word) \(missing.duration)",
            "\(shortName) \(missing.word) \(missing.time)", "\(shortName) \(missing.word)",
        ]
        let text = words.first { columnWidth(of: $0) + 2 <= line.columns } ?? shortName
        grid.put(" \(text) ", panel.nameStyle, in: line)
    }

    /// The columns for the required text beside name and value: the value under the cursor, or a doubt about the value.
    private func neededColumns(_ warnings: [String]) -> Int {
        let cursor = panel.cursorText(scene.screen)
        if !cursor.isEmpty { return columnWidth(of: cursor) + 6 }
        let doubts = (panel.isStale || panel.isManual ? [shortFreshness] : []) + warnings
        return doubts.isEmpty ? 0 : columnWidth(of: doubts, separator: scene.glyphs.dot) + 6
    }

    /// The freshness without its age, which a time shows, too: "manual 13:47".
    private var shortFreshness: String {
        panel.isManual ? String(panel.freshness.prefix { $0 != "," }) : Self.stale
    }

    /// The period of the trends, at the right end of the line.
    private func drawWindow(in line: inout Area, on grid: inout Grid) {
        guard let frame = scene.frame else { return }
        let isPast = scene.screen.trends.isPast
        let words = isPast ? historyText(frame, columns: line.columns) : "last \(scene.screen.trends.window.text)"
        let right = line.takeRight(columnWidth(of: words) + 2)
        grid.put(" \(words) ", isPast ? Style(.plain, [.bold, .reverse]) : .faint, in: right)
        _ = line.takeRight(1)
    }

    /// The period, with dates if it is not today and they fit.
    private func historyText(_ frame: TrendFrame, columns: Int) -> String {
        let dash = scene.glyphs.dash
        // The last column reaches beyond the present; no shown time does.
        let end = min(frame.end, scene.now)
        let dated = scene.time.range(from: frame.start, to: end, dash: dash)
        let clocks = "\(scene.time.clock(frame.start))\(dash)\(scene.time.clock(end))"
        let title = scene.frozenText ?? "HISTORY"
        return "\(title) \(columnWidth(of: title + dated) + 3 <= columns / 2 ? dated : clocks)"
    }

    /// The name with its mark.
    private var name: String {
        let title = panel.role == .heartRate ? "\(panel.heart(scene.glyphs)) \(panel.title)" : panel.title
        return panel.marks.isEmpty ? title : "\(panel.marks) \(title)"
    }

    private var shortName: String { panel.marks.isEmpty ? panel.shortTitle : "\(panel.marks) \(panel.shortTitle)" }

    /// Source, freshness and remarks as pieces of the rule, the most important kept longest.
    private func facts(columns: Int) -> [Segment] {
        let gap = columnWidth(of: scene.glyphs.dot)
        let kept = Segment.fitting(titleFacts(columns: columns), gap: gap, columns: columns)
        guard !kept.isEmpty else { return [] }
        var result = [Segment(" ", .plain, rank: 0)]
        for (index, piece) in kept.enumerated() {
            if index > 0 { result.append(Segment(scene.glyphs.dot, .faint, rank: 0)) }
            result.append(piece)
        }
        return result + [Segment(" ", .plain, rank: 0)]
    }

    /// How many of these pieces there is room for, and how many there are.
    private func keptFacts(columns: Int) -> (count: Int, all: Int) {
        let kept = Segment.fitting(
            titleFacts(columns: columns), gap: columnWidth(of: scene.glyphs.dot), columns: columns)
        return (kept.count, titleFacts(columns: 1000).count)
    }

    /// Everything that belongs into the title, in the words for a width.
    private func titleFacts(columns: Int) -> [Segment] {
        let gap = columnWidth(of: scene.glyphs.dot)
        // Source and age are below the number, if there is a row.
        let isNamed = places.fieldTitle.isEmpty || places.facts.isEmpty
        var pieces = isNamed ? freshnessFacts(columns: columns) : []
        let warnings = panel.warnings.map { Segment($0, .strong, rank: 0) }
        let doubts = pieces.filter { $0.rank == 0 } + warnings
        pieces +=
            Segment.width(of: doubts, gap: gap) <= columns
            ? warnings : panel.shortWarnings.map { Segment($0, .strong, rank: 0) }
        let beside = companionBeside?.text
        func remarks(_ comments: [String]) -> [Segment] {
            pieces
                + comments.filter { $0 != beside }.enumerated().map {
                    Segment($1, panel.feverTexts.contains($1) ? .faint : .plain, rank: 3 + $0)
                }
        }
        let leastName = isNamed && !panel.source.isEmpty ? Self.leastNameColumns + gap : 0
        // Without its name, the shortest text would look like a part of the value.
        let shorter = panel.feverTexts.dropFirst().dropLast().map { panel.comments(feverText: $0) }
        let whole = [panel.comments] + shorter
        let last = whole[whole.count - 1]
        // Of what does not fit, the end is left out rather than the beginning.
        let parts = whole + (0..<last.count).reversed().map { Array(last.prefix($0)) }
        let others =
            parts.lazy.map(remarks).first { Segment.width(of: $0, gap: gap) + leastName <= columns } ?? remarks([])
        guard leastName > 0 else { return others }
        let room = columns - gap - Segment.width(of: others, gap: gap)
        let nameColumns = max(Self.leastNameColumns, min(24, room))
        return [Segment(ellipsizedName(panel.source, columns: nameColumns, glyphs: scene.glyphs), .plain, rank: 2)]
            + others
    }

    /// The columns that a source's name needs to be recognised.
    private static let leastNameColumns = 7

    /// The age of the value.
    private func freshnessFacts(columns: Int) -> [Segment] {
        var pieces: [Segment] = []
        if panel.isStale {
            let isWhole = columnWidth(of: panel.freshness) <= columns - 2
            pieces.append(Segment(isWhole ? panel.freshness : Self.stale, .strong, rank: 0))
        } else if panel.isManual, columnWidth(of: panel.freshness) > columns - 2 {
            pieces.append(Segment(shortFreshness, .faint, rank: 0))
        } else if !panel.freshness.isEmpty {
            pieces.append(Segment(panel.freshness, .faint, rank: 1))
        }
        return pieces
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
    private func summary(columns: Int) -> [String] {
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
