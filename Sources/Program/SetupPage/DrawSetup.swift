import Appearance
import Base
import Dashboard
import Doctor
import TextGrid
import Wording

/// Draws the page of the first setup.
///
/// A pure function; it works at any size, and keeps the rows and the keys where there is little space.
///
/// - Parameters:
///   - screen: The page.
///   - size: The terminal's size in cells.
public func drawSetup(_ screen: SetupScreen, size: (columns: Int, rows: Int)) -> Grid {
    var grid = Grid(columns: size.columns, rows: size.rows, isASCII: screen.glyphs == .ascii)
    SetupView(screen: screen).draw(on: &grid)
    return grid
}

private struct SetupView {
    let screen: SetupScreen

    func draw(on grid: inout Grid) {
        var rest = grid.area
        let keys = rest.takeBottom(1)
        drawHeader(in: rest.takeTop(1), on: &grid)
        rest = rest.inset(left: 1, right: 1)
        if rest.rows >= 8 { _ = rest.takeTop(1) }
        // Rows have priority, then the explanation of the selected row, then the introduction.
        let rows = screen.rows
        let wanted = min(rows.count, max(3, rest.rows / 2))
        // The reason for refusing a typed value replaces the list of allowed values.
        let refusal = screen.prompt == nil ? nil : screen.message
        let details = (refusal.map { [$0] } ?? screen.details).flatMap { wrap($0, rest.columns) }
        let introduction = wrap(screen.introduction, rest.columns)
        let spare = max(0, rest.rows - wanted)
        let below = max(refusal == nil ? 0 : min(2, rest.rows - 1), min(details.isEmpty ? 0 : details.count + 1, spare))
        let above = max(0, min(introduction.count + 1, spare - below))
        put(introduction, .plain, in: rest.takeTop(above), isAbove: true, on: &grid)
        put(details, refusal == nil ? .faint : .strong, in: rest.takeBottom(below), isAbove: false, on: &grid)
        drawRows(rows, in: rest, on: &grid)
        drawKeys(in: keys, on: &grid)
    }

    private func drawHeader(in area: Area, on grid: inout Grid) {
        let step = screen.state.step
        var room = area.inset(left: 1, right: 1)
        if screen.isSimulated {
            let mark = room.takeRight(10)
            grid.putRight("SIMULATED", Style(.simulated, .bold), in: mark)
        }
        let warning = screen.soundWarning
        if !warning.isEmpty, room.columns >= 60 {
            grid.putRight(warning, Style(.alarmMedium), in: room.takeRight(warning.count + 2).inset(right: 2))
        }
        let name = room.columns < 50 ? "SETUP" : "BEDSIDE SETUP"
        let text = "\(name)  \(step.rawValue + 1)/\(SetupStep.allCases.count)  \(screen.title)"
        grid.put(ellipsized(text, columns: room.columns, glyphs: screen.glyphs), Style(.brand, .bold), in: room)
    }

    private func wrap(_ text: String, _ columns: Int) -> [String] {
        wrapped(screen.glyphs.fit(text), columns: columns, glyphs: screen.glyphs)
    }

    /// Writes lines with an empty line towards the rows, which is omitted first.
    private func put(_ lines: [String], _ style: Style, in area: Area, isAbove: Bool, on grid: inout Grid) {
        let lines = lines.prefix(area.rows)
        let gap = isAbove ? 0 : area.rows - lines.count
        for (row, line) in lines.enumerated() { grid.put(line, style, in: area.line(gap + row)) }
    }

    private func drawRows(_ rows: [SetupScreen.Row], in area: Area, on grid: inout Grid) {
        guard area.rows > 0 else { return }
        let selected = min(max(0, screen.selection), rows.count - 1)
        let top = max(0, min(selected - area.rows / 2, rows.count - area.rows))
        let names = rows.map { screen.text(of: $0) }
        let widest = names.filter { !$0.value.isEmpty }.map { columnWidth(of: screen.glyphs.fit($0.name)) }.max() ?? 0
        let room = area.columns - 2
        let nameColumns = min(widest + 2, max(12, room * 2 / 3))
        for (line, index) in (top..<min(rows.count, top + area.rows)).enumerated() {
            let place = area.line(line)
            var rest = place.inset(left: 2)
            let (name, value) = names[index]
            let isHeading = !value.isEmpty
            let left = rest.takeLeft(isHeading ? nameColumns : rest.columns)
            grid.put(fitted(name, left.columns - (isHeading ? 1 : 0)), style(of: rows[index]), in: left)
            grid.put(fitted(value, rest.columns), .strong, in: rest)
            if index == selected { grid.select(place, pointer: screen.glyphs.pointer) }
        }
        // The number of hidden rows is shown.
        let hidden = rows.count - min(rows.count, top + area.rows)
        if hidden > 0 { grid.putRight("+\(hidden)", .faint, in: area.line(area.rows - 1)) }
    }

    private func style(of row: SetupScreen.Row) -> Style {
        switch row {
        case .check(let check): check.verdict == .trouble ? .strong : .plain
        case .next, .leave, .write: .strong
        default: .plain
        }
    }

    private func fitted(_ text: String, _ columns: Int) -> String {
        ellipsized(screen.glyphs.fit(text), columns: max(0, columns), glyphs: screen.glyphs)
    }

    private func drawKeys(in area: Area, on grid: inout Grid) {
        if let prompt = screen.prompt {
            grid.put(prompt, keys: [("Enter", "take it"), ("Esc", "cancel")], in: area, glyphs: screen.glyphs)
            return
        }
        if let message = screen.message {
            let lines = wrap(message, area.columns - 2).prefix(max(1, min(3, area.row)))
            for (index, line) in lines.enumerated() {
                let place = Area(
                    column: area.column, row: area.row + 1 - lines.count + index, columns: area.columns, rows: 1)
                grid.fill(place, " ", Style(.plain, .reverse))
                grid.put(line, Style(.plain, .reverse), at: 1, in: place)
            }
            return
        }
        var offset = 0
        for (key, label) in screen.keys {
            guard offset + columnWidth(of: key) + columnWidth(of: label) + 3 <= area.columns else { continue }
            offset = grid.put(key: key, label, at: offset, in: area)
        }
    }
}
