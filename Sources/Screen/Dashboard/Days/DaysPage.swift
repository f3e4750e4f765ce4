import Appearance
import Base
import Monitoring
import TextGrid
import Vitals
import Wording

extension ScreenState.Page {
    static let days = ScreenState.Page(DaysPage.self)
}

extension ScreenState {
    /// Whether the page of the last days is open, so that the store has to be read for it.
    public var showsDays: Bool { pages.current == .days }
}

/// The page of the last days at a glance.
///
/// It remembers nothing: what it shows is the screen's ``DaysView``, which the program reads from the store.
struct DaysPage: ScreenPage {
    static let context = KeyContext.days
    static let opener = Command.showDays

    func content(_ scene: Scene, in area: Area) -> any PageContent { DaysContent(scene: scene) }

    func keyLabel(of command: Command, usual: String, _ scene: Scene) -> String? {
        switch command {
        case .selectNext: scene.screen.days.graphs.count > 1 ? "graphs" : nil
        case .openDay, .previousDay: scene.screen.days.overview == nil ? nil : usual
        case .pauseForCare: nil
        default: usual
        }
    }

    mutating func move(_ move: ListMove, _ screen: inout ScreenState, in state: MonitorState) -> Bool {
        let (before, last) = (screen.days.top, screen.days.graphs.count - 1)
        if last < 1 {
            screen.dialogs.message = "There are no more graphs."
            return false
        }
        screen.days.top = move.place(from: before, page: 5, last: last)
        return screen.days.top != before
    }

    mutating func handle(
        _ command: Command, _ screen: inout ScreenState, in state: MonitorState, at now: Moment
    ) -> Handling {
        guard [.previousDay, .nextDay, .openDay].contains(command) else { return .passed }
        guard let day = screen.days.day else {
            screen.dialogs.message = "There are no days to read yet."
            return .handled()
        }
        if command == .openDay {
            open(day, &screen, at: now)
        } else if !screen.days.move(by: command == .nextDay ? 1 : -1) {
            screen.dialogs.message = command == .nextDay ? "This is today." : "This is the first of the days."
        }
        return .handled()
    }

    /// Shows a day in the trends, from the store.
    private func open(_ day: PatientOverview.Day, _ screen: inout ScreenState, at now: Moment) {
        screen.pages.show(nil)
        screen.trends.show(day.range, now: now)
        let time = TimeText(now: now, timeZoneOffset: screen.session.timeZoneOffset)
        screen.dialogs.message =
            screen.trends.cells == 0
            ? "There is no room for trends here."
            : "The trends show \(time.fullDate(day.middle)); Esc shows now again."
    }
}

extension PatientOverview.Day {
    /// The middle of the day, whose date is the same with any offset of the day.
    var middle: Int64 {
        range.lowerBound.addingSaturated(range.upperBound.subtractingSaturated(range.lowerBound) / 2)
    }
}

/// Graphs of bars on one axis of days, medication and symptoms below it, and the day under the cursor in words.
private struct DaysContent: PageContent {
    let scene: Scene
    let title = "THE LAST \(DaysView.count) DAYS"
    private var view: DaysView { scene.screen.days }

    /// Draws as many graphs as fit.
    func draw(in area: Area, on grid: inout Grid) -> PageView.Extent {
        grid.rest(in: area)
        guard let overview = view.overview, !overview.isEmpty || view.reading == .reading else {
            return say(emptyText, in: area, on: &grid)
        }
        guard !overview.isEmpty else { return say("Reading the record\(scene.glyphs.ellipsis)", in: area, on: &grid) }
        let marks = DayMarks(scene: scene, overview: overview)
        let fewest = DayGraph.fewestRows + 1 + 1
        guard area.rows >= fewest, let axis = DayAxis(overview, columns: area.columns, glyphs: scene.glyphs) else {
            // If nothing fits, the text remains.
            return drawWords(of: overview, lines: area.rows, in: area, on: &grid)
        }
        var rest = area
        // The same number for all days, so that the graphs do not move.
        let words = overview.days.map { self.words(of: $0, overview, columns: area.columns).count }.max() ?? 1
        let lines = min(words, 8, max(1, area.rows - DayGraph.fewestRows - 1 - marks.rows))
        _ = drawWords(of: overview, lines: lines, in: rest.takeBottom(lines), on: &grid)
        let hasMarks = rest.rows >= DayGraph.fewestRows + 1 + marks.rows
        if hasMarks { marks.draw(axis, in: rest.takeBottom(marks.rows), on: &grid) }
        drawDates(of: overview, axis, in: rest.takeBottom(1), on: &grid)
        let graphs = view.graphs
        guard !graphs.isEmpty else {
            grid.put(fitted("No vital was measured.", rest.columns), .faint, in: rest)
            return PageView.Extent(rows: area.rows)
        }
        let count = min(graphs.count, max(1, rest.rows / DayGraph.fewestRows))
        let top = min(view.top, graphs.count - count)
        let height = min(12, rest.rows / count)
        for content in graphs[top..<top + count] {
            DayGraph(scene: scene, overview: overview, axis: axis, content: content)
                .draw(in: rest.takeTop(height), on: &grid)
        }
        return PageView.Extent(rows: area.rows, scroll: ScrollBar(top: top, shown: count, total: graphs.count))
    }

