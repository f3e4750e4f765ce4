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
        drawTitle(in: area.line(0).inset(left: 1, right: 1), on: &grid)
        drawContent(in: area.inset(left: 1, right: 1, top: 1), on: &grid)
    }

    /// Draws a row for each sensor, or why there is none.
    func drawContent(in list: Area, on grid: inout Grid) {
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
        let hidden = hiddenText
        let count = countText
        if !count.isEmpty { offset = grid.put("\(count) ", .faint, at: offset, in: line) }
        for limit in limits {
            let room = line.columns - offset - columnWidth(of: hidden) - 4
            guard columnWidth(of: limit) < room else { break }
            offset = grid.put(" \(limit) ", Style(.key, .bold), at: offset + 1, in: line)
        }
        // At the left, because in small windows the times of the trends on the same line are older there.
        if !hidden.isEmpty, scene.trouble == nil, line.columns >= 40 {
            grid.put(" \(hidden) ", .faint, at: offset + 1, in: line)
        }
        if !count.isEmpty, let text = troubleText(below: line.row, columns: line.columns - offset - 4, on: grid) {
            grid.put(" \(text) ", Style(.alarmMedium, .bold), at: offset + 1, in: line)
        }
    }

    /// Why Bluetooth cannot be used; `nil` if nothing is wrong, or an alarm line above a row shows it already.
    func troubleText(below row: Int, columns: Int, on grid: Grid) -> String? {
        guard let trouble = scene.trouble,
            !(0..<min(row, 8)).contains(where: { grid.text(row: $0).holds(trouble.title) })
        else { return nil }
        return fitted(
            ["\(scene.glyphs.alarm) \(trouble.title)", trouble.remedy], separator: scene.glyphs.dot,
            columns: columns, glyphs: scene.glyphs)
    }

    /// The number of listed sensors, or which of them are visible: "3", "1–9 of 30"; empty without any.
    var countText: String {
        let count = scene.sensors.count
        let visible = scene.screen.list.visible
        guard count > 0 else { return "" }
        if visible.count == count || visible.isEmpty { return "\(count)" }
        return "\(visible.lowerBound + 1)\(scene.glyphs.dash)\(visible.upperBound) of \(count)"
    }

    /// The user's restrictions of the list.
    var limits: [String] {
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
    var hiddenText: String {
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

    /// The remedy if the adapter receives nothing, although other devices are always in range.
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
        if scene.screen.pages.current == nil, list.visible.count == scene.sensors.count {
            RecentLogView(scene: scene).draw(in: area.inset(top: list.firstLine + list.visible.count), on: &grid)
        }
    }
}

/// One sensor's row in the list: mark, name, state, and its numbers.
struct SensorRowView {
    let sensor: SensorState
    let scene: Scene

    /// Says why the sensor wants to be paired, where there is room for it, or for the first sentence.
    private func explainPairing(_ phrases: inout [String], columns: Int) {
        guard sensor.needsPairing, let reason = SensorLabels.pairingWarning(of: sensor), let first = phrases.first
        else { return }
        let sentence = String(reason.prefix { $0 != "." })
        let shown = [reason, sentence].first {
            columnWidth(of: [first, $0], separator: scene.glyphs.dot) <= columns
        }
        if let shown { phrases.insert(shown, at: 1) }
    }

    /// Draws into the first row of an area.
    func draw(isSelected: Bool, in line: Area, on grid: inout Grid) {
        var words = SensorLabels(sensor, time: scene.time)
        if let beacon = sensor.beacon(at: scene.now) {
            words.phrases.append("its beacon: " + scene.temperature(beacon.bodyTemperature))
        }
        if sensor.lastHeard == nil, let value = scene.lastValue(of: sensor) { words.phrases.append(value) }
        let hasDrops = line.columns >= Self.dropColumns
        if hasDrops { words.phrases.removeAll { $0 == drops } }
        if let earlier = earlier(columns: line.columns) { words.phrases.removeAll { earlier.holds($0) } }
        let isFading = sensor.isFading(at: scene.now)
        let base: Style = isFading ? .faint.dimmed : .plain
        let quiet: Style = isFading ? .faint.dimmed : .faint
        var rest = line
        let marks = rest.takeLeft(5)
        grid.put(Self.mark(words.mark, scene.glyphs), Self.style(of: words.mark), at: 3, in: marks)

        drawNumbers(quiet, columns: line.columns, in: &rest, on: &grid)
        let vitals = rest.takeRight(line.columns >= Self.vitalColumns ? 9 : 0)
        // By the whole width: an additional column at the right must not shorten the name.
        let name = rest.takeLeft(min(33, max(10, line.columns * 2 / 9)))
        grid.put(
            ellipsizedName(scene.name(of: sensor), columns: name.columns - 1, glyphs: scene.glyphs), base, in: name)

        let stateStyle = words.mark == .idle ? quiet : base
        // The state, and below a certain width the lost links, must be shown.
        let phrases = words.phrases.prefix(hasDrops || drops.isEmpty ? 1 : words.phrases.count)
        if columnWidth(of: Array(phrases), separator: scene.glyphs.dot) >= rest.columns {
            // These columns are more important than the sensor's vitals.
            rest = Area(column: rest.column, row: rest.row, columns: rest.columns + vitals.columns, rows: 1)
        } else {
            let shown = scene.panels.compactMap { $0.sensor == sensor.identity.address ? $0.vital : nil }
            grid.putRight(
                sensor.vitalsText(scene.glyphs, shown: shown), shown.isEmpty ? quiet : base, in: vitals)
        }
        explainPairing(&words.phrases, columns: rest.columns)
        let state = fitted(
            words.phrases, separator: scene.glyphs.dot, columns: rest.columns - 1, glyphs: scene.glyphs)
        grid.put(state, stateStyle, in: rest)
        if isSelected { grid.select(line, pointer: scene.glyphs.pointer, at: 1) }
    }

