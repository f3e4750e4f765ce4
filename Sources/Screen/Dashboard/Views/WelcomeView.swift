import Appearance
import Base
import Monitoring
import TextGrid
import Wording

/// The welcome card of the very first start: what Bedside is and is not, how to begin, and the keys.
///
/// It takes the place of the vitals until something is measured, and then the lower part of the screen; never over a
/// number or an alarm. Without space for it, it is not shown.
struct WelcomeView {
    let scene: Scene

    /// Creates the card, if it is visible.
    init?(scene: Scene) {
        guard scene.screen.dialogs.showsWelcome else { return nil }
        self.scene = scene
    }

    /// Whether the card names the key of a command, which then does what it does everywhere.
    static func names(_ command: Command) -> Bool {
        switch command {
        case .acknowledge, .pauseAudio, .showLimits, .showSettings, .toggleHelp, .quit, .connect, .selectNext,
            .selectPrevious:
            true
        default: false
        }
    }

    private var hasNumbers: Bool { scene.state.vitals.contains(where: \.condition.isMeasured) }

    /// Draws over the areas of the divided screen.
    func draw(over layout: ScreenLayout, on grid: inout Grid) {
        guard hasNumbers else { return drawAboveList(layout, on: &grid) }
        // Below the sensors if there is space, otherwise over them.
        let list = layout.sensors.inset(left: 2, right: 2, top: 1)
        let free = list.inset(top: scene.sensors.count)
        let place = free.rows >= height(columns: list.columns) ? free : list
        if place.rows >= lines(columns: place.columns - 2, isShort: true).count { draw(in: place, on: &grid) }
    }

    /// Draws over the vitals, and the list of sensors, to which the card refers, below it.
    private func drawAboveList(_ layout: ScreenLayout, on grid: inout Grid) {
        var list = layout.body.inset(bottom: layout.keyBar.rows)
        let listRows = 1 + min(4, max(2, scene.sensors.count))
        let columns = min(list.columns, 76) - 4
        let rows = [false, true].map { lines(columns: columns, isShort: $0).count + 2 }
        guard let cardRows = rows.first(where: { $0 <= list.rows - listRows }), list.columns >= 36 else {
            return draw(in: layout.body, on: &grid)
        }
        draw(in: list.takeTop(cardRows), on: &grid)
        grid.fill(list, " ", .plain)
        grid.fill(list.line(0), scene.glyphs.frame.horizontal, Style(.frame))
        SensorListView(scene: scene).draw(in: list, on: &grid)
        KeyBarView(scene: scene).draw(in: layout.keyBar, on: &grid)
    }

    /// Draws over the smallest screen if no vital has a number.
    func drawMinimal(in area: Area, on grid: inout Grid) {
        if !hasNumbers { draw(in: area, on: &grid) }
    }

    /// The rows of the card in a box.
    private func height(columns: Int) -> Int { lines(columns: min(columns, 76) - 4, isShort: true).count + 2 }

    /// Draws over an area, which is blanked first.
    private func draw(in area: Area, on grid: inout Grid) {
        grid.fill(area, " ", .plain)
        let isBoxed = area.columns >= 36 && area.rows >= (hasNumbers ? height(columns: area.columns) : 8)
        let width = isBoxed ? min(area.columns, 76) : area.columns
        let airy = self.lines(columns: width - (isBoxed ? 4 : 2), isShort: false)
        // The keys come last and must be visible: without space, the paragraphs move together.
        let isShort = airy.count + (isBoxed ? 2 : 0) > area.rows
        let lines = isShort ? self.lines(columns: width - (isBoxed ? 4 : 2), isShort: true) : airy
        guard isBoxed else {
            put(lines, in: area.inset(left: 1, right: 1), on: &grid)
            return
        }
        let height = min(area.rows, lines.count + 2)
        let box = Area(
            column: area.column + (area.columns - width) / 2, row: area.row + (area.rows - height) / 2,
            columns: width, rows: height)
        FrameView(glyphs: scene.glyphs).drawBox(box, on: &grid)
        grid.put(" WELCOME ", .strong, at: 2, in: box.line(0))
        put(lines, in: box.inset(left: 2, right: 2, top: 1, bottom: 1), on: &grid)
    }

    private func put(_ lines: [(text: String, style: Style)], in area: Area, on grid: inout Grid) {
        for (row, line) in lines.prefix(area.rows).enumerated() {
            grid.put(line.text, line.style, in: area.line(row))
        }
    }

    private func lines(columns: Int, isShort: Bool) -> [(text: String, style: Style)] {
        let keys = scene.screen.keys
        func key(_ command: Command) -> String { keys.name(of: command) }
        let choose = "\(scene.glyphs.upDown) selects it and \(key(.connect)) connects it"
        let sensors = scene.screen.sensorsOfTheBed(in: scene.state).map { sanitized($0.identity.name, limit: 24) }
        let simulated = scene.screen.session.isSimulated ? "These sensors are simulated. " : ""
        let start =
            sensors.count > 1
            ? "\(simulated)To begin: \(key(.connect)) connects \(sensors.dropLast().joined(separator: ", ")) and "
                + "\(sensors.last ?? ""), now and at every later start."
            : scene.screen.session.isSimulated
                ? "\(simulated)To begin, choose one in the list below: \(choose)."
                : "To begin: put a sensor on (most straps wake up only when worn), close its phone app, and keep it within "
                    + "a few metres. It appears in the list below; \(choose), now and at every later start."
        let purpose =
            "It shows temperature, heart rate and oxygen saturation of Bluetooth sensors, and says when they fail."
        let names =
            "Keys: [\(key(.acknowledge))] acknowledge alarms, [\(key(.pauseAudio))] pause the sound, "
            + "[\(key(.showLimits))] limits, [\(key(.showSettings))] settings, [\(key(.toggleHelp))] all keys, "
            + "[\(key(.quit))] quit. Any key closes this."
        let disclaimer = "Bedside is not a medical device. Do not rely on it for a diagnosis or for alarms."
        // A user who sees numbers has begun already.
        let paragraphs: [(String, Style)] =
            [(disclaimer, .strong)] + (hasNumbers ? [] : [(purpose, .plain), (start, .plain)]) + [(names, .plain)]
        var lines: [(String, Style)] = []
        for (text, style) in paragraphs {
            if !lines.isEmpty, !isShort { lines.append(("", .plain)) }
            lines += wrapped(text, columns: columns, glyphs: scene.glyphs).map { ($0, style) }
        }
        return lines
    }
}
