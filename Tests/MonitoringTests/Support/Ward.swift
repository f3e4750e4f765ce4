import Testing
import Vitals

@testable import Monitoring

/// A monitor with a hand-driven clock, which demands that every effect of every event is expected.
///
/// Effects are written as short words: `reading heart_rate silent`, `fever_single active high`.
struct Ward {
    var state: MonitorState

    init(settings: MonitorSettings = MonitorSettings()) {
        state = MonitorState(settings: settings, start: Self.moment(0))
    }

    /// The moment that lies so many seconds after the start.
    static func moment(_ seconds: Double) -> Moment {
        let milliseconds = Int64((seconds * 1000).rounded())
        return Moment(
            monotonicNanoseconds: 5_000_000_000_000 + milliseconds * 1_000_000,
            wallMilliseconds: 1_750_000_000_000 + milliseconds)
    }

    /// Applies an event and demands exactly these effects.
    mutating func hear(
        _ kind: MonitorEvent.Kind, at seconds: Double, expecting expected: [String] = [],
        _ location: SourceLocation = #_sourceLocation
    ) {
        let effects = state.apply(MonitorEvent(moment: Self.moment(seconds), kind: kind))
        #expect(effects.map(\.words) == expected, "at \(seconds) s", sourceLocation: location)
    }

    /// Applies a user's action and demands exactly these effects.
    mutating func act(
        _ action: UserAction, at seconds: Double, expecting expected: [String] = [],
        _ location: SourceLocation = #_sourceLocation
    ) {
        let effects = state.apply(action, at: Self.moment(seconds))
        #expect(effects.map(\.words) == expected, "at \(seconds) s", sourceLocation: location)
    }

    /// A measured value arrives.
    mutating func measure(
        _ vital: Vital, _ hundredths: Int, from sensor: SensorIdentity, site: BodySite? = nil, at seconds: Double,
        expecting expected: [String] = [], _ location: SourceLocation = #_sourceLocation
    ) {
        let reading = Reading(
            sensor: sensor, vital: vital, outcome: .measured(VitalValue(hundredths: hundredths), .good),
            moment: Self.moment(seconds), site: site)
        hear(.reading(reading), at: seconds, expecting: expected, location)
    }

    /// The sensor says that it has no measurement.
    mutating func miss(
        _ vital: Vital, _ reason: AbsenceReason, from sensor: SensorIdentity, at seconds: Double,
        expecting expected: [String] = [], _ location: SourceLocation = #_sourceLocation
    ) {
        let reading = Reading(
            sensor: sensor, vital: vital, outcome: .noMeasurement(reason), moment: Self.moment(seconds))
        hear(.reading(reading), at: seconds, expecting: expected, location)
    }

    /// The sensor's connection enters a phase.
    mutating func connection(
        _ sensor: SensorIdentity, _ phase: ConnectionState.Phase, _ reason: ConnectionState.DisconnectReason? = nil,
        at seconds: Double, expecting expected: [String] = [], _ location: SourceLocation = #_sourceLocation
    ) {
        hear(
            .connection(sensor, ConnectionState(phase: phase, reason: reason)), at: seconds, expecting: expected,
            location)
    }

    /// Time passes, and nothing happens.
    mutating func tick(
        at seconds: Double, expecting expected: [String] = [], _ location: SourceLocation = #_sourceLocation
    ) {
        hear(.tick, at: seconds, expecting: expected, location)
    }

    /// The vital's condition in short words: `measured 7700`, `no_measurement off_body`.
    func condition(_ vital: Vital) -> String { state[vital].condition.words }

    /// The alarms in short words, the worst first.
    var alarms: [String] { state.alarms.map { "\($0.kind.rawValue) \($0.state.rawValue) \($0.priority.rawValue)" } }

    /// The next deadline in seconds after the start.
    var deadline: Double? {
        state.nextDeadline.map { Double($0.monotonicNanoseconds - Self.moment(0).monotonicNanoseconds) / 1e9 }
    }
}

extension SensorIdentity {
    static let strap = SensorIdentity(address: "C0:52:49:00:00:01", name: "Polar H10", kind: .heartRateStrap)
    static let otherStrap = SensorIdentity(address: "C0:52:49:00:00:02", name: "OH1", kind: .heartRateStrap)
    static let oximeter = SensorIdentity(address: "C0:52:49:00:00:03", name: "e-Oximeter", kind: .oximeter)
    static let core = SensorIdentity(address: "C0:52:49:00:00:04", name: "CORE 1A2B", kind: .core)
    static let thermometer = SensorIdentity(address: "C0:52:49:00:00:05", name: "Thermo", kind: .thermometer)
}

extension Effect {
    var words: String {
        switch self {
        case .alarm(let alarm, _):
            return "\(alarm.kind.rawValue) \(alarm.state.rawValue) \(alarm.priority.rawValue)"
        case .reading(let reading):
            guard case .noMeasurement(let reason) = reading.outcome else { return "reading measured?" }
            return "reading \(reading.vital.rawValue) \(reason.rawValue)"
        }
    }
}

extension VitalCondition {
    var words: String {
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