    /// Why there are no days.
    private var emptyText: String {
        switch view.reading {
        case .reading: "Reading the record\(scene.glyphs.ellipsis)"
        case .failed: "The record cannot be read."
        case .idle: "Nothing was recorded in the last \(DaysView.count) days."
        case .unavailable:
            if let monitor = scene.screen.session.viewedMonitor {
                "This is a view of \(monitor), which keeps the record. bedside report prints these days there."
            } else if scene.screen.session.replay != nil {
                "A replay has no days of its own; bedside report prints those of the record."
            } else {
                "Nothing is recorded, so there are no days to show."
            }
        }
    }

    private func say(_ text: String, in area: Area, on grid: inout Grid) -> PageView.Extent {
        let lines = wrapped(scene.glyphs.fit(text), columns: area.columns, glyphs: scene.glyphs).prefix(area.rows)
        for (row, line) in lines.enumerated() { grid.put(line, .faint, in: area.line(row)) }
        return PageView.Extent(rows: max(1, lines.count))
    }

    private func fitted(_ text: String, _ columns: Int) -> String {
        ellipsized(scene.glyphs.fit(text), columns: columns, glyphs: scene.glyphs)
    }

    /// The dates below the graphs; the one under the cursor is marked.
    private func drawDates(of overview: PatientOverview, _ axis: DayAxis, in area: Area, on grid: inout Grid) {
        let time = scene.time
        if view.reading == .reading { grid.put(fitted("reading", DayAxis.labelColumns - 1), .faint, in: area) }
        for (index, day) in overview.days.enumerated() {
            let date = time.dateAndTime(day.middle).date
            let number = String(date.prefix { $0 != " " })
            let text = date.count < axis.dayColumns ? date : number
            let place = Area(
                column: area.column + axis.start(ofDay: index), row: area.row, columns: axis.dayColumns, rows: 1)
            guard index == view.place else {
                grid.put(text, .faint, in: place)
                continue
            }
            // The day is marked without colours, too.
            let marked = ["[\(text)]", "[\(number)]"].first { $0.count <= place.columns }
            grid.put(marked ?? scene.glyphs.pointer + number, .selected, in: place)
        }
    }

    private func words(of day: PatientOverview.Day, _ overview: PatientOverview, columns: Int) -> [String] {
        let text = DayWords(scene: scene, overview: overview).parts(of: day).joined(separator: "; ")
        return wrapped(scene.glyphs.fit(text), columns: columns, glyphs: scene.glyphs)
    }

    /// The day under the cursor in words, cut after some lines.
    private func drawWords(
        of overview: PatientOverview, lines: Int, in area: Area, on grid: inout Grid
    ) -> PageView.Extent {
        guard let day = view.day, lines > 0 else { return PageView.Extent(rows: area.rows) }
        var shown = words(of: day, overview, columns: area.columns)
        if shown.count > lines {
            // The following line makes it too long, so that it ends with an ellipsis.
            let rest = shown[(lines - 1)...].joined(separator: " ")
            shown = shown.prefix(lines - 1) + [ellipsized(rest, columns: area.columns, glyphs: scene.glyphs)]
        }
        for (row, line) in shown.enumerated() { grid.put(line, row == 0 ? .strong : .plain, in: area.line(row)) }
        grid.rest(in: area)
        return PageView.Extent(rows: area.rows)
    }
}

/// The content of the page of the last days, and the day under its cursor.
public struct DaysView: Hashable, Sendable {
    /// The days read from the store; `nil` before the first answer.
    public var overview: PatientOverview?
    /// Whether they are being read.
    public var reading = Reading.idle
    /// The first millisecond of the day under the cursor; `nil` for today, also if the day is no longer shown.
    var cursor: Int64?
    /// The number of graphs scrolled past.
    var top = 0

    /// Whether the days are being read.
    public enum Reading: Hashable, Sendable {
        /// Not reading: all known days are shown.
        case idle
        /// Reading.
        case reading
        /// Reading failed.
        case failed
        /// There is no store to read from.
        case unavailable
    }

    /// The number of days.
    public static let count = 14

    public init() {}

    /// The number of the day under the cursor.
    var place: Int {
        guard let days = overview?.days, !days.isEmpty else { return 0 }
        return days.firstIndex { $0.range.lowerBound == cursor } ?? days.count - 1
    }

    /// The day under the cursor.
    var day: PatientOverview.Day? {
        guard let days = overview?.days, days.indices.contains(place) else { return nil }
        return days[place]
    }

    /// Moves the cursor by days; returns whether it could.
    mutating func move(by step: Int) -> Bool {
        guard let days = overview?.days, days.indices.contains(place + step) else { return false }
        cursor = days[place + step].range.lowerBound
        return true
    }

    /// The graphs: each measured vital, the most important for a fever first, and the neutrophils.
    var graphs: [DayGraph.Content] {
        guard let overview else { return [] }
        var graphs = overview.vitals.map { DayGraph.Content.vital($0) }
        if overview.valid.contains(where: { $0.neutrophilCount != nil }) {
            graphs.insert(.neutrophils, at: min(1, graphs.count))
        }
        return graphs
    }
}
