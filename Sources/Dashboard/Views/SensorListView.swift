import Monitoring
import Vitals

/// The list of sensors, or in its place why there is none and what to do.
struct SensorListView {
    let scene: Scene

    /// Draws a title row and a row for each sensor.
    func draw(in area: Area, on grid: inout Grid) {
        guard area.rows > 0 else { return }
        drawTitle(in: area.line(0).inset(left: 2, right: 2), on: &grid)
        let list = area.inset(left: 1, right: 1, top: 1)
        if let trouble = scene.trouble, scene.state.sensors.isEmpty || list.rows > scene.state.sensors.count + 1 {
            var rest = list
            drawTrouble(trouble, in: rest.takeTop(min(3, list.rows)), on: &grid)
            drawRows(in: rest, on: &grid)
        } else if scene.state.sensors.isEmpty {
            drawEmpty(in: list, on: &grid)
        } else {
            drawRows(in: list, on: &grid)
        }
    }

    private func drawTitle(in line: Area, on grid: inout Grid) {
        let offset = grid.put(" SENSORS ", .strong, in: line)
        let count = scene.state.sensors.count
        if count > 0 { grid.put("\(count) ", .faint, at: offset, in: line) }
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
        } else if environment.isScanning {
            drawLines(
                ["No sensors nearby yet.", "Most straps wake up only when worn."], in: area, on: &grid)
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

    private func drawRows(in area: Area, on grid: inout Grid) {
        let sensors = scene.state.sensors
        let selected = scene.screen.selectedIndex(in: scene.state) ?? 0
        guard area.rows > 0 else { return }
        // The selected row is kept in the middle as far as the list allows.
        let first = max(0, min(selected - area.rows / 2, sensors.count - area.rows))
        for (index, sensor) in sensors.enumerated().dropFirst(first).prefix(area.rows) {
            let line = area.line(index - first)
            draw(sensor, isSelected: index == selected, in: line, on: &grid)
            if index == selected {
                grid.cursor = Grid.Position(column: line.column + 1, row: line.row)
            }
        }
    }

    private func draw(_ sensor: SensorState, isSelected: Bool, in line: Area, on grid: inout Grid) {
        let words = SensorWords(sensor, time: scene.time)
        let base: Style = isSelected ? .strong : .plain
        let quiet: Style = isSelected ? .strong : .faint
        var rest = line
        let marks = rest.takeLeft(5)
        if isSelected { grid.put(scene.glyphs.pointer, .strong, at: 1, in: marks) }
        grid.put(mark(words.mark), style(of: words.mark), at: 3, in: marks)

        // Numbers stand in columns of their own from the right, as far as there is room for name and state.
        _ = rest.takeRight(1)
        let columns: [(text: String, width: Int, needs: Int)] = [
            (age(of: sensor), 7, 34), (batteryText(sensor), 6, 44), (signalText(sensor), 9, 54),
        ]
        for column in columns where line.columns >= column.needs {
            grid.putRight(column.text, quiet, in: rest.takeRight(column.width))
        }
        _ = rest.takeRight(1)
        let vitals = rest.takeRight(line.columns >= 70 ? 9 : 0)
        let name = rest.takeLeft(min(28, max(10, rest.columns * 2 / 5)))
        grid.put(
            ellipsized(scene.name(of: sensor), columns: name.columns - 1, glyphs: scene.glyphs), base, in: name)

        let widest = rest.columns + vitals.columns
        let isLong = columnWidth(of: words.phrases[0]) >= rest.columns
        let state = fitted(
            words.phrases, separator: scene.glyphs.dot, columns: isLong ? widest : rest.columns - 1,
            glyphs: scene.glyphs)
        grid.put(
            state, words.mark == .idle ? quiet : base, in: isLong ? line.inset(left: rest.column - line.column) : rest)
        // A state that needs the room says more than which vitals the sensor gives.
        if !isLong { grid.putRight(sensor.vitalsText(scene.glyphs), quiet, in: vitals) }
        if isSelected { grid.restyle(line) { $0.reversed } }
    }

    private func mark(_ mark: SensorWords.Mark) -> String {
        switch mark {
        case .streaming: scene.glyphs.full
        case .underWay: scene.glyphs.half
        case .trouble: scene.glyphs.trouble
        case .idle: scene.glyphs.empty
        }
    }

    private func style(of mark: SensorWords.Mark) -> Style {
        switch mark {
        case .streaming: Style(.good, .bold)
        case .underWay: .strong
        case .trouble: Style(.alarmLow, .bold)
        case .idle: .faint
        }
    }

    private func age(of sensor: SensorState) -> String {
        let isReady = sensor.connection?.phase == .ready
        guard let moment = isReady ? sensor.lastReading ?? sensor.lastHeard : sensor.lastHeard else { return "" }
        return scene.time.age(of: moment)
    }

    private func batteryText(_ sensor: SensorState) -> String {
        sensor.battery.map { "\($0) %" } ?? ""
    }

    private func signalText(_ sensor: SensorState) -> String {
        sensor.signalStrength.map { "\($0 < 0 ? scene.glyphs.minus : "")\($0.magnitude) dBm" } ?? ""
    }
}
