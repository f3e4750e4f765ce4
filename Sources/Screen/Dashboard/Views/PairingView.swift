import Appearance
import Monitoring
import TextGrid
import Vitals
import Wording

/// A pairing: passkeys in large digits, questions, and the result.
struct PairingView {
    let sensor: SensorState
    let pairing: PairingState
    let scene: Scene

    /// Creates the view of the pairing that takes the screen, if there is one.
    init?(scene: Scene) {
        guard let sensor = scene.screen.pairedSensor(in: scene.state), let pairing = sensor.pairing else { return nil }
        self.sensor = sensor
        self.pairing = pairing
        self.scene = scene
    }

    /// Draws over an area, which is blanked first.
    func draw(in area: Area, on grid: inout Grid) {
        grid.fill(area, " ", .plain)
        let words = PairingLabels(pairing, typed: scene.screen.dialogs.pairingPrompt?.text ?? "")
        let isBoxed = area.rows >= 8 && area.columns >= 30
        var inner = isBoxed ? area.inset(left: 2, right: 2, top: 1, bottom: 1) : area.inset(left: 1, right: 1)
        if isBoxed {
            FrameView(glyphs: scene.glyphs).drawBox(area, on: &grid)
            let title = ellipsized(
                " PAIR \(scene.name(of: sensor)) ", columns: area.columns - 4, glyphs: scene.glyphs)
            grid.put(title, .strong, at: 2, in: area.line(0))
        }
        // The actions of the keys must be visible in the smallest window, too.
        if inner.rows > 1 { grid.put(words.keys, .faint, in: inner.line(inner.rows - 1)) }
        inner = inner.inset(bottom: inner.rows > 1 ? 1 : 0)
        var lines = wrapped(words.text, columns: inner.columns, glyphs: scene.glyphs)
        // If both do not fit, the digits are more important than their sentence.
        if !words.large.isEmpty, lines.count >= inner.rows { lines.insert(words.large, at: 0) }
        for (row, line) in lines.prefix(inner.rows).enumerated() { grid.put(line, style, in: inner.line(row)) }
        let rest = inner.inset(top: min(inner.rows, lines.count))
        if rest.rows > 0, !words.large.isEmpty { drawLarge(words, in: rest, on: &grid) }
    }

    private var style: Style {
        switch pairing {
        case .failed: Style(.alarmLow, .bold)
        case .succeeded: Style(.good, .bold)
        default: .strong
        }
    }

    private func drawLarge(_ words: PairingLabels, in area: Area, on grid: inout Grid) {
        let digits = BigDigits.fitting(
            words.large, columns: area.columns, rows: area.rows - 1, glyphs: scene.glyphs)
        guard words.isDrawnLarge, area.rows > digits.rows, area.columns >= digits.columns(of: words.large) else {
            grid.put(words.large, .strong, in: area.line(area.rows - 1))
            return
        }
        let box = area.inset(top: 1)
        digits.draw(words.large, .strong, in: box, on: &grid)
    }
}