    /// Age, battery, signal and address in separate columns at the right, if they fit.
    private func drawNumbers(_ style: Style, columns: Int, in rest: inout Area, on grid: inout Grid) {
        let hasVitals = columns >= Self.vitalColumns
        let isOldSignal = sensor.strength(at: scene.now)?.isOld == true
        let ofNow: [(text: String, width: Int, needs: Int, style: Style)] = [
            (age, 7, 34, style), (battery, 6, 44, style),
            (signal(columns: columns), hasVitals ? 14 : 6, 54, isOldSignal ? style.dimmed : style),
            (drops, 18, Self.dropColumns, style),
        ]
        let numbers =
            (earlier(columns: columns).map { [($0, Self.earlierWidth(of: columns), 0, style)] } ?? ofNow) + [
                (sensor.identity.kind.text, 18, 100, style),
                (sensor.identity.address, 19, 150, style),
            ]
        _ = rest.takeRight(1)
        for number in numbers where columns >= number.needs {
            grid.putRight(number.text, number.style, in: rest.takeRight(number.width))
        }
        _ = rest.takeRight(1)
    }

    /// The mark of a sensor's state.
    static func mark(_ mark: SensorLabels.Mark, _ glyphs: GlyphSet) -> String {
        switch mark {
        case .streaming: glyphs.full
        case .underWay: glyphs.half
        case .trouble: glyphs.trouble
        case .idle: glyphs.empty
        }
    }

    /// The style of that mark.
    static func style(of mark: SensorLabels.Mark) -> Style {
        switch mark {
        case .streaming: Style(.good, .bold)
        case .underWay: .strong
        case .trouble: Style(.alarmLow, .bold)
        case .idle: .faint
        }
    }

    private var age: String {
        let isReady = sensor.connection?.phase == .ready
        guard let moment = isReady ? sensor.lastReading ?? sensor.lastHeard : sensor.lastHeard else { return "" }
        return scene.time.age(of: moment)
    }

    /// What an earlier run has left about a sensor that was not heard in this one, in the place of age, battery, signal
    /// and lost links; `nil` for nothing, or without room for it.
    private func earlier(columns: Int) -> String? {
        guard columns >= Self.vitalColumns, sensor.lastHeard == nil, let contact = sensor.contact else { return nil }
        let room = Self.earlierWidth(of: columns) - 1
        let text = fitted(contact.phrases(scene.time), separator: ", ", columns: room, glyphs: scene.glyphs)
        return text.isEmpty ? nil : text
    }

    /// The width of the columns that ``earlier(columns:)`` takes.
    private static func earlierWidth(of columns: Int) -> Int { columns >= dropColumns ? 45 : 27 }

    private var battery: String {
        sensor.battery.map { "\($0) %" } ?? ""
    }

    /// The least width with columns for vitals and the signal's number.
    private static let vitalColumns = 78
    /// The least width with a column for lost links.
    private static let dropColumns = 130

    private var drops: String { SensorLabels.drops(of: sensor, at: scene.now) }

    /// The signal strength as bars, with its number in dBm if it fits.
    private func signal(columns: Int) -> String {
        guard let strength = sensor.strength(at: scene.now)?.decibels else { return "" }
        let bars = Self.bars(of: sensor, strength, scene.glyphs)
        guard columns >= Self.vitalColumns else { return bars }
        let number = Self.strengthText(strength, scene.glyphs)
        return "\(bars) \(String(repeating: " ", count: max(0, 7 - number.count)))\(number)"
    }

    /// A signal strength as four bars.
    static func bars(of sensor: SensorState, _ strength: Int, _ glyphs: GlyphSet) -> String {
        glyphs.signalBars([-90, -80, -70, -60].count { (sensor.smoothedStrength ?? strength * 10) >= $0 * 10 })
    }

    /// A signal strength as a number.
    static func strengthText(_ strength: Int, _ glyphs: GlyphSet) -> String {
        "\(strength < 0 ? glyphs.minus : "")\(strength.magnitude) dBm"
    }
}

/// The visible part of a page, as a thumb on the right border of its frame.
struct ScrollBar: Hashable {
    /// The number of rows scrolled past.
    var top: Int
    /// The number of visible rows.
    var shown: Int
    /// The number of all rows.
    var total: Int

    /// Draws over a border; nothing if everything is visible.
    ///
    /// The thumb is at an end of the border only if nothing is hidden beyond it.
    func draw(_ glyphs: GlyphSet, over border: Area, on grid: inout Grid) {
        guard shown > 0, total > shown, border.rows >= 3 else { return }
        let length = max(1, min(border.rows - 2, border.rows * shown / total))
        let travel = border.rows - length
        let last = total - shown
        let offset = top <= 0 ? 0 : top >= last ? travel : min(max(1, travel * top / last), travel - 1)
        grid.fill(
            Area(column: border.column, row: border.row + offset, columns: 1, rows: length), glyphs.scrollThumb, .plain)
    }
}
