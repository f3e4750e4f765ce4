import Appearance
import Dashboard
import Monitoring
import TextGrid
import Vitals
import Ward
import WardMessages
import Wording

/// All alarms, the log, and the keys, as lines.
struct WardListView {
    let scene: WardScene

    func drawAlarms(in area: Area, on grid: inout Grid) {
        let lines: [([String], Style)] = scene.items.map { item in
            (item.parts(scene), scene.style(item.priority, isUnanswered: item.isUnanswered))
        }
        draw("ALARMS OF ALL BEDS", lines.isEmpty ? [(["No alarms"], .faint)] : lines, in: area, on: &grid)
    }

    func drawLog(in area: Area, on grid: inout Grid) {
        let lines: [([String], Style)] = scene.state.log.reversed().map { entry in
            let bed = entry.bed.map { scene.state.label(of: $0) } ?? "ward"
            let mark = scene.glyphs.marks(of: entry.priority)
            return (
                [
                    "\(scene.time.clock(entry.moment))  \(mark) \(bed) \(entry.change.rawValue): \(scene.glyphs.fit(entry.text))"
                ],
                entry.change == .ended ? Style.faint : Style(entry.priority.role)
            )
        }
        draw("LOG", lines.isEmpty ? [(["Nothing has happened yet"], .faint)] : lines, in: area, on: &grid)
    }

    func drawHelp(in area: Area, on grid: inout Grid) {
        let lines: [([String], Style)] = WardScreenState.keys.map { key, label in
            ([key + String(repeating: " ", count: max(1, 8 - key.count)) + label], Style.plain)
        }
        draw("KEYS OF THE WARD SCREEN", lines, in: area, on: &grid)
    }

    private func draw(_ title: String, _ lines: [([String], Style)], in area: Area, on grid: inout Grid) {
        var rest = area.inset(left: 1, right: 1)
        grid.put(title, .strong, in: rest.takeTop(1))
        let first = min(scene.screen.scroll, max(0, lines.count - rest.rows))
        for (parts, style) in lines.dropFirst(first).prefix(rest.rows) {
            let place = rest.takeTop(1)
            grid.put(
                fitted(parts, separator: scene.glyphs.dot, columns: place.columns, glyphs: scene.glyphs), style,
                in: place)
        }
    }
}
