import Appearance
import Monitoring
import TextGrid
import Vitals
import Wording

/// One line of the alarm log: time, priority, change.
struct AlarmLogRow {
    let entry: AlarmLogEntry
    let scene: Scene
    /// Whether it is only a reminder of the past, not a current alarm.
    var isQuiet = false

    /// Draws into the first row of an area.
    func draw(in line: Area, on grid: inout Grid) {
        let (date, time) = scene.time.dateAndTime(entry.moment.wallMilliseconds)
        var rest = line
        let day = date.count < 6 ? " \(date)" : date
        let stamp = line.columns >= 60 ? "\(day) \(time)" : line.columns >= 36 ? time : String(time.prefix(5))
        grid.put(stamp, .faint, in: rest.takeLeft(stamp.count + 1))
        let (mark, word, text, style) = words
        grid.put(mark, style, in: rest.takeLeft(4))
        if rest.columns >= 50 {
            grid.put(word, entry.isEndOfEpisode == true ? .faint : .plain, in: rest.takeLeft(14))
            grid.put(ellipsized(text, columns: rest.columns, glyphs: scene.glyphs), .plain, in: rest)
        } else {
            grid.put(ellipsized("\(word): \(text)", columns: rest.columns, glyphs: scene.glyphs), .plain, in: rest)
        }
        if isQuiet { grid.restyle(line) { _ in .faint } }
    }

    private var words: (mark: String, word: String, text: String, style: Style) {
        let glyphs = scene.glyphs
        switch entry.content {
        case .change(let change):
            return (
                glyphs.marks(of: change.priority), change.state.text, text(of: change),
                Style(change.priority.role, .bold)
            )
        case .action(let action):
            let until = action.untilWallMilliseconds.map { " until \(scene.time.dateAndTime($0).time)" } ?? ""
            let word = action.actor == .user ? "you" : "program"
            return (glyphs.person, word, glyphs.fit(action.text) + until, .strong)
        }
    }

    /// The line of the log, with the value in the user's unit.
    private func text(of change: AlarmLogEntry.Change) -> String {
        let text = scene.glyphs.fit(change.text)
        guard scene.screen.temperatureUnit == .fahrenheit, let vital = change.vital, vital.isTemperature,
            let value = change.value
        else { return text }
        let limit = change.limit.flatMap { change.kind?.relation?.boundary($0) }
        let digits = scene.valueText.digits(
            change.state == .ended ? change.peak ?? value : value, of: vital,
            limits: scene.state.boundaries(of: vital) + [limit].compactMap { $0 })
        return "\(text) (\(digits) \(vital.unitText(scene.screen.units, scene.glyphs)))"
    }
}

extension AlarmLogEntry.State {
    /// The state in a word or two.
    var text: String {
        switch self {
        case .active: "alarm"
        case .suspended: "suspended"
        case .acknowledged: "acknowledged"
        case .alertedAgain: "alerts again"
        case .ended: "ended"
        case .putAway: "put away"
        case .interrupted: "interrupted"
        case .unanswered: "unanswered"
        }
    }
}
