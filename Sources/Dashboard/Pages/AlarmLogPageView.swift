import Monitoring
import Vitals

/// The page of the alarm log: a line for every change of an alarm and every answer, the newest first.
struct AlarmLogPageView {
    let scene: Scene

    /// The title of the page: which of how many entries, and what is left out.
    var title: String {
        let view = scene.screen.logView
        let count = scene.screen.log.filtered(view.filter).count
        let last = min(count, view.top + view.rows)
        let range = count == 0 ? "empty" : "\(view.top + 1)\(scene.glyphs.dash)\(max(last, view.top + 1)) of \(count)"
        return (["ALARM LOG \(range)"] + view.words(scene.glyphs)).joined(separator: scene.glyphs.dot)
    }

    /// Draws as many entries as there are rows.
    func draw(in area: Area, on grid: inout Grid) {
        grid.rest(in: area)
        let view = scene.screen.logView
        let entries = scene.screen.log.filtered(view.filter)
        guard !entries.isEmpty else {
            let isFiltered = view.filter != AlarmLogFilter()
            grid.put(isFiltered ? "No such entry." : "Nothing has happened yet.", .faint, in: area)
            return
        }
        for (row, entry) in entries.dropFirst(view.top).prefix(area.rows).enumerated() {
            draw(entry, in: area.line(row), on: &grid)
        }
    }

    private func draw(_ entry: AlarmLogEntry, in line: Area, on grid: inout Grid) {
        let (date, time) = scene.time.dateAndTime(entry.moment.wallMilliseconds)
        var rest = line
        let stamp = line.columns >= 60 ? "\(date) \(time)" : line.columns >= 36 ? time : String(time.prefix(5))
        grid.put(stamp, .faint, in: rest.takeLeft(stamp.count + 1))
        let (mark, word, text, style) = words(of: entry)
        grid.put(mark, style, in: rest.takeLeft(4))
        if rest.columns >= 50 {
            grid.put(word, entry.isEndOfEpisode == true ? .faint : .plain, in: rest.takeLeft(14))
            grid.put(ellipsized(text, columns: rest.columns, glyphs: scene.glyphs), .plain, in: rest)
        } else {
            grid.put(ellipsized("\(word): \(text)", columns: rest.columns, glyphs: scene.glyphs), .plain, in: rest)
        }
    }

    private func words(of entry: AlarmLogEntry) -> (mark: String, word: String, text: String, style: Style) {
        let glyphs = scene.glyphs
        switch entry.content {
        case .change(let change):
            return (
                AlarmWords.marks(of: change.priority, glyphs: glyphs), change.state.words, text(of: change),
                Style(change.priority.role, .bold)
            )
        case .action(let action):
            let until = action.untilWallMilliseconds.map { " until \(scene.time.dateAndTime($0).time)" } ?? ""
            let word = action.actor == .user ? "you" : "program"
            return (glyphs.person, word, glyphs.fit(action.text) + until, .strong)
        }
    }

    /// The line of the log, with the value in the unit that is shown beside it.
    private func text(of change: AlarmLogEntry.Change) -> String {
        let text = scene.glyphs.fit(change.text)
        guard scene.screen.temperatureUnit == .fahrenheit, let vital = change.vital, vital.isTemperature,
            let value = change.value
        else { return text }
        let digits = scene.valueText.digits(value, of: vital, limits: change.limit.map { [$0] } ?? [])
        return "\(text) (\(digits) \(vital.unitText(scene.screen)))"
    }
}

extension AlarmLogEntry.State {
    /// The state in a word or two.
    var words: String {
        switch self {
        case .active: "alarm"
        case .suspended: "suspended"
        case .acknowledged: "acknowledged"
        case .alertedAgain: "alerts again"
        case .ended: "ended"
        case .putAway: "put away"
        case .interrupted: "interrupted"
        }
    }
}
