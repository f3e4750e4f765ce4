import Appearance
import Base
import Monitoring
import TextGrid
import Vitals
import Wording

/// The keys that have an effect now, in a line.
///
/// It contains everything that its drawing depends on, so that equal ones look the same.
struct KeyLine: Hashable {
    private let keys: KeyMap
    private let glyphs: GlyphSet
    /// Whether the line is the lower border of a frame, which is visible between the keys.
    private let isFramed: Bool
    private let page: ScreenState.Page?
    private let isReplay: Bool
    private let isScanWanted: Bool
    private let isFiltered: Bool
    private let temperatureUnit: TemperatureUnit
    private let hasTrends: Bool
    private let hasDays: Bool
    private let hasDayGraphs: Bool
    private let hasSensors: Bool
    private let selected: Selected?
    private let hasAlarms: Bool
    private let isUnacknowledged: Bool
    private let isSoundPaused: Bool
    private let hasSound: Bool

    /// The keys' actions on the selected sensor.
    private struct Selected: Hashable {
        var isWanted: Bool
        /// Whether the key that connects opens its page instead.
        var opens: Bool
        var hasRhythm: Bool
    }

    private struct Entry {
        var command: Command
        var name: String
        var label: String
        var rank: Int
        var key: Key?

        var text: String { " \(name) \(label) " }
    }

    init(scene: Scene, isFramed: Bool) {
        keys = scene.screen.keys
        glyphs = scene.glyphs
        self.isFramed = isFramed
        page = scene.screen.pages.current
        isReplay = scene.screen.session.replay != nil
        isScanWanted = scene.screen.isScanWanted
        isFiltered = !scene.screen.list.filter.isEmpty
        temperatureUnit = scene.screen.temperatureUnit
        hasTrends = scene.frame != nil
        hasDays = scene.screen.days.overview != nil
        hasDayGraphs = page == .days && scene.screen.days.graphs.count > 1
        hasSensors = scene.sensors.count > 1
        selected = scene.selectedSensor.map {
            Selected(isWanted: $0.isWanted, opens: scene.screen.opens($0), hasRhythm: !$0.rhythm.isEmpty)
        }
        hasAlarms = !scene.alarms.isEmpty || !scene.notices.lines.isEmpty
        isUnacknowledged = scene.alarms.contains { $0.acknowledgedAt == nil }
        isSoundPaused = scene.state.signal.pausedUntil != nil
        hasSound = scene.state.signal.priority != nil
    }

    /// Draws into the first row of an area.
    func draw(in area: Area, on grid: inout Grid) {
        var entries = keys.bindings.compactMap(entry)
        // Help and the way out are last, wherever they are in the table.
        let last = entries.filter { [.toggleHelp, .quit].contains($0.command) }
        entries = entries.filter { ![.toggleHelp, .quit].contains($0.command) } + last
        let pieces = entries.map { Segment($0.text, .plain, rank: $0.rank) }
        let kept = Segment.fitting(pieces, gap: 1, columns: area.columns)
        var offset = 0
        for entry in entries where kept.contains(where: { $0.rank == entry.rank }) {
            offset = put(entry, at: offset, in: area, on: &grid) + 1
        }
    }

    /// Draws only the key that acknowledges alarms, at the right end of an area, while an alarm is unacknowledged.
    ///
    /// - Returns: Its width in columns.
    func drawAcknowledge(in area: Area, on grid: inout Grid) -> Int {
        let binding = keys.bindings.first { $0.command == .acknowledge }
        guard let entry = binding.flatMap(entry), columnWidth(of: entry.text) <= area.columns else { return 0 }
        let columns = columnWidth(of: entry.text)
        put(entry, at: area.columns - columns, in: area, on: &grid)
        return columns
    }

    private func entry(_ binding: KeyBinding) -> Entry? {
        guard let bar = binding.bar, binding.isUsable(on: page),
            let label = label(of: binding.command, usual: bar.label)
        else { return nil }
        return Entry(
            command: binding.command, name: name(of: binding), label: label, rank: bar.rank, key: binding.keys.first)
    }

    /// Draws an entry.
    ///
    /// - Returns: The offset after it.
    @discardableResult
    private func put(_ entry: Entry, at start: Int, in area: Area, on grid: inout Grid) -> Int {
        var offset = grid.put(" \(entry.name)", Style(.key, .bold), at: start, in: area)
        offset = grid.put(" \(entry.label) ", isFramed ? .faint : .plain, at: offset, in: area)
        if let key = entry.key {
            grid.record(
                .key(key),
                in: Area(column: area.column + start, row: area.row, columns: offset - start, rows: area.rows))
        }
        return offset
    }

    /// The arrows themselves, if they select rows; one key represents its counterpart, too.
    private func name(of binding: KeyBinding) -> String {
        switch binding.command {
        case .selectNext where binding.keys.contains(.down): glyphs.upDown
        case .previousDay where binding.keys.contains(.left): glyphs.leftRight
        case .zoomOut where binding.keys.contains(.character("-")): "+ -"
        default: binding.name
        }
    }

    /// The action of the key now; `nil` for none.
    private func label(of command: Command, usual: String) -> String? {
        if isReplay, command.isAboutThePresent { return nil }
        switch command {
        case .selectNext where page == .contacts: return nil
        case .selectNext where page == .days: return hasDayGraphs ? "graphs" : nil
        case .openDay, .previousDay: return hasDays ? usual : nil
        case .selectNext where page != nil: return page == .log || page == .sensor ? "scroll" : usual
        case .showSensor:
            // If Enter opens the page, too, one of the two is enough.
            return page == .sensor || selected?.opens != false ? nil : usual
        case .showRhythm: return page == .rhythm || selected?.hasRhythm != true ? nil : usual
        case .disconnect: return selected?.isWanted == true ? usual : nil
        case .nextSensor: return hasSensors ? usual : nil
        case .showAlarms where page == .alarms, .showLog where page == .log, .showLimits where page == .limits,
            .showSettings where page == .settings, .showEntries where page == .entries,
            .showRecord where page == .record, .showDays where page == .days:
            return nil
        case .close: return page == nil ? nil : usual
        case .zoomOut, .fitScale, .cursorLeft: return hasTrends ? usual : nil
        case .quit: return page == nil ? usual : nil
        case .pauseAudio: return isSoundPaused ? "sound" : hasSound ? usual : nil
        case .showAlarms where !hasAlarms: return nil
        case .pauseForCare: return (page == nil || page == .alarms) && selected != nil ? usual : nil
        case .selectNext: return hasSensors ? usual : nil
        case .connect:
            guard let selected else { return nil }
            return !selected.opens ? usual : page == .sensor ? nil : "details"
        case .toggleScanning: return isScanWanted ? "stop scan" : "scan"
        case .acknowledge: return isUnacknowledged ? usual : nil
        case .filter where !isFiltered: return hasSensors ? usual : nil
        case .rename: return selected == nil ? nil : usual
        case .toggleTemperatureUnit: return "\(glyphs.degree)\(temperatureUnit == .celsius ? "F" : "C")"
        default: return usual
        }
    }
}
