import Appearance
import Base
import Monitoring
import TextGrid
import Vitals
import Wording

extension ScreenState.Page {
    static let log = ScreenState.Page(AlarmLogPage.self)
}

/// The page of the alarm log: what became of alarms, and what people did about them, the newest first.
struct AlarmLogPage: ScreenPage {
    static let context = KeyContext.log
    static let opener = Command.showLog

    /// The shown entries.
    private(set) var filter = AlarmLogFilter()
    /// The number of entries, the newest first, that are scrolled past.
    private(set) var top = 0
    /// The visible rows.
    private(set) var rows = 0
    private var seen = 0

    func content(_ scene: Scene, in area: Area) -> any PageContent { AlarmLogContent(scene: scene, page: self) }

    func keyLabel(of command: Command, usual: String, _ scene: Scene) -> String? {
        command == .selectNext ? "scroll" : command == .pauseForCare ? nil : usual
    }

    mutating func move(_ move: ListMove, _ screen: inout ScreenState, in state: MonitorState) -> Bool {
        let before = top
        top = move.place(from: top, page: max(1, rows - 1), last: lastTop(in: screen.session.log))
        return top != before
    }

    mutating func handle(
        _ command: Command, _ screen: inout ScreenState, in state: MonitorState, at now: Moment
    ) -> Handling {
        switch command {
        case .filterLog: screen.dialogs.ask(.logFilter(TextPrompt("Filter", text: filter.text, limit: 40)))
        case .nextLogSubject: nextSubject()
        case .nextLogPriority: nextPriority()
        default: return .passed
        }
        return .handled()
    }

    private func lastTop(in log: AlarmLog) -> Int { max(0, log.filtered(filter).count - max(1, rows)) }

    /// Keeps the same entries visible when newer ones arrive, unless the newest are visible.
    mutating func fit(_ screen: ScreenState, _ state: MonitorState, in area: Area, at now: Moment) {
        let log = screen.session.log
        rows = area.rows
        if top > 0, log.addedCount > seen {
            top += log.entries.suffix(log.addedCount - seen).count(where: filter.admits)
        }
        seen = log.addedCount
        if top > 0 { top = min(top, lastTop(in: log)) }
    }

    /// Shows only entries with a text.
    mutating func setText(_ text: String) {
        filter.text = text
        top = 0
    }

    /// Cycles through all entries, the patient, the equipment and actions.
    private mutating func nextSubject() {
        switch (filter.alarmClass, filter.isActionsOnly) {
        case (nil, false): filter.alarmClass = .physiological
        case (.physiological, _): filter.alarmClass = .technical
        case (.technical, _):
            filter.alarmClass = nil
            filter.isActionsOnly = true
            // Actions have no priority.
            filter.leastPriority = nil
        case (nil, true): filter.isActionsOnly = false
        }
        top = 0
    }

    /// Cycles through all priorities, medium and high, and high.
    private mutating func nextPriority() {
        filter.isActionsOnly = false
        filter.leastPriority =
            switch filter.leastPriority {
            case nil, .low: .medium
            case .medium: .high
            case .high: nil
            }
        top = 0
    }

    /// The text about omitted entries; empty when everything is shown.
    fileprivate func text(_ glyphs: GlyphSet) -> [String] {
        var words: [String] = []
        switch (filter.alarmClass, filter.isActionsOnly) {
        case (.physiological, _): words.append("patient")
        case (.technical, _): words.append("equipment")
        case (nil, true): words.append("what was done")
        case (nil, false): break
        }
        switch filter.leastPriority {
        case .medium: words.append("medium and high")
        case .high: words.append("high")
        case .low, nil: break
        }
        if !filter.text.isEmpty { words.append("/\(ellipsized(filter.text, columns: 20, glyphs: glyphs))") }
        return words
    }
}

/// The entries for which there is room.
private struct AlarmLogContent: PageContent {
    let scene: Scene
    let page: AlarmLogPage

    /// The title of the page: how many of how many entries, and the filter.
    var title: String {
        let count = scene.screen.session.log.filtered(page.filter).count
        let last = min(count, page.top + page.rows)
        let range = count == 0 ? "empty" : "\(page.top + 1)\(scene.glyphs.dash)\(max(last, page.top + 1)) of \(count)"
        return (["ALARM LOG \(range)"] + page.text(scene.glyphs)).joined(separator: scene.glyphs.dot)
    }

    /// Draws as many entries as there are rows.
    func draw(in area: Area, on grid: inout Grid) -> PageView.Extent {
        grid.rest(in: area)
        let entries = scene.screen.session.log.filtered(page.filter)
        guard !entries.isEmpty else {
            let isFiltered = page.filter != AlarmLogFilter()
            grid.put(isFiltered ? "No entries match." : "Nothing has happened yet.", .faint, in: area)
            return PageView.Extent(rows: 1)
        }
        for (row, entry) in entries.dropFirst(page.top).prefix(area.rows).enumerated() {
            AlarmLogRow(entry: entry, scene: scene).draw(in: area.line(row), on: &grid)
        }
        return PageView.Extent(
            rows: min(entries.count - page.top, area.rows),
            scroll: ScrollBar(top: page.top, shown: area.rows, total: entries.count))
    }
}

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
