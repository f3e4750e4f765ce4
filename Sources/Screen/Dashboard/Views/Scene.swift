import Appearance
import Base
import Monitoring
import Vitals
import Wording

/// The input of every part of the screen.
///
/// It never changes. It is a class because every part refers to it, and a state is expensive to copy.
final class Scene {
    /// The patient, the sensors, the path to them.
    let state: MonitorState
    /// The view.
    let screen: ScreenState
    /// The present moment.
    let now: Moment
    /// The period of the graphs; `nil` without graphs.
    let frame: TrendFrame?
    /// The large vitals.
    let panels: [VitalPanel]
    /// The listed sensors, in their order.
    let sensors: [SensorState]
    let selectedSensor: SensorState?
    /// The shown alarms, the worst first.
    let alarms: [Alarm]
    /// Why Bluetooth cannot be used.
    let trouble: EnvironmentWarning?
    /// The early-warning bands of the measured vitals, in a line; empty without any.
    let bandText: String
    private let snoozed: Set<SnoozeKey>

    /// Collects the content of a frame.
    ///
    /// - Parameter former: The large vitals of the previous frame, at their places.
    init(state: MonitorState, screen: ScreenState, now: Moment, former: [VitalPanel] = []) {
        self.state = state
        self.screen = screen
        self.now = now
        let time = TimeText(now: now, timeZoneOffset: screen.session.timeZoneOffset)
        // Graphs that a page or the help covers are not needed.
        let isCovered = screen.pages.current != nil || screen.pages.help != nil
        let frame = isCovered ? nil : screen.trends.frame(glyphs: screen.glyphs, now: now)
        self.frame = frame
        let band = isCovered ? [:] : screen.layout.bandPlaces(screen.temperatureUnit)
        panels = state.shownPlaces(at: now).enumerated().map { index, slot in
            let frame =
                band[index].map { screen.trends.frame(glyphs: screen.glyphs, now: now, cells: $0.graph.columns) }
                ?? frame
            return VitalPanel(
                slot, state: state, screen: screen, time: time, frame: frame,
                former: former.indices.contains(index) ? former[index].picture : nil)
        }
        let sensors = screen.list.order.compactMap { state.sensor(address: $0) }
        self.sensors = sensors
        selectedSensor =
            screen.list.selection.map { address in
                sensors.first { $0.identity.address == address }
            } ?? sensors.first
        alarms = screen.shownAlarms(in: state)
        trouble = EnvironmentWarning(
            state, powerKey: screen.keys[.powerAdapter].isEmpty ? nil : screen.keys.name(of: .powerAdapter))
        snoozed = Set(state.signal.snoozes.map(\.key))
        let bands = EarlyWarningBands(state)
        let isASCII = screen.glyphs == .ascii
        let words = bands.text(dash: isASCII ? "-" : "—", none: isASCII ? "-" : "–")
        bandText = bands.areShown(state.settings.showsEarlyWarning) ? screen.glyphs.fit(words) : ""
    }

    /// The patient's name, if any; shown on every screen, so it must not fill a line.
    var patientName: String {
        screen.session.patient.map { ellipsized($0.text, columns: 20, glyphs: glyphs) } ?? ""
    }

    /// Whether an alarm's kind is silenced for a while.
    func isSnoozed(_ alarm: Alarm) -> Bool { snoozed.contains(alarm.snoozeKey) }

    /// That the trends are frozen, and for how long: "FROZEN 12 s"; `nil` while they are not.
    var frozenText: String? {
        guard let past = screen.trends.past, past.isFrozen else { return nil }
        return "FROZEN \(time.distance(to: TrendView.present(past.end, now)))"
    }

    /// Whether a scan is in progress.
    ///
    /// The pause of a scan during a connection is part of it; otherwise the text would flicker.
    var isScanning: Bool {
        guard trouble == nil, let adapter = state.environment.adapter else { return false }
        return adapter.isScanning
            || screen.isScanWanted && state.sensors.contains { $0.connection?.phase == .connecting }
    }

    /// Whatever keeps alarms from being heard, seen or recorded.
    var notices: Notices { screen.notices }

    /// The characters to draw with.
    var glyphs: GlyphSet { screen.glyphs }

    var time: TimeText { TimeText(now: now, timeZoneOffset: screen.session.timeZoneOffset) }

    var valueText: ValueText { ValueText(screen.units) }

    /// A sensor's name, or its address if it has none.
    func name(of sensor: SensorState) -> String {
        // ASCII needs no lookup.
        let isBlank = sensor.identity.name.unicodeScalars.allSatisfy { scalar in
            scalar.isASCII ? scalar.value <= 0x20 : scalar.properties.isWhitespace
        }
        return isBlank ? sensor.identity.address : sensor.identity.name
    }

    /// A number with its noun: "1 sensor", "3 sensors".
    static func count(_ number: Int, _ noun: String) -> String {
        number == 1 ? "1 \(noun)" : "\(number) \(noun)s"
    }
}
