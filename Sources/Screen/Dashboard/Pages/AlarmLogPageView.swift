import Monitoring
import TextGrid

/// The page of the alarm log: a line for every change of an alarm and every answer, the newest first.
struct AlarmLogPageView {
    let scene: Scene

    /// The title of the page: how many of how many entries, and the filter.
    var title: String {
        let view = scene.screen.pages.logView
        let count = scene.screen.session.log.filtered(view.filter).count
        let last = min(count, view.top + view.rows)
        let range = count == 0 ? "empty" : "\(view.top + 1)\(scene.glyphs.dash)\(max(last, view.top + 1)) of \(count)"
        return (["ALARM LOG \(range)"] + view.text(scene.glyphs)).joined(separator: scene.glyphs.dot)
    }

    /// Draws as many entries as there are rows.
    func draw(in area: Area, on grid: inout Grid) -> PageView.Extent {
        grid.rest(in: area)
        let view = scene.screen.pages.logView
        let entries = scene.screen.session.log.filtered(view.filter)
        guard !entries.isEmpty else {
            let isFiltered = view.filter != AlarmLogFilter()
            grid.put(isFiltered ? "No entries match." : "Nothing has happened yet.", .faint, in: area)
            return PageView.Extent(rows: 1)
        }
        for (row, entry) in entries.dropFirst(view.top).prefix(area.rows).enumerated() {
            AlarmLogRow(entry: entry, scene: scene).draw(in: area.line(row), on: &grid)
        }
        return PageView.Extent(
            rows: min(entries.count - view.top, area.rows),
            scroll: ScrollBar(top: view.top, shown: area.rows, total: entries.count))
    }
}
