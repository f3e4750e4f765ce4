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
    /// From the left: the alarm's key, the page's own, then the others.
    private let labels: [Label]
    /// At the right end, where they are on every page: the way back, the help, the way out.
    private let tail: [Label]

    /// What a key does now.
    private struct Label: Hashable {
        /// The number of its binding.
        var number: Int
        var command: Command
        var text: String
        var rank: Int
    }

    private struct Entry {
        var name: String
        var label: Label
        var key: Key?

        var text: String { " \(name) \(label.text)" }
    }

    /// The commands at the right end, in their order.
    private static let tailCommands: [Command] = [.close, .toggleHelp, .quit]
    /// The commands that make the program worth using, before all others that are not of the page itself.
    private static let usefulCommands: [Command] = [.showEntries, .showDays, .cursorLeft, .toggleDistance]

    init(scene: Scene) {
        keys = scene.screen.keys
        glyphs = scene.glyphs
        let context = KeyContext(scene.screen.pages.current)
        var labels: [Label] = []
        for (number, binding) in keys.bindings.enumerated() {
            guard let bar = binding.bar, binding.context.overlaps(context),
                let text = Self.label(of: binding.command, usual: bar.label, scene)
            else { continue }
            labels.append(Label(number: number, command: binding.command, text: text, rank: bar.rank))
        }
        let bindings = keys.bindings
        func place(_ label: Label) -> Int {
            if label.command == .acknowledge { return 0 }
            let own = bindings[label.number].context
            if own != .everywhere, own != .main && own != .listing || context != .main { return 1 }
            return Self.usefulCommands.firstIndex(of: label.command).map { $0 + 2 } ?? .max
        }
        tail = Self.tailCommands.compactMap { command in labels.first { $0.command == command } }
        // Within each place in the order of the table.
        let places = Dictionary(grouping: labels.filter { !Self.tailCommands.contains($0.command) }, by: place)
        self.labels = places.keys.sorted().flatMap { places[$0] ?? [] }
    }

    /// The columns from which on keys have room around them; below, more of them fit.
    private static let roomyColumns = 100

    /// Draws into the first row of an area.
    func draw(in area: Area, on grid: inout Grid) {
        let isRoomy = area.columns >= Self.roomyColumns
        let (entries, ends) = (labels.map(entry), tail.map(entry))
        let gap = isRoomy ? 2 : 1
        let pieces = (entries + ends).map { Segment($0.text, .plain, rank: $0.label.rank) }
        let kept = Set(Segment.fitting(pieces, gap: gap, columns: area.columns - 1).map(\.rank))
        let (shown, end) = (
            entries.filter { kept.contains($0.label.rank) }, ends.filter { kept.contains($0.label.rank) }
        )
        var offset = 0
        for entry in shown { offset = put(entry, at: offset, in: area, on: &grid) + gap }
        let columns = Segment.width(of: end.map { Segment($0.text, .plain, rank: 0) }, gap: gap)
        offset = area.columns - 1 - columns
        for entry in end { offset = put(entry, at: offset, in: area, on: &grid) + gap }
    }

    /// Draws only the key that acknowledges alarms, at the right end of an area, while an alarm is unacknowledged.
    ///
    /// - Returns: Its width in columns.
    func drawAcknowledge(in area: Area, on grid: inout Grid) -> Int {
        guard let entry = labels.first(where: { $0.command == .acknowledge }).map(entry),
            columnWidth(of: entry.text) < area.columns
        else { return 0 }
        let columns = columnWidth(of: entry.text) + 1
        put(entry, at: area.columns - columns, in: area, on: &grid)
        return columns
    }

    private func entry(_ label: Label) -> Entry {
        let binding = keys.bindings[label.number]
        return Entry(name: name(of: binding), label: label, key: binding.keys.first)
    }

    /// Draws an entry.
    ///
    /// - Returns: The offset after it.
    @discardableResult
    private func put(_ entry: Entry, at start: Int, in area: Area, on grid: inout Grid) -> Int {
        var offset = grid.put(" \(entry.name)", Style(.key, .bold), at: start, in: area)
        offset = grid.put(" \(entry.label.text)", .faint, at: offset, in: area)
        if offset < area.columns { grid.put(" ", .plain, at: offset, in: area) }
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
        case .previousDay where binding.keys.contains(.left), .previousNight where binding.keys.contains(.left):
            glyphs.leftRight
        case .nextWave where binding.keys.contains(.right): glyphs.leftRight
        case .cursorLeft where binding.keys.contains(.left): glyphs.left
        case .zoomOut where binding.keys.contains(.character("-")): "+ -"
        default: binding.name
        }
    }

    /// What a key would do now; `nil` when it would do nothing.
    private static func label(of command: Command, usual: String, _ scene: Scene) -> String? {
        // The screen and the state are large: copies of them for each key would cost more than all else in the line.
        let open = scene.screen.pages.current
        if scene.screen.session.replay != nil, command.isAboutThePresent { return nil }
        // The key closes the page then, and there is a shorter way.
        if let open, command == open.type.opener { return nil }
        var selected: SensorState? { scene.selectedSensor }
        let hasSensors = scene.sensors.count > 1
        // No row is selected in sight then; the key that connects opens the list.
        let hasChips = open == nil && scene.screen.layout.hasChips
        switch command {
        case .confirmEntry: return scene.state.patientRecord.entries.contains(where: \.isUnconfirmed) ? usual : nil
        // Where Enter opens the page, too, one of the two is enough.
        case .showSensor: return selected.map(scene.screen.opens) == false ? usual : nil
        case .showRhythm: return selected?.rhythm.isEmpty == false ? usual : nil
        case .disconnect: return selected?.isWanted == true ? usual : nil
        case .rename: return selected == nil || hasChips ? nil : usual
        case .connect where hasChips: return "sensors"
        case .connect:
            guard let selected else { return nil }
            return !scene.screen.opens(selected) ? usual : open == .sensor ? nil : "open"
        case .nextSensor: return hasSensors ? usual : nil
        case .zoomOut, .fitScale, .cursorLeft: return scene.frame == nil ? nil : usual
        case .toggleWaves: return scene.screen.waves.isGiven ? scene.screen.waves.showsTrends ? "waves" : "trends" : nil
        case .showWave: return scene.screen.waves.isGiven ? usual : nil
        case .freeze where open == .wave: return scene.screen.waves.isDrawn ? usual : nil
        case .freeze: return open != nil || scene.frame == nil || scene.screen.session.replay != nil ? nil : usual
        case .toggleScanning: return scene.screen.isScanWanted ? "stop scan" : "scan"
        case .filter where hasChips: return nil
        case .filter where scene.screen.list.filter.isEmpty: return hasSensors ? usual : nil
        case .toggleTemperatureUnit:
            return "\(scene.glyphs.degree)\(scene.screen.temperatureUnit.other == .celsius ? "C" : "F")"
        case .acknowledge: return scene.alarms.contains { $0.acknowledgedAt == nil } ? usual : nil
        case .showAlarms: return scene.alarms.isEmpty && scene.notices.lines.isEmpty ? nil : usual
        case .pauseAudio:
            if scene.state.signal.pausedUntil != nil { return "sound" }
            return scene.state.signal.priority == nil ? nil : usual
        case .close: return open == nil ? nil : usual
        case .quit: return open == nil ? usual : nil
        default: break
        }
        if let open { return scene.screen.pages[open].keyLabel(of: command, usual: usual, scene) }
        switch command {
        case .selectNext: return hasSensors && !hasChips ? usual : nil
        case .pauseForCare: return selected == nil ? nil : usual
        default: return usual
        }
    }
}
