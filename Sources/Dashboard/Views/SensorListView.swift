import Monitoring
import Vitals

/// The list of sensors, or in its place why there is none and what to do.
struct SensorListView {
    let scene: Scene

    /// Draws a title row and a row for each sensor.
    func draw(in area: Area, on grid: inout Grid) {
        guard area.rows > 0 else { return }
        let list = area.inset(left: 1, right: 1, top: 1)
        drawTitle(in: area.line(0).inset(left: 2, right: 2), visible: visibleRows(in: list), on: &grid)
        if !scene.sensors.isEmpty {
            drawRows(in: list, on: &grid)
        } else if let trouble = scene.trouble {
            drawTrouble(trouble, in: list, on: &grid)
        } else {
            drawEmpty(in: list, on: &grid)
        }
    }

    private func drawTitle(in line: Area, visible: Range<Int>, on grid: inout Grid) {
        var offset = grid.put(" SENSORS ", .strong, in: line)
        let count = scene.sensors.count
        let others = scene.state.sensors.count - count
        if others > 0, scene.trouble == nil {
            let text = " +\(Scene.count(others, "other device")) (o) "
            if line.columns >= 40 { grid.putRight(text, .faint, in: line) }
        }
        guard count > 0 else { return }
        let isWhole = visible.count == count || visible.isEmpty
        let shown = "\(visible.lowerBound + 1)\(scene.glyphs.dash)\(visible.upperBound) of \(count)"
        offset = grid.put(isWhole ? "\(count) " : "\(shown) ", .faint, at: offset, in: line)
        if let trouble = scene.trouble {
            let text = fitted(
                ["\(scene.glyphs.alarm) \(trouble.title)", trouble.remedy], separator: scene.glyphs.dot,
                columns: line.columns - offset - 4, glyphs: scene.glyphs)
            grid.put(" \(text) ", Style(.alarmMedium, .bold), at: offset + 1, in: line)
        }
    }

    private func drawTrouble(_ trouble: EnvironmentTrouble, in area: Area, on grid: inout Grid) {
        drawLines(
            ["\(trouble.sentence)", "\(scene.glyphs.arrow) \(trouble.remedy)", "Bedside keeps trying by itself."],
            in: area, on: &grid)
    }

    private func drawEmpty(in area: Area, on grid: inout Grid) {
        let environment = scene.state.environment
        if environment.adapter == nil {
            drawLines(["Looking for Bluetooth\(scene.glyphs.ellipsis)"], in: area, on: &grid)
        } else if scene.isScanning {
            drawLines(
                ["No sensors nearby yet.", "Most straps wake up only when worn."], in: area, on: &grid)
        } else if scene.screen.isScanWanted {
            drawLines(["Waiting for the scan to begin\(scene.glyphs.ellipsis)"], in: area, on: &grid)
        } else {
            drawLines(["Scanning is off.", "Press s to look for sensors."], in: area, on: &grid)
        }
    }

    /// Draws sentences: on one line when they fit, otherwise one below the other.
    private func drawLines(_ lines: [String], in area: Area, on grid: inout Grid) {
        let inner = area.inset(left: 2, right: 1)
        let whole = lines.joined(separator: " ")
        if area.rows < lines.count || area.rows == 1, columnWidth(of: whole) <= inner.columns {
            grid.put(whole, .plain, in: inner)
            return
        }
        let wrappedLines = lines.flatMap { wrapped($0, columns: inner.columns, glyphs: scene.glyphs) }
        for (index, line) in wrappedLines.prefix(area.rows).enumerated() {
            grid.put(line, index == 0 ? .strong : .plain, in: inner.line(index))
        }
    }

    // MARK: Rows

    private var selectedIndex: Int? {
        let address = scene.screen.selectedSensor(in: scene.state)?.identity.address
        return scene.sensors.firstIndex { $0.identity.address == address }
    }

    /// The rows of the list that fit, with the selected one in the middle as far as the list allows.
    private func visibleRows(in area: Area) -> Range<Int> {
        let count = scene.sensors.count
        let selected = selectedIndex ?? 0
        let first = max(0, min(selected - area.rows / 2, count - area.rows))
        return first..<min(count, first + area.rows)
    }

    private func drawRows(in area: Area, on grid: inout Grid) {
        let selected = selectedIndex
        let visible = visibleRows(in: area)
        for index in visible {
            let line = area.line(index - visible.lowerBound)
            SensorRowView(sensor: scene.sensors[index], scene: scene)
                .draw(isSelected: index == selected, in: line, on: &grid)
            if index == selected {
                grid.cursor = Grid.Position(column: line.column + 1, row: line.row)
            }
        }
    }
}
