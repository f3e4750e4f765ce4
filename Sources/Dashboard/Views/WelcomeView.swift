import Appearance
import Monitoring

/// The card that greets the very first start: what Bedside is and is not, how to begin, and the keys.
///
/// It stands where the vitals would be, never over an alarm, and only as long as nothing is measured.
struct WelcomeView {
    let scene: Scene

    /// Creates the card, if it is visible.
    init?(scene: Scene) {
        guard scene.screen.isWelcomeShown(in: scene.state) else { return nil }
        self.scene = scene
    }

    /// Draws over an area, which is blanked first.
    func draw(in area: Area, on grid: inout Grid) {
        grid.fill(area, " ", .plain)
        let isBoxed = area.rows >= 8 && area.columns >= 36
        let width = isBoxed ? min(area.columns, 76) : area.columns
        let airy = self.lines(columns: width - (isBoxed ? 4 : 2), isShort: false)
        // The keys come last and must be visible: where there is little space, the paragraphs move together.
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
        grid.putRight(" any key closes this ", .faint, in: box.line(0).inset(right: 2))
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
        let paragraphs: [(String, Style)] = [
            ("Bedside is not a medical device. Do not rely on it for a diagnosis or for alarms.", .strong),
            (
                "It shows temperature, heart rate and oxygen saturation of Bluetooth sensors, and says when they fail.",
                .plain
            ),
            (
                "To begin: put a sensor on (most straps wake up only when worn), close its phone app, and keep it within "
                    + "a few metres. It appears in the list below; \(scene.glyphs.upDown) selects it and "
                    + "\(key(.connect)) connects it, now and at every later start.", .plain
            ),
            (
                "Keys: [\(key(.acknowledge))] acknowledge alarms, [\(key(.pauseAudio))] pause the sound, "
                    + "[\(key(.showLimits))] limits, [\(key(.showSettings))] settings, [\(key(.toggleHelp))] all keys, "
                    + "[\(key(.quit))] quit.", .plain
            ),
        ]
        var lines: [(String, Style)] = []
        for (text, style) in paragraphs {
            if !lines.isEmpty, !isShort { lines.append(("", .plain)) }
            lines += wrapped(text, columns: columns, glyphs: scene.glyphs).map { ($0, style) }
        }
        return lines
    }
}

extension ScreenState {
    /// Whether the card that greets is shown: until a key is pressed, or a value comes.
    func isWelcomeShown(in state: MonitorState) -> Bool {
        dialogs.showsWelcome && !state.vitals.contains(where: \.condition.isMeasured)
    }
}
