import Vitals

/// Everything that Bedside knows about the patient, the sensors and the way to them, as a value.
///
/// `apply(_:)` folds events into it and answers with effects. It reads no clock: time comes in with the events, and
/// ``nextDeadline`` says when the next one is needed even if nothing happens.
public struct MonitorState: Hashable, Sendable {
    /// What it was told before it started.
    public let settings: MonitorSettings
    /// The moment of the newest event; never goes back.
    public internal(set) var now: Moment
    /// Bus, daemon and adapter.
    public internal(set) var environment = MonitorEnvironment()
    /// The sensors in the order in which they were first seen.
    public internal(set) var sensors: [SensorState] = []
    /// Every vital, in the order of `Vital.allCases`.
    public internal(set) var vitals: [VitalState]
    /// The alarms that have not ended, the worst first.
    public internal(set) var alarms: [Alarm] = []

    /// Makes a state in which nothing has happened yet.
    ///
    /// - Parameter start: The moment from which on time is counted.
    public init(settings: MonitorSettings = MonitorSettings(), start: Moment) {
        self.settings = settings
        now = start
        vitals = Vital.allCases.map { VitalState(vital: $0, interval: settings.freshness.assumedInterval(of: $0)) }
    }

    /// When a `.tick` must be applied at the latest, even if nothing else happens; `nil` when time alone changes nothing.
    public var nextDeadline: Moment? { nil }

    /// The state of one vital.
    public subscript(vital: Vital) -> VitalState { vitals[vital.index] }

    /// The sensor with this address.
    public func sensor(address: String) -> SensorState? {
        sensors.first { $0.identity.address == address }
    }

    /// Folds an event in.
    ///
    /// - Returns: What the event, and the time that passed until it, brought about.
    public mutating func apply(_ event: MonitorEvent) -> [Effect] { [] }

    /// Folds something in that the user did.
    ///
    /// - Returns: What the action, and the time that passed until it, brought about.
    public mutating func apply(_ action: UserAction, at moment: Moment) -> [Effect] { [] }
}

extension Vital {
    /// The vital's place in `Vital.allCases`.
    var index: Int {
        switch self {
        case .heartRate: 0
        case .pulseRate: 1
        case .oxygenSaturation: 2
        case .bodyTemperature: 3
        case .skinTemperature: 4
        }
    }
}
