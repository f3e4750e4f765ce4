import Appearance
import Base
import Monitoring
import TextGrid
import Vitals
import Wording

/// The line above a vital: its name, what is wrong with it, its facts and the range of its trend.
extension VitalView {
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
    func drawTitle(isFirst: Bool, in line: Area, on grid: inout Grid) {
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
    var shortFreshness: String {
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
    var name: String {
        let title = panel.role == .heartRate ? "\(panel.heart(scene.glyphs)) \(panel.title)" : panel.title
        return panel.marks.isEmpty ? title : "\(panel.marks) \(title)"
    }

    var shortName: String { panel.marks.isEmpty ? panel.shortTitle : "\(panel.marks) \(panel.shortTitle)" }

    /// Source, freshness and remarks as pieces of the rule, the most important kept longest.
    func facts(columns: Int) -> [Segment] {
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
}
