import Appearance
import Base
import Monitoring
import TextGrid
import Vitals
import Wording

/// The first line: name, bed, simulated or not, adapter, sensors, clock.
struct HeaderView {
    let scene: Scene
    /// Whether the notices have no separate line and are shown here.
    var showsNotices = false

    /// The least width with the early-warning bands.
    static let columnsForBands = 150

    /// Draws into the first row of an area.
    func draw(in area: Area, on grid: inout Grid) {
        let screen = scene.screen
        let clock = scene.time.clock(scene.now)
        let margin = screen.session.isSimulated && area.columns < 5 ? 0 : 1
        let inner = area.inset(left: margin, right: margin)
        let hasNotices = showsNotices && !scene.notices.lines.isEmpty
        let showsClock = inner.columns >= (hasNotices ? 50 : screen.session.isSimulated ? 18 : 13)
        let patient = scene.patientName
        let room =
            inner.columns - (showsClock ? clock.count + 2 : 0) - (screen.session.isSimulated ? 13 : 0)
            - (patient.isEmpty ? 0 : columnWidth(of: patient) + 2)
        let notices = hasNotices ? NoticeView(scene: scene).text(columns: max(0, room)) : ""
        if showsClock { grid.putRight(clock, .strong, in: inner) }
        let segments = [
            Segment("BEDSIDE", Style(.brand, .bold), rank: 2),
            Segment(patient, Style(.plain, [.bold, .underline]), rank: 1),
            Segment(
                ellipsized(sanitized(screen.session.title), columns: 24, glyphs: scene.glyphs), .strong, rank: 3),
            Segment(simulatedText(columns: inner.columns), Style(.simulated, [.bold, .reverse]), rank: 0),
            Segment(viewText(columns: inner.columns), Style(.plain, .bold), rank: 1),
            Segment(notices, Style(.plain, .reverse), rank: 1),
            Segment(unconfirmedText, Style(.plain, .bold), rank: 3),
            Segment(adapterText, .plain, rank: 4),
            Segment(sensorText, .faint, rank: 7),
            Segment(recordingText, recordingStyle, rank: screen.session.recording == .failing ? 2 : 6),
            Segment(wardText, wardStyle, rank: 6),
            Segment(ScheduleLabels(scene).inForce, .plain, rank: 6),
            Segment(soundText, .faint, rank: 5),
            Segment(noLoudspeakerText(columns: inner.columns), Style(.alarmMedium), rank: 2),
            Segment(area.columns >= Self.columnsForBands ? scene.bandText : "", .plain, rank: 8),
        ]
        grid.put(segments, gap: 2, in: inner.inset(right: showsClock ? clock.count + 2 : 0))
    }

    /// The mark of simulated data, which is omitted last.
    private func simulatedText(columns: Int) -> String {
        guard scene.screen.session.isSimulated else { return "" }
        return columns >= 11 ? " SIMULATED " : columns >= 5 ? " SIM " : "SIM"
    }

    /// The mark of a view; short without space.
    private func viewText(columns: Int) -> String {
        guard let monitor = scene.screen.session.viewedMonitor else { return "" }
        if columns < 60 { return "VIEW" }
        let name = sanitized(monitor, limit: 48)
        return "VIEW of \(columns < 100 ? String(name.prefix { $0 != "," }) : name)"
    }

    /// The means of sound, unless a notice reports that there is none.
    private var soundText: String {
        if scene.screen.session.replay != nil { return "" }
        let means = scene.screen.soundMeans(scene.state)
        if scene.screen.lacksLoudspeaker(scene.state) { return "" }
        return (means == .bellOnly || means == .speakers) && !scene.state.signal.isOff ? means.text : ""
    }

    /// The warning that only the bell rings, until a loudspeaker works.
    private func noLoudspeakerText(columns: Int) -> String {
        guard scene.screen.lacksLoudspeaker(scene.state) else { return "" }
        return columns >= 100 ? "NO LOUDSPEAKER \(scene.glyphs.dash) bell only" : "NO LOUDSPEAKER"
    }

    /// How many measurements wait to be confirmed, with the key of their page.
    private var unconfirmedText: String {
        let count = scene.state.patientRecord.entries.count(where: \.isUnconfirmed)
        return count == 0 ? "" : "\(count) to confirm (\(scene.screen.keys.name(of: .showEntries)))"
    }

    /// Whether readings are recorded.
    private var recordingText: String { scene.screen.session.recording.text(scene.glyphs) }

    private var recordingStyle: Style {
        switch scene.screen.session.recording {
        case .unknown, .off: .faint
        case .on: .plain
        case .failing: Style(.plain, [.bold, .reverse])
        }
    }

    /// Whether a ward can see this monitor, or since when it cannot.
    private var wardText: String {
        switch scene.state.environment.wardLink {
        case nil: ""
        case .connected: "WARD \(scene.glyphs.full)"
        case .lost(_, let since): "NO WARD since \(scene.time.clock(since).prefix(5))"
        }
    }

    private var wardStyle: Style {
        if case .lost = scene.state.environment.wardLink { Style(.plain, [.bold, .reverse]) } else { .plain }
    }

    /// The adapter and whether it scans.
    private var adapterText: String {
        if scene.screen.session.replay != nil { return "" }
        let environment = scene.state.environment
        if scene.state.hasNoMonitor { return "no monitor" }
        if let trouble = scene.trouble { return trouble.text }
        guard let adapter = environment.adapter else { return "looking for Bluetooth" }
        let name = adapter.identifier.map { sanitized($0, limit: 12) } ?? ""
        let mark = scene.isScanning ? scene.glyphs.full : scene.glyphs.empty
        // Connected and sleeping sensors do not advertise; readings prove that the radio works.
        let isSomeAsleep = scene.state.sensors.contains { $0.connection?.reason == .asleep }
        let hearsNothing = adapter.hearsNothing && connectedCount == 0 && !isSomeAsleep
        let state = hearsNothing ? "hears nothing" : scene.isScanning ? "scanning" : "not scanning"
        let others = environment.adapters.count > 1 ? ", \(environment.adapters.count) adapters" : ""
        return "\(name) \(mark) \(state)\(others)"
    }

    /// The number of sensors, and of connected ones.
    private var sensorText: String {
        let sensors = scene.sensors
        guard !sensors.isEmpty else { return "no sensors" }
        let count = Scene.count(sensors.count, "sensor")
        return connectedCount == 0 ? count : "\(count), \(connectedCount) connected"
    }

    private var connectedCount: Int { scene.sensors.count(where: \.isConnected) }
}
