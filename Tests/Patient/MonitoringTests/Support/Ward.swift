import Testing
import Vitals

@testable import Monitoring

/// A monitor with a hand-driven clock, which demands that every effect of every event is expected.
///
/// Effects are written as short words: `reading heart_rate silent`, `fever_single active high`. Sounds and records of
/// actions are in ``sounds`` and ``actions``.
struct Ward {
    var state: MonitorState
    /// The sounds that were begun: `high 12.0`, `reminder 120.0`.
    var sounds: [String] = []
    /// The log's actions: `user acknowledged`.
    var actions: [String] = []

    /// Makes a ward; without settings, the usual ones with every limit off, so that rules are seen one at a time.
    init(settings: MonitorSettings = .withoutLimits) {
        state = MonitorState(settings: settings, start: Self.moment(0))
    }

    /// The moment this many seconds after the start.
    static func moment(_ seconds: Double) -> Moment {
        let milliseconds = Int64((seconds * 1000).rounded())
        return Moment(
            monotonicNanoseconds: 5_000_000_000_000 + milliseconds * 1_000_000,
            wallMilliseconds: 1_750_000_000_000 + milliseconds)
    }

    /// Applies an event and demands exactly these effects.
    mutating func receive(
        _ kind: MonitorEvent.Kind, at seconds: Double, expecting expected: [String] = [],
        _ location: SourceLocation = #_sourceLocation
    ) {
        let effects = state.apply(MonitorEvent(moment: Self.moment(seconds), kind: kind))
        check(effects, at: seconds, expected, location)
    }

    private mutating func check(
        _ effects: [Effect], at seconds: Double, _ expected: [String], _ location: SourceLocation
    ) {
        for effect in effects {
            switch effect {
            case .soundBurst(let priority, let moment): sounds.append("\(priority.rawValue) \(Self.seconds(moment))")
            case .soundReminder(let moment): sounds.append("reminder \(Self.seconds(moment))")
            case .alarmAgain(let alarm, let moment):
                sounds.append("again \(alarm.kind.rawValue) \(Self.seconds(moment))")
            case .latchReset(let alarm, _): actions.append("reset \(alarm.kind.rawValue)")
            case .unanswered(let alarm, _): actions.append("unanswered \(alarm.kind.rawValue)")
            case .action(let record): actions.append("\(record.actor.rawValue) \(record.kind.word)")
            default: break
            }
        }
        #expect(effects.compactMap(\.summary) == expected, "at \(seconds) s", sourceLocation: location)
    }

