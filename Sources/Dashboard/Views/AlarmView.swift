import Monitoring
import Vitals

/// The alarm lines, the worst first; without alarms, one calm line that does not claim more than is known.
struct AlarmView {
    let scene: Scene

    /// Draws as many alarms as there are rows.
    func draw(in area: Area, on grid: inout Grid) {
        guard !scene.alarms.isEmpty else {
            drawCalm(in: area, on: &grid)
            return
        }
        for (index, alarm) in scene.alarms.prefix(area.rows).enumerated() {
            let hidden = index == 0 ? scene.alarms.dropFirst(area.rows) : []
            draw(alarm, hidden: hidden, in: area.line(index), on: &grid)
        }
    }

    private func draw(_ alarm: Alarm, hidden: ArraySlice<Alarm>, in line: Area, on grid: inout Grid) {
        let words = AlarmWords(alarm, screen: scene.screen, time: scene.time, trouble: scene.trouble)
        let isAcknowledged = alarm.acknowledgedAt != nil
        let style = isAcknowledged ? Style(words.role, .bold) : Style(words.role, [.bold, .reverse])
        grid.fill(line, " ", style)
        let margin = line.columns >= 30 ? 1 : 0
        var inner = line.inset(left: margin, right: margin)
        let hint = self.hint(isAcknowledged: isAcknowledged, hidden: hidden, columns: line.columns)
        if line.columns >= 40 {
            let right = inner.takeRight(columnWidth(of: hint))
            grid.put(hint, style, in: right)
            _ = inner.takeRight(2)
        }
        var text = "\(words.marks) \(words.title)"
        for number in words.numbers {
            guard columnWidth(of: text) + 1 + columnWidth(of: number) <= inner.columns else { break }
            text += " \(number)"
        }
        let whole = fitted(
            [text] + words.facts, separator: scene.glyphs.dot, columns: inner.columns, glyphs: scene.glyphs)
        grid.put(whole, style, in: inner)
    }

    /// How many alarms there is no row for, and the key for what is not acknowledged yet.
    private func hint(isAcknowledged: Bool, hidden: ArraySlice<Alarm>, columns: Int) -> String {
        let isNewHidden = hidden.contains { $0.acknowledgedAt == nil }
        let count = hidden.isEmpty ? "" : "+\(hidden.count) \(isAcknowledged && isNewHidden ? "new" : "more")  "
        guard !isAcknowledged || isNewHidden else { return "\(count)acknowledged" }
        return "\(count)\(columns >= 60 ? "[a] acknowledge" : "[a]")"
    }

    private func drawCalm(in area: Area, on grid: inout Grid) {
        let line = area.line(0)
        let margin = line.columns >= 30 ? 1 : 0
        let inner = line.inset(left: margin, right: margin)
        if let trouble = scene.trouble {
            let isMissed = scene.sensors.contains(where: \.isWanted)
            let style = Style(isMissed ? .alarmMedium : .alarmLow, [.bold, .reverse])
            grid.fill(line, " ", style)
            let text = fitted(
                ["\(scene.glyphs.alarm) \(trouble.title)", trouble.remedy], separator: scene.glyphs.dot,
                columns: inner.columns, glyphs: scene.glyphs)
            grid.put(text, style, in: inner)
            return
        }
        let text = fitted(calmWords, separator: scene.glyphs.dot, columns: inner.columns, glyphs: scene.glyphs)
        grid.put(text, .faint, in: inner)
    }

    /// That there are no alarms, and what could not raise any because it is not measured.
    private var calmWords: [String] {
        let missing = scene.panels.filter { $0.missing != nil }
        if missing.isEmpty { return ["No alarms"] }
        // The oximeter's pulse, for one, is measured even when the place of the heart rate has none.
        if missing.count < scene.panels.count || scene.state.vitals.contains(where: \.condition.isMeasured) {
            return ["No alarms", "not measured: \(missing.map(\.shortTitle).joined(separator: ", "))"]
        }
        let nothing = "Nothing is measured"
        if missing.contains(where: { $0.missing?.last != nil }) { return [nothing] }
        if scene.sensors.contains(where: \.isWanted) { return [nothing, "no value has come yet"] }
        return scene.sensors.isEmpty ? [nothing] : [nothing, "select a sensor and press Enter"]
    }
}
