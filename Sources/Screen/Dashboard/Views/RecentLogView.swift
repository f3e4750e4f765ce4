import Appearance
import Base
import Monitoring
import TextGrid

/// The newest lines of the alarm log in the empty part of a long list of sensors.
///
/// They are faint, so that the past does not look like the present.
struct RecentLogView {
    let scene: Scene

    /// The least number of rows, including the blank one and the title.
    static let leastRows = 5

    /// Draws a blank row, a title and the newest entries; nothing without space or entries.
    func draw(in area: Area, on grid: inout Grid) {
        guard scene.screen.layout.hasLog, area.rows >= Self.leastRows, area.columns >= 60 else { return }
        let entries = self.entries
        guard !entries.isEmpty else { return }
        let list = area.inset(left: 3, right: 1, top: 2)
        let title = area.line(1).inset(left: 3)
        let end = grid.put("Latest alarms", .faint.bold, in: title)
        let key = scene.screen.keys.name(of: .showLog)
        if !key.isEmpty { grid.put("\(scene.glyphs.dot)\(key) shows all", .faint, at: end, in: title) }
        for (row, entry) in entries.suffix(list.rows).reversed().enumerated() {
            AlarmLogRow(entry: entry, scene: scene, isQuiet: true).draw(in: list.line(row), on: &grid)
        }
    }

    /// Draws the newest entries below the chips, with a titled rule if there are rows for it.
    func drawBelowChips(in area: Area, on grid: inout Grid) {
        let entries = self.entries
        guard area.rows > 0, area.columns >= 40, !entries.isEmpty else { return }
        var rest = area
        if rest.rows >= 3 {
            let line = rest.takeTop(1)
            grid.fill(line.inset(left: -2, right: -1), scene.glyphs.frame.horizontal, Style(.frame))
            grid.put(" LATEST ALARMS ", .faint.bold, in: line.inset(left: -1))
            let key = scene.screen.keys.name(of: .showLog)
            if !key.isEmpty { grid.putRight(" \(key) shows all ", .faint, in: line) }
        }
        for (row, entry) in entries.suffix(rest.rows).reversed().enumerated() {
            AlarmLogRow(entry: entry, scene: scene, isQuiet: true).draw(in: rest.line(row), on: &grid)
        }
    }

    /// The entries of the current patient, the oldest first.
    private var entries: ArraySlice<AlarmLogEntry> {
        let all = scene.screen.session.log.entries
        guard let first = all.first, first.isPatientChange else { return all[...] }
        // An answer in the same moment as the change was the previous patient's.
        return all.dropFirst().drop { $0.moment == first.moment }
    }
}