    /// A sensor sends the same value at each of these seconds; returns the effects.
    @discardableResult
    mutating func stream(
        _ vital: Vital, _ hundredths: Int, from sensor: SensorIdentity, at seconds: some Sequence<Double>
    ) -> [String] {
        var words: [String] = []
        for second in seconds {
            let reading = Reading(
                sensor: sensor, vital: vital, outcome: .measured(VitalValue(hundredths: hundredths), .good),
                moment: Self.moment(second))
            let effects = state.apply(MonitorEvent(moment: Self.moment(second), kind: .reading(reading)))
            let summaries = effects.compactMap(\.summary)
            check(effects, at: second, summaries, #_sourceLocation)
            words += summaries
        }
        return words
    }

    /// Lets time pass until a moment, ticking only when the state asks for it; returns the effects.
    @discardableResult
    mutating func wait(until seconds: Double) -> [String] {
        var words: [String] = []
        while let deadline = state.nextDeadline, deadline <= Self.moment(seconds) {
            let effects = state.apply(MonitorEvent(moment: deadline, kind: .tick))
            check(effects, at: Self.seconds(deadline), effects.compactMap(\.summary), #_sourceLocation)
            words += effects.compactMap(\.summary)
        }
        return words
    }

    /// The time of a moment in seconds after the start.
    static func seconds(_ moment: Moment) -> Double {
        Double(moment.monotonicNanoseconds - Self.moment(0).monotonicNanoseconds) / 1e9
    }

    /// Applies a user's action and demands exactly these effects.
    mutating func act(
        _ action: PatientWish, at seconds: Double, expecting expected: [String] = [],
        _ location: SourceLocation = #_sourceLocation
    ) {
        check(state.apply(action, at: Self.moment(seconds)), at: seconds, expected, location)
    }

    /// A measured value arrives.
    mutating func measure(
        _ vital: Vital, _ hundredths: Int, from sensor: SensorIdentity, site: BodySite? = nil, at seconds: Double,
        expecting expected: [String] = [], _ location: SourceLocation = #_sourceLocation
    ) {
        let reading = Reading(
            sensor: sensor, vital: vital, outcome: .measured(VitalValue(hundredths: hundredths), .good),
            moment: Self.moment(seconds), site: site)
        receive(.reading(reading), at: seconds, expecting: expected, location)
    }

    /// The sensor says that it has no measurement.
    mutating func miss(
        _ vital: Vital, _ reason: AbsenceReason, from sensor: SensorIdentity, at seconds: Double,
        expecting expected: [String] = [], _ location: SourceLocation = #_sourceLocation
    ) {
        let reading = Reading(
            sensor: sensor, vital: vital, outcome: .noMeasurement(reason), moment: Self.moment(seconds))
        receive(.reading(reading), at: seconds, expecting: expected, location)
    }

    /// The sensor's connection enters a phase.
    mutating func connection(
        _ sensor: SensorIdentity, _ phase: ConnectionState.Phase, _ reason: ConnectionState.DisconnectReason? = nil,
        at seconds: Double, expecting expected: [String] = [], _ location: SourceLocation = #_sourceLocation
    ) {
        receive(
            .connection(sensor, ConnectionState(phase: phase, reason: reason)), at: seconds, expecting: expected,
            location)
    }

    /// Time passes, and nothing happens.
    mutating func tick(
        at seconds: Double, expecting expected: [String] = [], _ location: SourceLocation = #_sourceLocation
    ) {
        receive(.tick, at: seconds, expecting: expected, location)
    }

    /// The vital's condition in short words: `measured 7700`, `no_measurement off_body`.
    func condition(_ vital: Vital) -> String { state[vital].condition.summary }

    /// The alarms in short words, the worst first.
    var alarms: [String] { state.alarms.map(\.summary) }

    /// The next deadline in seconds after the start.
    var deadline: Double? {
        state.nextDeadline.map { Self.seconds($0) }
    }
}

extension SensorIdentity {
    static let strap = SensorIdentity(address: "C0:52:49:00:00:01", name: "Polar H10", kind: .heartRateStrap)
    static let otherStrap = SensorIdentity(address: "C0:52:49:00:00:02", name: "OH1", kind: .heartRateStrap)
    static let oximeter = SensorIdentity(address: "C0:52:49:00:00:03", name: "e-Oximeter", kind: .oximeter)
    static let core = SensorIdentity(address: "C0:52:49:00:00:04", name: "CORE 1A2B", kind: .core)
    static let thermometer = SensorIdentity(address: "C0:52:49:00:00:05", name: "Thermo", kind: .thermometer)
}

extension MonitorSettings {
    /// The usual settings with every limit off.
    static var withoutLimits: MonitorSettings {
        var settings = MonitorSettings()
        settings.limits = .off
        return settings
    }
}

extension Alarm {
    var summary: String { "\(kind.rawValue) \(state.rawValue) \(priority.rawValue)" }
}

extension Effect {
    /// What the effect says about alarms and readings; `nil` for what is heard or logged only.
    var summary: String? {
        switch self {
        case .alarm(let alarm, _): return alarm.summary
        case .alarmAgain, .latchReset, .unanswered, .soundBurst, .soundReminder, .action, .entry, .deviceUsers,
            .calibrations:
            return nil
        case .reading(let reading):
            guard case .noMeasurement(let reason) = reading.outcome else { return "reading measured?" }
            return "reading \(reading.vital.rawValue) \(reason.rawValue)"
        }
    }
}

extension VitalCondition {
    var summary: String {
        switch self {
        case .neverSeen: return "never seen"
        case .measured(let sample): return "measured \(sample.value.hundredths)"
        case .stale(let sample): return "stale \(sample.value.hundredths)"
        case .lost(let sample): return "lost \(sample.value.hundredths)"
        case .noMeasurement(let absence):
            let last = absence.last.map { " last \($0.value.hundredths)" } ?? ""
            return "no measurement \(absence.reason.rawValue)\(last)"
        case .notConnected(let last, _):
            return "not connected\(last.map { " last \($0.value.hundredths)" } ?? "")"
        }
    }
}
