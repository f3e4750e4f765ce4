import Appearance
import Monitoring
import TextGrid
import Wording

/// The lowest line: the keys that fit, a message, or an input or question.
struct KeyBarView {
    let scene: Scene

    /// Draws into the first row of an area.
    func draw(in area: Area, on grid: inout Grid) {
        if scene.screen.dialogs.inputLine != nil { return InputLineView(scene: scene).draw(in: area, on: &grid) }
        if let message = scene.screen.dialogs.message {
            // The key that ends the alarm's signals is never hidden.
            let keys = KeyLine(scene: scene)
            let rest = area.inset(right: keys.drawAcknowledge(in: area, on: &grid))
            let text = ellipsized(message, columns: rest.columns - 2, glyphs: scene.glyphs)
            if !text.isEmpty { grid.put(" \(text) ", Style(.plain, .reverse), in: rest) }
            return
        }
        if let history = HistoryView(scene: scene) { return history.draw(in: area, on: &grid) }
        KeyLine(scene: scene).draw(in: area, on: &grid)
    }

    /// The keys, if the line shows nothing else.
    var keys: KeyLine? {
        let dialogs = scene.screen.dialogs
        guard dialogs.inputLine == nil, dialogs.message == nil, HistoryView(scene: scene) == nil else { return nil }
        return KeyLine(scene: scene)
    }
}

extension Command {
    /// Whether it acts on sensors, the radio, sound or the settings, which a recording does not have.
    var isAboutThePresent: Bool {
        switch self {
        case .disconnect, .pair, .rename, .forget, .assignVitals, .toggleScanning, .chooseAdapter, .powerAdapter,
            .pauseAudio, .planSilence, .togglePulseTone, .speakValues, .pauseForCare, .newPatient, .chooseUser,
            .keepSettings, .saveLimit, .trace:
            true
        default: false
        }
    }
}
