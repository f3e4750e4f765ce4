import Appearance
import Base
import Monitoring
import TextGrid
import Vitals
import Wording

/// The alarm lines, the worst first; without alarms, one calm line that does not claim more than is known.
struct AlarmView {
    let scene: Scene

    /// Draws as many alarms as there are rows; the rest are counted, and named if there is a line for that.
    func draw(in area: Area, on grid: inout Grid) {
        guard !scene.alarms.isEmpty else {
            drawCalm(in: area, on: &grid)
            return
        }
        let hasSummary = scene.alarms.count > area.rows && area.rows >= 2
        let shown = hasSummary ? area.rows - 1 : area.rows
        let hidden = scene.alarms.dropFirst(shown)
        for (index, alarm) in scene.alarms.prefix(shown).enumerated() {
            draw(alarm, hidden: index == 0 && !hasSummary ? hidden : [], in: area.line(index), on: &grid)
        }
        if hasSummary { drawSummary(hidden, in: area.line(shown), on: &grid) }
    }

    private func draw(_ alarm: Alarm, hidden: ArraySlice<Alarm>, in line: Area, on grid: inout Grid) {
        let words = AlarmLabels(alarm, scene: scene)
        let style = AlarmLook.line(of: alarm, scene.state, at: scene.now)
        grid.fill(line, " ", style)
        let margin = line.columns >= 30 ? 1 : 0
        let inner = line.inset(left: margin, right: margin)
        let room = inner.columns
        // The key bar names the keys, too: facts about the alarm come before them if they fit.
        let gap = line.columns >= 40 ? 2 : 1
        let named = hidden.first.map { brief($0, hasName: false) } ?? ""
        let isNamed = line.columns >= 60 && words.leastColumns + gap + columnWidth(of: named) + 18 <= room
        let hints =
            line.columns >= 40
            ? self.hints(of: alarm, hidden: hidden, naming: isNamed ? named : "", columns: line.columns)
            : [hidden.isEmpty ? "" : "+\(hidden.count)"]
        let least = hints.last.map { $0.isEmpty ? 0 : columnWidth(of: $0) + gap } ?? 0
        let facts = words.line(columns: room - least, glyphs: scene.glyphs)
        let hint =
            hints.first { $0.isEmpty || columnWidth(of: facts) + gap + columnWidth(of: $0) <= room } ?? hints.last
        grid.put(facts, style, in: inner)
        grid.putRight(hint ?? "", style, in: inner)
        mark(alarm, in: line, on: &grid)
    }

    /// Gives the marks at the beginning of an alarm's line their style.
    ///
    /// - Parameters:
    ///   - line: Its line, which begins with a margin where there is one.
    private func mark(_ alarm: Alarm, in line: Area, on grid: inout Grid) {
        let margins = line.columns >= 30 ? 2 : 0
        let columns = columnWidth(of: scene.glyphs.marks(of: alarm.priority)) + margins
        let style = AlarmLook.mark(of: alarm, scene.state, at: scene.now)
        grid.restyle(line.prefix(columns)) { _ in style }
    }

    /// The number of alarms without a row, and the key to acknowledge: in full, and short.
    ///
    /// - Parameter name: The worst of these, if there is room for it.
    private func hints(of alarm: Alarm, hidden: ArraySlice<Alarm>, naming name: String, columns: Int) -> [String] {
        let isAcknowledged = alarm.acknowledgedAt != nil
        let isNewHidden = hidden.contains { $0.acknowledgedAt == nil }
        let first = name.isEmpty ? "" : ": \(name)"
        let count = hidden.isEmpty ? "" : "+\(hidden.count) \(isAcknowledged && isNewHidden ? "new" : "more")\(first)"
        if isAcknowledged, !isNewHidden { return [count.isEmpty ? "acknowledged" : "\(count)  acknowledged"] }
        let gap = count.isEmpty ? "" : "  "
        let key = "[\(scene.screen.keys.name(of: .acknowledge))]"
        return (columns >= 60 ? ["\(count)\(gap)\(key) acknowledge"] : []) + ["\(count)\(gap)\(key)"]
    }

    /// A line for the other alarms: "+2 more: LINK LOST e-Oximeter · BATTERY LOW CORE".
    ///
    /// They have the order of the lines, so that the marks at the beginning belong to the first one.
    private func drawSummary(_ hidden: ArraySlice<Alarm>, in line: Area, on grid: inout Grid) {
        guard let worst = hidden.first else { return }
        let style = AlarmLook.line(of: worst, scene.state, at: scene.now)
        grid.fill(line, " ", style)
        let inner = line.inset(left: 1, right: 1)
        let marks = scene.glyphs.marks(of: worst.priority)
        let beginning = "\(marks) +\(hidden.count) more: "
        let room = inner.columns - columnWidth(of: beginning)
        // Each with its value; names of sensors are omitted in favour of further alarms.
        let forms = [true, false].map { hasNames in hidden.map { brief($0, hasName: hasNames) } }
        let names =
            forms.first { columnWidth(of: $0, separator: scene.glyphs.dot) <= room } ?? forms.last ?? []
        let named = fitted(names, separator: scene.glyphs.dot, columns: room, glyphs: scene.glyphs)
        grid.put(beginning + named, style, in: inner)
        mark(worst, in: line, on: &grid)
    }

