import Appearance
import Monitoring
import TextGrid
import Vitals
import Wording

/// The page of one sensor: its identity, state and history, and its services with their newest values.
///
/// The page is bounded, however much a sensor claims to have: the stored data and each text have limits.
struct SensorPageView {
    let scene: Scene
    /// All its lines.
    let lines: [Line]
    private let rows: Int
    /// The full width of the names of fields, with the space after them.
    private let fieldWidth: Int

    /// Collects the content for an area.
    init(scene: Scene, in area: Area) {
        self.scene = scene
        rows = area.rows
        lines = Self.lines(scene, columns: area.columns)
        fieldWidth = lines.reduce(25) { $1.isField ? max($0, $1.label.count + 2) : $0 }
    }

    /// One line of the page.
    struct Line {
        var indent = 0
        /// The label of the line, in a separate column.
        var label = ""
        var text: String
        var style = Style.plain
        /// The number of the characteristic in the line, if any.
        var characteristic: Int?

        /// Whether it is a field of a value, which has a longer name than other items.
        var isField: Bool { indent >= 4 && !label.isEmpty }
    }

    /// The title of the page: the sensor, and the visible lines.
    var title: String {
        guard let sensor = scene.selectedSensor else { return "SENSOR" }
        let text = "SENSOR \(scene.name(of: sensor))"
        guard lines.count > rows, rows > 0 else { return text }
        return "\(text)\(scene.glyphs.dot)\(top + 1)\(scene.glyphs.dash)\(top + rows) of \(lines.count) lines"
    }

    private var top: Int { max(0, min(scene.screen.pages.sensorLines.top, lines.count - rows)) }

    /// Draws as many lines as there are rows, from the scroll position on.
    func draw(in area: Area, on grid: inout Grid) -> PageView.Extent {
        for (row, line) in lines.dropFirst(top).prefix(area.rows).enumerated() {
            draw(line, in: area.line(row), on: &grid)
        }
        // A line-by-line reader begins at the first line, too.
        grid.rest(in: area)
        return PageView.Extent(
            rows: min(lines.count, area.rows), scroll: ScrollBar(top: top, shown: area.rows, total: lines.count))
    }

    private func draw(_ line: Line, in row: Area, on grid: inout Grid) {
        let inner = row.inset(left: line.indent)
        guard !line.label.isEmpty else {
            if line.characteristic != nil, line.characteristic == scene.screen.pages.characteristic {
                grid.put(scene.glyphs.pointer, .strong, in: row)
            }
            grid.put(ellipsized(line.text, columns: inner.columns, glyphs: scene.glyphs), line.style, in: inner)
            return
        }
        let width = line.isField ? min(fieldWidth, inner.columns / 2) : min(15, inner.columns * 2 / 5)
        grid.put(ellipsized(line.label, columns: width - 1, glyphs: scene.glyphs), .faint, in: inner)
        let rest = inner.inset(left: width)
        grid.put(ellipsized(line.text, columns: rest.columns, glyphs: scene.glyphs), line.style, in: rest)
    }

    private static func lines(_ scene: Scene, columns: Int) -> [Line] {
        guard let sensor = scene.selectedSensor else { return [Line(text: "No sensor is selected.", style: .faint)] }
        let device = SensorDeviceLines(sensor: sensor, scene: scene)
        let values = SensorServiceLines(sensor: sensor, scene: scene, columns: columns)
        return device.state + section("DEVICE INFORMATION", device.information)
            + section("CONNECTION HISTORY", device.history) + section("SERVICES", values.lines)
    }

    private static func section(_ title: String, _ lines: [Line]) -> [Line] {
        [Line(text: ""), Line(text: title, style: .strong)] + lines
    }
}
