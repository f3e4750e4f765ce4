import Appearance
import Base
import TextGrid
import Wording

/// The smallest screens: the worst alarm and the values, as much as fits.
struct MinimalView {
    let scene: Scene

    /// Draws the whole screen.
    func draw(in area: Area, on grid: inout Grid) {
        var rest = area
        if hasHeader(rows: rest.rows) {
            HeaderView(scene: scene, showsNotices: true).draw(in: rest.takeTop(1), on: &grid)
        }
        if !hasHeader(rows: area.rows) { drawSimulated(in: rest.line(0), on: &grid) }
        if rest.rows >= 2 || !scene.alarms.isEmpty {
            let line = rest.takeTop(1)
            AlarmView(scene: scene).draw(in: hasHeader(rows: area.rows) ? line : unmarked(line), on: &grid)
        } else if !hasHeader(rows: area.rows) {
            rest = unmarked(rest)
        }
        if rest.rows >= 5 {
            KeyBarView(scene: scene).draw(in: rest.takeBottom(1), on: &grid)
        }
        drawValues(in: rest, on: &grid)
    }

    /// The mark of simulated data, at the beginning of the first line if there is no header for it.
    private func drawSimulated(in line: Area, on grid: inout Grid) {
        guard scene.screen.session.isSimulated else { return }
        grid.put(simulatedMark(line), Style(.simulated, [.bold, .reverse]), in: line)
    }

    /// The part of an area after ``drawSimulated(in:on:)``.
    private func unmarked(_ area: Area) -> Area {
        scene.screen.session.isSimulated ? area.inset(left: columnWidth(of: simulatedMark(area)) + 1) : area
    }

    private func simulatedMark(_ line: Area) -> String { line.columns >= 20 ? "SIMULATED" : "SIM" }

    /// Whether the alarm line has the header above it.
    func hasHeader(rows: Int) -> Bool {
        (scene.screen.session.isSimulated || scene.screen.session.patient != nil) && rows >= 3 || rows >= 5
            || !scene.notices.lines.isEmpty && rows >= 4
    }

    /// Draws the values, as many on a line as must be.
    func drawValues(in area: Area, on grid: inout Grid) {
        let panels = scene.panels
        let rowsWanted = min(panels.count, area.rows)
        guard rowsWanted > 0 else { return }
        // A row for each vital, or several on a line, the first lines having more.
        var rest = panels[...]
        let groups = (0..<rowsWanted).map { row in
            let left = rowsWanted - row
            let group = rest.prefix((rest.count + left - 1) / left)
            rest = rest.dropFirst(group.count)
            return group
        }
        for (row, group) in groups.enumerated() {
            let line = area.line(row)
            if group.count == 1, let panel = group.first {
                draw(panel, in: line, on: &grid)
            } else {
                drawSideBySide(group, isTight: group.count == 3, in: line, on: &grid)
            }
        }
    }

    /// One vital on a separate line: value, unit, freshness or problem.
    func draw(_ panel: VitalPanel, in line: Area, on grid: inout Grid) {
        let missing = panel.missing
        let nameStyle = missing.map { $0.isBanner ? $0.style : panel.nameStyle } ?? panel.nameStyle
        var offset = grid.put(panel.shortTitle, nameStyle, in: line)
        let start = max(6, offset + 1)
        if panel.isWholeFieldFilled {
            grid.fill(line.inset(left: offset).prefix(start - offset), " ", panel.digitStyle)
        }
        offset = start
        offset = grid.put(panel.digits, panel.digitStyle, at: offset, in: line)
        if let missing {
            let place = line.inset(left: offset + 1)
            MissingView(missing: missing, glyphs: scene.glyphs).drawText(in: place, on: &grid)
            return
        }
        let others = columnWidth(of: (["", "", panel.marks, panel.freshness] + panel.warnings).joined(separator: " "))
        offset = grid.put(panel.unit(columns: line.columns - offset - others), .faint, at: offset + 1, in: line)
        var freshness = panel.isStale ? "STALE" : panel.freshness
        if panel.isManual, offset + 1 + columnWidth(of: freshness) > line.columns {
            // If the time does not fit, the source must still be shown.
            freshness = offset + 7 <= line.columns ? "manual" : "m"
        }
        // Never by its colour alone; but the staleness of a value is more important.
        let needed = panel.isStale || panel.isManual ? columnWidth(of: freshness) + 1 : 0
        if !panel.marks.isEmpty, offset + 1 + columnWidth(of: panel.marks) + needed <= line.columns {
            offset = grid.put(panel.marks, panel.nameStyle, at: offset + 1, in: line)
        }
        if offset + 1 + columnWidth(of: freshness) <= line.columns {
            offset = grid.put(freshness, panel.isStale ? .strong : .faint, at: offset + 1, in: line)
        }
        for (warning, short) in zip(panel.warnings, panel.shortWarnings) {
            guard let text = [warning, short].first(where: { offset + 1 + columnWidth(of: $0) <= line.columns }) else {
                continue
            }
            offset = grid.put(text, .strong, at: offset + 1, in: line)
        }
    }

    /// Several vitals on one line, without units and, if necessary, without names.
    func drawSideBySide(
        _ panels: ArraySlice<VitalPanel>, isTight: Bool, in line: Area, on grid: inout Grid
    ) {
        var offset = 0
        for panel in panels {
            if !isTight || line.columns >= 28 {
                offset = grid.put(panel.shortTitle, panel.nameStyle, at: offset, in: line) + 1
            }
            // A value that is not current is marked even if no text fits.
            let text = panel.markedDigits
            // A truncated number is not shown, because it would be a wrong one.
            guard offset + columnWidth(of: text) <= line.columns else { return }
            if panel.isWholeFieldFilled, offset > 0 {
                grid.put(" ", panel.digitStyle, at: offset - 1, in: line)
            }
            offset = grid.put(text, panel.digitStyle, at: offset, in: line)
            if panel.isWholeFieldFilled { grid.put(" ", panel.digitStyle, at: offset, in: line) }
            offset += isTight ? 1 : 2
        }
    }
}
