import Appearance
import Monitoring

/// The lowest line: the keys that fit, a message, or what is typed or asked.
struct KeyBarView {
    let scene: Scene
    /// Whether the line is the lower border of a frame, which shows between the keys.
    let isFramed: Bool

    private struct Entry {
        var command: Command
        var name: String
        var label: String
        var rank: Int
        var key: Key?
    }

    /// Draws into the first row of an area.
    func draw(in area: Area, on grid: inout Grid) {
        if scene.screen.dialogs.inputLine != nil { return InputLineView(scene: scene).draw(in: area, on: &grid) }
        if let message = scene.screen.dialogs.message {
            let text = ellipsized(message, columns: area.columns - 2, glyphs: scene.glyphs)
            grid.put(" \(text) ", Style(.plain, .reverse), in: area)
            return
        }
        if let history = HistoryView(scene: scene) { return history.draw(in: area, on: &grid) }
        var entries = scene.screen.keys.bindings.compactMap { binding -> Entry? in
            guard let bar = binding.bar, binding.isUsable(on: scene.screen.pages.current),
                let label = label(of: binding.command, usual: bar.label)
            else { return nil }
            return Entry(
                command: binding.command, name: name(of: binding), label: label, rank: bar.rank, key: binding.keys.first
            )
        }
        // Help and the way out stand last, wherever they are in the table.
        let last = entries.filter { [.toggleHelp, .quit].contains($0.command) }
        entries = entries.filter { ![.toggleHelp, .quit].contains($0.command) } + last
        let pieces = entries.map { Segment(" \($0.name) \($0.label) ", .plain, rank: $0.rank) }
        let kept = Segment.fitting(pieces, gap: 1, columns: area.columns)
        var offset = 0
        for entry in entries where kept.contains(where: { $0.rank == entry.rank }) {
            let start = offset
            offset = grid.put(" \(entry.name)", Style(.key, .bold), at: offset, in: area)
            offset = grid.put(" \(entry.label) ", isFramed ? .faint : .plain, at: offset, in: area) + 1
            guard let key = entry.key else { continue }
            grid.record(
                .key(key),
                in: Area(column: area.column + start, row: area.row, columns: offset - start - 1, rows: area.rows))
        }
    }

    /// The arrows themselves, where they select rows; one key represents its counterpart, too.
    private func name(of binding: KeyBinding) -> String {
        switch binding.command {
        case .selectNext where binding.keys.contains(.down): scene.glyphs.upDown
        case .previousDay where binding.keys.contains(.left): scene.glyphs.leftRight
        case .zoomOut where binding.keys.contains(.character("-")): "+ -"
        default: binding.name
        }
    }

    /// What the key would do now; `nil` when it would do nothing.
    private func label(of command: Command, usual: String) -> String? {
        let page = scene.screen.pages.current
        if scene.screen.session.replay != nil, command.isAboutThePresent { return nil }
        switch command {
        case .selectNext where page == .contacts: return nil
        case .selectNext where page == .days: return scene.screen.days.graphs.count > 1 ? "graphs" : nil
        case .openDay, .previousDay: return scene.screen.days.overview == nil ? nil : usual
        case .selectNext where page != nil: return page == .log || page == .sensor ? "scroll" : usual
        case .showSensor:
            // Where Enter opens the page, too, one of the two is enough.
            return page == .sensor ? nil : scene.selectedSensor.flatMap { scene.screen.opens($0) ? nil : usual }
        case .showRhythm: return page == .rhythm || scene.selectedSensor?.rhythm.isEmpty != false ? nil : usual
        case .disconnect: return scene.selectedSensor?.isWanted == true ? usual : nil
        case .nextSensor: return scene.sensors.count > 1 ? usual : nil
        case .showAlarms where page == .alarms, .showLog where page == .log, .showLimits where page == .limits,
            .showSettings where page == .settings, .showEntries where page == .entries,
            .showRecord where page == .record, .showDays where page == .days:
            return nil
        case .close: return page == nil ? nil : usual
        case .zoomOut, .fitScale, .cursorLeft: return scene.frame == nil ? nil : usual
        case .quit: return page == nil ? usual : nil
        case .pauseAudio:
            let signal = scene.state.signal
            return signal.pausedUntil != nil ? "sound" : signal.priority == nil ? nil : usual
        case .showAlarms where scene.alarms.isEmpty && scene.notices.lines.isEmpty: return nil
        case .pauseForCare:
            return page == nil || page == .alarms ? scene.selectedSensor.map { _ in usual } : nil
        case .selectNext:
            return scene.sensors.count > 1 ? usual : nil
        case .connect:
            guard let sensor = scene.selectedSensor else { return nil }
            return !scene.screen.opens(sensor) ? usual : page == .sensor ? nil : "details"
        case .toggleScanning:
            return scene.screen.isScanWanted ? "stop scan" : "scan"
        case .acknowledge:
            return scene.alarms.contains { $0.acknowledgedAt == nil } ? usual : nil
        case .filter where scene.screen.list.filter.isEmpty: return scene.sensors.count > 1 ? usual : nil
        case .rename: return scene.selectedSensor == nil ? nil : usual
        case .toggleTemperatureUnit:
            return "\(scene.glyphs.degree)\(scene.screen.temperatureUnit == .celsius ? "F" : "C")"
        default:
            return usual
        }
    }
}

extension Command {
    /// Whether it does something about sensors, the radio, sound or the settings, which no recording has.
    var isAboutThePresent: Bool {
        switch self {
        case .disconnect, .pair, .rename, .forget, .assignVitals, .toggleScanning, .chooseAdapter, .powerAdapter,
            .pauseAudio, .togglePulseTone, .speakValues, .pauseForCare, .newPatient, .keepSettings,
            .saveLimit:
            true
        default: false
        }
    }
}