    /// An alarm without a separate line: "HR HIGH 152 bpm", "over SpO₂ LOW lowest 84 %", "BATTERY LOW 9 % CORE".
    ///
    /// A technical alarm always has the name of its sensor.
    private func brief(_ alarm: Alarm, hasName: Bool) -> String {
        let words = AlarmLabels(alarm, scene: scene)
        let tick = alarm.acknowledgedAt == nil ? "" : "\(scene.glyphs.tick) "
        let name = hasName || alarm.alarmClass == .technical ? alarm.sensor.map { sanitized($0.name, limit: 24) } : nil
        // Before the name, which may be truncated.
        let title = tick + (words.standing.last.map { "\($0) " } ?? "") + (hasName ? words.title : words.shortTitle)
        return ([title] + words.numbers.prefix(1) + [name].compactMap { $0 }).joined(separator: " ")
    }

    private func drawCalm(in area: Area, on grid: inout Grid) {
        let line = area.line(0)
        let margin = line.columns >= 30 ? 1 : 0
        let inner = line.inset(left: margin, right: margin)
        if let trouble = scene.trouble {
            let isMissed = scene.sensors.contains(where: \.isWanted)
            let style = isMissed ? Style(.alarmMedium, [.bold, .reverse]) : Style(.alarmLow, .bold)
            if isMissed { grid.fill(line, " ", style) }
            let text = fitted(
                ["\(scene.glyphs.alarm) \(trouble.title)", trouble.remedy], separator: scene.glyphs.dot,
                columns: inner.columns, glyphs: scene.glyphs)
            grid.put(text, style, in: inner)
            return
        }
        let text = fitted(calmText, separator: scene.glyphs.dot, columns: inner.columns, glyphs: scene.glyphs)
        // On wide screens the first line has them.
        let bandText = line.columns < HeaderView.columnsForBands ? scene.bandText : ""
        let notes = feverNotes(line)
        // The note comes before the bands, in a text that contains its name.
        let left = columnWidth(of: text + (notes.prefix(3).last ?? "")) + 4
        func fits(_ words: String) -> Bool { left + columnWidth(of: words) <= inner.columns }
        let shortened = fits(bandText) ? bandText : bandText.exchanging(" parameters", for: "")
        let bands = fits(shortened) ? shortened : ""
        grid.putRight(bands, .faint, in: inner)
        let room = inner.columns - (bands.isEmpty ? 0 : columnWidth(of: bands) + 4)
        let note = notes.first { columnWidth(of: text + $0) <= room } ?? ""
        // A missing measurement is a warning before it is an alarm.
        let isMissed = scene.panels.contains { $0.missing?.isBanner == true }
        grid.put(text + note, isMissed ? Style(.alarmLow, .bold) : .faint, in: inner)
    }

    /// The remark that the one-hour fever rule cannot evaluate yet, from the longest text to the shortest; empty if the
    /// vital's panel has space for it.
    private func feverNotes(_ line: Area) -> [String] {
        guard line.columns < 100,
            scene.panels.contains(where: { $0.vital == .bodyTemperature && $0.missing == nil })
        else { return [] }
        let texts = FeverRemarks.notEvaluatedTexts(scene.state)
        return texts.map { scene.glyphs.dot + $0 } + texts.suffix(1).map { ", \($0)" }
    }

    /// The text without alarms, with the vitals that could not raise any because they are not measured.
    private var calmText: [String] {
        let missed = scene.panels.filter { $0.missing?.isBanner == true }
        if !missed.isEmpty {
            let names = missed.map { "\($0.shortTitle) \($0.missing?.shortTitle ?? "")" }
            return ["\(scene.glyphs.alarm) NOT MEASURED: \(names.joined(separator: ", "))", "no alarm yet"]
        }
        let missing = scene.panels.filter { $0.missing != nil }
        if missing.isEmpty { return ["No alarms"] }
        // The oximeter's pulse is measured even without a heart rate.
        if missing.count < scene.panels.count || scene.state.vitals.contains(where: \.condition.isMeasured) {
            return ["No alarms", "not measured: \(missing.map(\.shortTitle).joined(separator: ", "))"]
        }
        let nothing = "Nothing is measured"
        if missing.contains(where: { $0.missing?.last != nil }) { return [nothing] }
        if scene.sensors.contains(where: \.isWanted) { return [nothing, "no value has come yet"] }
        return scene.sensors.isEmpty
            ? [nothing] : [nothing, "select a sensor and press \(scene.screen.keys.name(of: .connect))"]
    }
}
