import Dashboard
import Formats
import Monitoring
import MonitorLink
import Status
import Vitals
import Wording

/// The outputs besides the state itself: the screen, the lines of `watch`, the status.
struct Witnesses {
    private var lines = LineReport(
        interval: .seconds(1), context: SessionContext(provenance: .simulated, patient: nil, timeZoneOffset: 0))
    private var json = WatchEncoder(isSimulated: true)
    private(set) var liveNumbers = 0
    /// What draws the frames of each size one after the other.
    private var frames = FrameOracle.sizes.map { _ in FrameSequence() }

    /// What the status says that is not so.
    static func statusFault(_ state: borrowing MonitorState, _ ledger: Ledger) -> String? {
        let summary = StatusSummary(copy state, patient: nil, provenance: .simulated, now: state.now)
        for vital in summary.vitals where vital.state == .measured {
            let isLive = StorySensors.all.contains { sensor in
                guard case .measured(let value, _)? = ledger.live(sensor.address, vital.vital, at: state.now)?.outcome
                else { return false }
                return value == vital.value
            }
            if !isLive { return "the status shows \(vital.vital) as measured, which is not live" }
            if vital.quality != state[vital.vital].condition.lastSample?.quality {
                return "the status shows \(vital.vital) with another quality"
            }
        }
        if summary.alarms.map(\.id) != state.shownAlarms.prefix(StatusSummary.alarmLimit).map(\.id) {
            return "the status has other alarms than the monitor, or another order"
        }
        let text = StatusLine(summary).text
        if !text.hasPrefix("SIMULATED") { return "the status does not say SIMULATED" }
        return StatusDecoder.summary(StatusEncoder.line(summary, text: text))?.vitals == summary.vitals
            ? nil : "the status reads otherwise than it was written"
    }

    /// What a screen of one of the sizes says that is not so.
    mutating func frameFault(_ state: borrowing MonitorState, _ ledger: Ledger) -> String? {
        var screen = ScreenState()
        screen.session.isSimulated = true
        for (place, size) in FrameOracle.sizes.enumerated() {
            var oracle = FrameOracle(ledger, at: state.now)
            let grid = draw(state: copy state, screen: screen, size: size, now: state.now)
            if let fault = oracle.fault(of: grid, state) { return fault }
            liveNumbers += oracle.liveNumbers
            var prepared = screen
            prepared.prepare(for: copy state, size: size, at: state.now)
            let next = frames[place].drawPrepared(state: copy state, screen: prepared, size: size, now: state.now)
            if next != grid { return "a frame after others differs from the same one drawn alone" }
        }
        return nil
    }

    /// What the lines of `watch` say that is not so.
    mutating func lineFault(
        _ event: MonitorEvent, _ effects: [Effect], _ state: borrowing MonitorState
    ) -> String? {
        lines.handle(event, effects, copy state)
        json.write(event)
        for effect in effects { json.write(effect) }
        let words = lines.takeLines().split(separator: "\n").map(String.init)
        let objects = json.takeLines { String(decoding: $0, as: UTF8.self) }.split(separator: "\n").map(String.init)
        for line in words {
            if !line.contains("SIMULATED") { return "watch does not say SIMULATED: \(line)" }
            if let comparison = Comparisons.firstFalse(in: line) { return "watch says \(comparison): \(line)" }
        }
        for object in objects {
            if !object.contains("\"simulated\":true") { return "watch --json does not say simulated: \(object)" }
        }
        guard case .reading(let reading) = event.kind else { return nil }
        if case .measured(_, .malfunction) = reading.outcome,
            objects.first?.contains("\"quality\":\"questionable\",\"equipment\":\"malfunction\"") != true
        {
            return "watch --json gives a value without the malfunction beside it"
        }
        guard reading.late != nil else { return nil }
        return objects.first?.contains("\"late\"") == true ? nil : "watch --json gives a late value as one of now"
    }
}
