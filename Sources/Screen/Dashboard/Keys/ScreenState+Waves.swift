import Appearance
import Vitals
import Waves
import Wording

// What keys do about waves, on the main view and on their page.
extension ScreenState {
    /// Shows trends in the strips of waves, or the waves again.
    mutating func toggleWaves() {
        guard waves.isGiven else {
            dialogs.message = "No sensor sends a wave."
            return
        }
        waves.showsTrends.toggle()
        waves.frozen = nil
        dialogs.message = waves.showsTrends ? "The strips show trends." : "The strips show waves."
    }

    /// Changes the height of electrocardiograms.
    mutating func changeWaveGain() {
        guard waves.strips.values.contains(where: { $0.kind.traits.isGainFixed && $0.phase == .drawn }) else {
            dialogs.message = "No ECG is shown."
            return
        }
        waves.gain = waves.gain.next
        dialogs.message = "The ECG has \(waves.gain.text)."
    }

    /// Moves the marks on frozen waves.
    ///
    /// - Returns: Whether the command did that.
    mutating func handleFrozenWaves(_ command: Command) -> Bool {
        guard waves.frozen != nil else { return false }
        switch command {
        case .cursorLeft, .previousWave: waves.moveCaliper(left: true, columns: waveColumns)
        case .cursorRight, .nextWave: waves.moveCaliper(left: false, columns: waveColumns)
        case .selectPrevious, .selectNext: waves.takeOtherCaliper()
        default: return false
        }
        return true
    }

    /// The columns of dots of a strip.
    private var waveColumns: Int {
        let cells =
            pages.current == .wave
            ? WavePage.places(in: PageView.content(of: layout.page)).strip.columns : layout.graphCells(temperatureUnit)
        return WaveSweep(
            cells: cells, columnsPerCell: TrendGraph.columns(in: 1, glyphs: glyphs), screenColumns: layout.basis.columns
        ).columns - WaveSweep.erasedCells * TrendGraph.columns(in: 1, glyphs: glyphs)
    }
}
