import Appearance
import Base
import Monitoring
import TextGrid
import Vitals
import Wording

/// The list of sensors, or why it is empty and the remedy.
struct SensorListView {
    let scene: Scene

    /// Draws a title row and a row for each sensor.
    func draw(in area: Area, on grid: inout Grid) {
        guard area.rows > 0 else { return }
        let list = area.inset(left: 1, right: 1, top: 1)
        drawTitle(in: area.line(0).inset(left: 2, right: 2), on: &grid)
        if !scene.sensors.isEmpty {
            drawRows(in: list, on: &grid)
        } else if let trouble = scene.trouble {
            drawTrouble(trouble, in: list, on: &grid)
        } else {
            drawEmpty(in: list, on: &grid)
        }
    }

    private func drawTitle(in line: Area, on grid: inout Grid) {
        var offset = grid.put(" SENSORS ", .strong, in: line)
        let count = scene.sensors.count
        let hidden = hiddenText
        let visible = scene.screen.list.visible
        if count > 0 {
            let isWhole = visible.count == count || visible.isEmpty
            let shown = "\(visible.lowerBound + 1)\(scene.glyphs.dash)\(visible.upperBound) of \(count)"
            offset = grid.put(isWhole ? "\(count) " : "\(shown) ", .faint, at: offset, in: line)
        }
        for limit in limits {
            let room = line.columns - offset - columnWidth(of: hidden) - 4
            guard columnWidth(of: limit) < room else { break }
            offset = grid.put(" \(limit) ", Style(.key, .bold), at: offset + 1, in: line)
        }
        // At the left, because in small windows the times of the trends on the same line are older there.
        if !hidden.isEmpty, scene.trouble == nil, line.columns >= 40 {
            grid.put(" \(hidden) ", .faint, at: offset + 1, in: line)
        }
        // An alarm line above may already show it.
        if let trouble = scene.trouble, count > 0,
            !(0..<min(line.row, 8)).contains(where: { grid.text(row: $0).holds(trouble.title) })
        {
            let text = fitted(
                ["\(scene.glyphs.alarm) \(trouble.title)", trouble.remedy], separator: scene.glyphs.dot,
                columns: line.columns - offset - 4, glyphs: scene.glyphs)
            grid.put(" \(text) ", Style(.alarmMedium, .bold), at: offset + 1, in: line)
        }
    }

    /// The user's restrictions of the list.
    private var limits: [String] {
        var limits: [String] = []
        if !scene.screen.list.filter.isEmpty {
            limits.append("/\(ellipsized(scene.screen.list.filter, columns: 20, glyphs: scene.glyphs))")
        }
        if let floor = scene.screen.list.strengthFloor {
            limits.append("\(scene.glyphs.atLeast)\(scene.glyphs.minus)\(floor.magnitude) dBm")
        }
        return limits
    }

    /// The number of nearby devices that are not listed, and the key that lists them.
    private var hiddenText: String {
        func heard(_ sensors: [SensorState]) -> Int { sensors.count { $0.isHeard(at: scene.now) } }
        let hidden = heard(scene.state.sensors) - heard(scene.sensors)
        guard hidden > 0 else { return "" }
        if !scene.screen.list.filter.isEmpty { return "+\(hidden) hidden (Esc)" }
        if scene.screen.list.strengthFloor != nil {
            return "+\(hidden) hidden (\(scene.screen.keys.name(of: .raiseStrengthFloor)))"
        }
        return "+\(Scene.count(hidden, "other device")) (\(scene.screen.keys.name(of: .toggleOtherDevices)))"
    }

    private func drawTrouble(_ trouble: EnvironmentWarning, in area: Area, on grid: inout Grid) {
        drawLines(
            ["\(trouble.sentence)", "\(scene.glyphs.arrow) \(trouble.remedy)", "Bedside keeps trying by itself."],
            in: area, on: &grid)
    }

    private func drawEmpty(in area: Area, on grid: inout Grid) {
        let environment = scene.state.environment
        let screen = scene.screen
        if !screen.list.filter.isEmpty, !scene.state.sensors.isEmpty {
            drawLines(
                [
                    "Nothing here has \"\(screen.list.filter)\" in its name, kind or address.",
                    "Press Esc to list all again.",
                ],
                in: area, on: &grid)
        } else if screen.session.replay != nil {
            drawLines(["No sensor has spoken yet in this recording."], in: area, on: &grid)
        } else if environment.adapter == nil {
            drawLines(["Looking for Bluetooth\(scene.glyphs.ellipsis)"], in: area, on: &grid)
        } else if environment.adapter?.hearsNothing == true {
            drawLines(hearsNothing, in: area, on: &grid)
        } else if scene.isScanning {
            drawLines(nothingNearby, in: area, on: &grid)
        } else if scene.screen.isScanWanted {
            drawLines(["Waiting for the scan to begin\(scene.glyphs.ellipsis)"], in: area, on: &grid)
        } else {
            drawLines(
                ["Scanning is off.", "Press \(scene.screen.keys.name(of: .toggleScanning)) to look for sensors."],
                in: area, on: &grid)
        }
    }

    /// The remedy if the adapter receives nothing at all, although other devices are always in range.
    private var hearsNothing: [String] {
        let name = scene.state.environment.adapter?.identifier.map { "The adapter \(sanitized($0, limit: 12))" }
        return [
            "\(name ?? "The Bluetooth adapter") scans, but has heard nothing at all for a while.",
            "Unplug it and plug it in again, or try: sudo systemctl restart bluetooth",
            "Cuffs, meters and scales are heard only after somebody has measured with them.",
        ]
    }

    /// The advice when a scan finds no sensor.
    private var nothingNearby: [String] {
        var lines = [
            "No sensors nearby yet.", "Most straps wake up only when worn.", "To begin step by step: bedside setup",
        ]
        if let floor = scene.screen.list.strengthFloor, !hiddenText.isEmpty {
            let key = scene.screen.keys.name(of: .raiseStrengthFloor)
            lines.append(
                "Those below \(scene.glyphs.minus)\(floor.magnitude) dBm are hidden; press \(key) to list more.")
        }
        return lines
    }

    /// Draws sentences: on one line if they fit, otherwise below each other.
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
        let list = scene.screen.list
        let selected = scene.selectedSensor?.identity.address
        for (offset, index) in list.visible.enumerated() where index < scene.sensors.count {
            let line = area.line(list.firstLine + offset)
            let sensor = scene.sensors[index]
            let isSelected = sensor.identity.address == selected
            grid.record(.sensor(address: sensor.identity.address), in: line)
            SensorRowView(sensor: sensor, scene: scene).draw(isSelected: isSelected, in: line, on: &grid)
        }
        if list.visible.count == scene.sensors.count {
            RecentLogView(scene: scene).draw(in: area.inset(top: list.firstLine + list.visible.count), on: &grid)
        }
    }
}
