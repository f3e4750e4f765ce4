import Appearance
import Base
import Monitoring
import TextGrid
import Wording

/// The connected sensors in a row, each as a mark, its name, and either what is wrong or battery and signal; below them
/// the newest events.
///
/// The whole list is a page, which the key that connects opens.
struct SensorChipsView {
    let scene: Scene

    /// The blank columns between two chips.
    private static let gap = 3
    /// The greatest number of rows of chips.
    private static let mostRows = 2

    /// Draws a title row, the chips, and the events in the rows that are left.
    func draw(in area: Area, on grid: inout Grid) {
        guard area.rows > 0 else { return }
        guard area.rows > 1 else { return drawTitle(withNames: true, in: area.line(0), on: &grid) }
        drawTitle(withNames: false, in: area.line(0), on: &grid)
        var rest = area.inset(left: 2, right: 1, top: 1)
        let rows = drawChips(in: rest, on: &grid)
        _ = rest.takeTop(rows)
        RecentLogView(scene: scene).drawBelowChips(in: rest, on: &grid)
    }

    /// The sensors that measure, or should, in the order of the list.
    private var sensors: [SensorState] {
        let listed = scene.sensors.filter(\.isWanted)
        let addresses = Set(listed.map(\.identity.address))
        // A filter of the list hides no sensor here.
        return listed + scene.state.sensors.filter { $0.isWanted && !addresses.contains($0.identity.address) }
    }

    /// The number of sensors, at the right what is nearby besides, and Bluetooth's trouble.
    private func drawTitle(withNames: Bool, in rule: Area, on grid: inout Grid) {
        let line = rule.inset(left: 1, right: 1)
        let sensors = sensors
        var offset = grid.put(" SENSORS ", .strong, in: line)
        offset = grid.put("\(sensors.count) ", .faint, at: offset, in: line)
        grid.record(.key(scene.screen.keys[.connect].first ?? .enter), in: line.inset(right: line.columns - offset))
        let list = SensorListView(scene: scene)
        if let trouble = list.troubleText(below: line.row, columns: line.columns - offset - 4, on: grid) {
            grid.put(" \(trouble) ", Style(.alarmMedium, .bold), at: offset + 1, in: line)
            return
        }
        if withNames {
            let words = sensors.map { "\(mark(SensorLabels($0, time: scene.time).mark)) \(scene.name(of: $0))" }
            let text = fitted(words, separator: "  ", columns: line.columns - offset - 3, glyphs: scene.glyphs)
            grid.put(" \(text) ", .plain, at: offset + 1, in: line)
            return
        }
        let nearby = scene.sensors.count { !$0.isWanted && $0.isHeard(at: scene.now) }
        let others = [nearby > 0 ? "+\(nearby) nearby" : "", list.hiddenText].filter { !$0.isEmpty }
        let fitting = (0..<others.count).lazy.map { others.dropLast($0).joined(separator: scene.glyphs.dot) }
            .first { columnWidth(of: $0) + 4 <= line.columns - offset }
        if let fitting { grid.putRight(" \(fitting) ", .faint, in: line) }
    }

    /// Draws the chips, wrapped, and the number of those that do not fit.
    ///
    /// - Returns: The rows that they take.
    private func drawChips(in area: Area, on grid: inout Grid) -> Int {
        let most = min(Self.mostRows, area.rows)
        let whole = sensors.map { chip($0, isShort: false) }
        // Where they do not all fit, their names come before battery and signal.
        let width = whole.reduce(0) { $0 + Segment.width(of: $1.segments, gap: 1) + Self.gap }
        let chips = width > most * area.columns ? sensors.map { chip($0, isShort: true) } : whole
        var (row, offset) = (0, 0)
        for (index, chip) in chips.enumerated() {
            let isLast = index == chips.count - 1
            // The last row leaves room for the number of the others.
            func room() -> Int { area.columns - offset - (isLast || row + 1 < most ? 0 : Self.gap + 3) }
            let width = Segment.width(of: chip.segments, gap: 1)
            if offset > 0, width > room(), row + 1 < most { (row, offset) = (row + 1, 0) }
            if offset > 0, width > room() {
                grid.put("+\(chips.count - index)", .strong, at: offset, in: area.line(row))
                break
            }
            let line = area.line(row)
            let start = offset
            let segments = Segment.fitting(chip.segments, gap: 1, columns: room())
            offset = grid.put(segments, gap: 1, at: offset, in: line)
            grid.record(.sensor(address: chip.address), in: line.inset(left: start, right: line.columns - offset))
            offset += Self.gap
        }
        return chips.isEmpty ? 0 : row + 1
    }

    /// A sensor as pieces of a row.
    private func chip(_ sensor: SensorState, isShort: Bool) -> (address: String, segments: [Segment]) {
        let words = SensorLabels(sensor, time: scene.time)
        let name = ellipsizedName(scene.name(of: sensor), columns: 20, glyphs: scene.glyphs)
        var segments = [
            Segment(mark(words.mark), SensorRowView.style(of: words.mark), rank: 0),
            Segment(name, .plain, rank: 1),
        ]
        // Of a sensor that measures it is its mark that says so; what is said besides is worth a look.
        let isStreaming = words.mark == .streaming
        if let state = words.phrases.dropFirst(isStreaming ? 1 : 0).first {
            let style = words.mark == .trouble ? Style.strong : .faint
            segments.append(Segment(ellipsized(state, columns: 36, glyphs: scene.glyphs), style, rank: 2))
        }
        if isStreaming, !isShort {
            if let battery = sensor.battery { segments.append(Segment("\(battery) %", .faint, rank: 3)) }
            if let strength = sensor.strength(at: scene.now)?.decibels {
                segments.append(Segment(SensorRowView.bars(of: sensor, strength, scene.glyphs), .faint, rank: 4))
            }
        }
        return (sensor.identity.address, segments)
    }

    private func mark(_ mark: SensorLabels.Mark) -> String { SensorRowView.mark(mark, scene.glyphs) }
}
