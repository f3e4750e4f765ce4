import Appearance
import Monitoring
import TextGrid
import Vitals
import Wording

/// The page of the last days: graphs of bars on one axis of days, medication and symptoms below it, and the day under
/// the cursor as text.
struct DaysPageView {
    let scene: Scene
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
