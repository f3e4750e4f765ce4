import Appearance
import Base
import Monitoring
import TextGrid
import Vitals
import Wording

/// One sensor's row in the list: mark, name, state, and its numbers.
struct SensorRowView {
    let sensor: SensorState
    let scene: Scene

    /// Draws into the first row of an area.
    func draw(isSelected: Bool, in line: Area, on grid: inout Grid) {
        var words = SensorLabels(sensor, time: scene.time)
        if let beacon = sensor.beacon(at: scene.now) {
            words.phrases.append("its beacon: " + scene.temperature(beacon.bodyTemperature))
        }
        let hasDrops = line.columns >= Self.dropColumns
        if hasDrops { words.phrases.removeAll { $0 == drops } }
        let isFading = sensor.isFading(at: scene.now)
        let base: Style = isFading ? .faint.dimmed : .plain
        let quiet: Style = isFading ? .faint.dimmed : .faint
        var rest = line
        let marks = rest.takeLeft(5)
        grid.put(mark(words.mark), style(of: words.mark), at: 3, in: marks)

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
            // They are more important than the sensor's vitals.
            rest = Area(column: rest.column, row: rest.row, columns: rest.columns + vitals.columns, rows: 1)
        } else {
            let shown = scene.panels.compactMap { $0.sensor == sensor.identity.address ? $0.vital : nil }
            grid.putRight(
                sensor.vitalsText(scene.glyphs, shown: shown), shown.isEmpty ? quiet : base, in: vitals)
        }
        let state = fitted(
            words.phrases, separator: scene.glyphs.dot, columns: rest.columns - 1, glyphs: scene.glyphs)
        grid.put(state, stateStyle, in: rest)
        if isSelected { grid.select(line, pointer: scene.glyphs.pointer, at: 1) }
    }

    /// Age, battery, signal and address in separate columns at the right, if they fit.
    private func drawNumbers(_ style: Style, columns: Int, in rest: inout Area, on grid: inout Grid) {
        let hasVitals = columns >= Self.vitalColumns
        let isOldSignal = sensor.strength(at: scene.now)?.isOld == true
        let numbers: [(text: String, width: Int, needs: Int, style: Style)] = [
            (age, 7, 34, style), (battery, 6, 44, style),
            (signal(columns: columns), hasVitals ? 14 : 6, 54, isOldSignal ? style.dimmed : style),
            (drops, 18, Self.dropColumns, style),
            (sensor.identity.kind.text, 18, 100, style),
            (sensor.identity.address, 19, 150, style),
        ]
        _ = rest.takeRight(1)
        for number in numbers where columns >= number.needs {
            grid.putRight(number.text, number.style, in: rest.takeRight(number.width))
        }
        _ = rest.takeRight(1)
    }

    private func mark(_ mark: SensorLabels.Mark) -> String {
        switch mark {
        case .streaming: scene.glyphs.full
        case .underWay: scene.glyphs.half
        case .trouble: scene.glyphs.trouble
        case .idle: scene.glyphs.empty
        }
    }

    private func style(of mark: SensorLabels.Mark) -> Style {
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
