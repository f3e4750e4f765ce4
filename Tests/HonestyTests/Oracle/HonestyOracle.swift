import Monitoring
import Vitals

/// Compares what a monitor knows with what it was sent, by the sentences of the article "Honesty".
struct HonestyOracle {
    /// What is not so.
    private(set) var faults: [String] = []
    /// How much was looked at, to know that something was tested.
    private(set) var liveValues = 0
    private(set) var alarms = 0
    private(set) var malfunctions = 0
    private(set) var ledger = Ledger()
    private var owners: [Vital: SensorIdentity] = [:]

    /// Takes in what happens, before the monitor shows what it makes of it.
    mutating func follow(_ input: MonitorInput) {
        ledger.follow(input)
    }

    /// The program was killed and started again.
    mutating func restart() {
        ledger.restart()
        owners = [:]
    }

    /// Looks at the state of the monitor after an input or a deadline.
    mutating func examine(_ state: borrowing MonitorState) {
        for vital in Vital.allCases { examine(vital, state) }
        let alarms = state.shownAlarms
        for alarm in alarms { examine(alarm, state) }
        demandOrder(alarms, state)
        for sensor in state.sensors {
            examine(sensor, state)
            demandFaultAlarm(sensor.identity.address, state)
        }
    }

    private mutating func fault(_ words: String) { faults.append(words) }

    // MARK: Vitals

    private mutating func examine(_ vital: Vital, _ state: borrowing MonitorState) {
        let shown = state[vital]
        if case .measured(let sample) = shown.condition {
            liveValues += 1
            if let fault = disproof(of: sample, vital, state.now) { self.fault("\(vital) shows as now \(fault)") }
        }
        demandOwner(vital, shown.source, state.now)
        if let last = shown.condition.lastSample, !Ledger.isPossible(last.value, of: vital) {
            fault("\(vital) keeps \(last.value.hundredths), which no sensor can measure")
        }
    }

    /// Why a sample is not the one that its sensor gives at present; `nil` when it is.
    private func disproof(of sample: Sample, _ vital: Vital, _ now: Moment) -> String? {
        guard let live = ledger.live(sample.sensor.address, vital, at: now) else { return "what is not live" }
        guard case .measured(let value, let quality) = live.outcome else { return "an absence" }
        if value != sample.value { return "\(sample.value.hundredths) where the sensor says \(value.hundredths)" }
        if quality != sample.quality { return "a quality that the sensor has not given" }
        if let site = live.site, site != sample.site { return "\(String(describing: sample.site)) for \(site)" }
        return live.moment == sample.moment ? nil : "a time that is not the reading's"
    }

    /// A vital stays with the sensor that has measured it while that one is wanted, unless the user assigns another one.
    private mutating func demandOwner(_ vital: Vital, _ source: SensorIdentity?, _ now: Moment) {
        defer { owners[vital] = source }
        guard let owner = owners[vital], let source, owner.address != source.address, owner.kind == source.kind,
            ledger.hasMeasured(owner.address, vital), !ledger.unwanted.contains(owner.address),
            ledger.assignments[source.address]?.contains(vital) != true
        else { return }
        fault("\(vital) moved from \(owner.address) to \(source.address) without a request")
    }

    private mutating func examine(_ sensor: SensorState, _ state: borrowing MonitorState) {
        for vital in sensor.vitals {
            guard case .measured(let sample) = vital.condition,
                let fault = disproof(of: sample, vital.vital, state.now)
            else { continue }
            self.fault("\(sensor.identity.name)'s \(vital.vital) is \(fault)")
        }
    }

    // MARK: Alarms

    private mutating func examine(_ alarm: Alarm, _ state: borrowing MonitorState) {
        alarms += 1
        let text = state.text(of: alarm)
        if let comparison = Comparisons.firstFalse(in: text) { fault("\"\(text)\" says \(comparison)") }
        guard text.contains("now ") else { return }
        guard let sensor = alarm.sensor, let vital = alarm.vital,
            let live = ledger.live(sensor.address, vital, at: state.now),
            case .measured(let value, _) = live.outcome, value == alarm.value
        else { return fault("\"\(text)\" says now of what is not live") }
    }

    /// A sensor that reports a malfunction has a technical alarm, and one that does not has none of now.
    private mutating func demandFaultAlarm(_ address: String, _ state: borrowing MonitorState) {
        let alarm = state.alarms.first { $0.kind == .equipment && $0.sensor?.address == address }
        if let alarm, alarm.state == .active || alarm.state == .acknowledged, !ledger.reportsFault(address) {
            fault("\"\(state.text(of: alarm))\" is active, and its sensor does not say so")
        }
        // The alarm waits for five seconds.
        guard ledger.malfunctionLasts(address) >= .seconds(6) else { return }
        malfunctions += 1
        if alarm == nil || alarm?.state == .pending {
            fault("\(address) reports a malfunction, and there is no technical alarm")
        }
    }

    /// What is unanswered and not over comes before what is answered, held or over.
    private mutating func demandOrder(_ alarms: [Alarm], _ state: borrowing MonitorState) {
        for (alarm, next) in zip(alarms, alarms.dropFirst()) where !alarm.isUnanswered && next.isUnanswered {
            return fault("\"\(state.text(of: alarm))\" comes before \"\(state.text(of: next))\", which is unanswered")
        }
    }
}

extension Alarm {
    /// Whether it is neither over nor acknowledged nor postponed.
    fileprivate var isUnanswered: Bool { state != .ended && acknowledgedAt == nil && heldUntil == nil }
}
