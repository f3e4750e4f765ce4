import Vitals

/// Everything that Bedside knows about the patient, the sensors and the way to them, as a value.
///
/// ``apply(_:)`` folds events into it and answers with effects. It reads no clock: time comes in with the events, and
/// ``nextDeadline`` says when the next one is needed even if nothing happens.
///
/// The work for an event depends neither on how long the history is nor, ordinarily, on how many sensors there are.
/// Keep one state and change it in place: whoever keeps a copy while events are applied pays for copying the trends.
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

    let limits: FreshnessLimits
    /// The place of each sensor in `sensors`, by address.
    var rows: [String: Int] = [:]
    /// When time alone changes something for each sensor.
    var deadlines = DeadlineTable()
    var board = AlarmBoard()
    var nextOrdinal = 0

    /// Makes a state in which nothing has happened yet.
    ///
    /// - Parameter start: The moment from which on time is counted.
    public init(settings: MonitorSettings = MonitorSettings(), start: Moment) {
        self.settings = settings
        limits = FreshnessLimits(settings.freshness)
        now = start
        vitals = Vital.allCases.map { VitalState(vital: $0, interval: settings.freshness.assumedInterval(of: $0)) }
    }

    /// The alarms that have not ended, the worst first; pending ones come last.
    public var alarms: [Alarm] { board.alarms }

    /// The alarm to show if only one can be shown: the worst that is more than a suspicion.
    public var worstAlarm: Alarm? {
        board.alarms.first.flatMap { $0.phase == .pending ? nil : $0 }
    }

    /// When a `.tick` must be applied at the latest, even if nothing else happens; `nil` when time alone changes nothing.
    ///
    /// It is exact after each event, so a program that waits for it is never woken in vain.
    public var nextDeadline: Moment? {
        let earliest = min(deadlines.earliest?.nanoseconds ?? .max, board.deadline ?? .max)
        guard earliest != .max else { return nil }
        let ahead = earliest.subtractingSaturated(now.monotonicNanoseconds)
        // Rounded up, so that a wall clock in milliseconds is not a moment early.
        let wall = now.wallMilliseconds.addingSaturated(ahead / 1_000_000 + (ahead % 1_000_000 > 0 ? 1 : 0))
        return Moment(monotonicNanoseconds: earliest, wallMilliseconds: wall)
    }

    /// The state of one vital.
    public subscript(vital: Vital) -> VitalState {
        vitals[vital.index]
    }

    /// The sensor with this address.
    public func sensor(address: String) -> SensorState? {
        rows[address].map { sensors[$0] }
    }

    /// Folds an event in.
    ///
    /// - Returns: What the event, and the time that passed until it, brought about.
    public mutating func apply(_ event: MonitorEvent) -> [Effect] {
        var effects: [Effect] = []
        advance(to: event.moment, &effects)
        switch event.kind {
        case .tick: break
        case .bus(let bus): busChanged(bus)
        case .daemon(let daemon): daemonChanged(daemon)
        case .adapter(let adapter): environment.adapter = adapter
        case .adapters(let adapters): environment.adapters = adapters
        case .nearby(let sensor, let signalStrength, let services):
            heard(sensor, signalStrength: signalStrength, services: services)
        case .gone(let sensor): gone(sensor)
        case .connection(let sensor, let connection): connectionChanged(sensor, connection, &effects)
        case .reading(let reading): receive(reading, &effects)
        case .battery(let sensor, let percent): batteryTold(sensor, percent: percent, &effects)
        case .malformed(let sensor, let octets): malformed(sensor, octets)
        case .gap(let gap): missed(gap)
        case .pairing(let sensor, let pairing): pairingChanged(sensor, pairing)
        case .remembered(let sensor): remembered(sensor)
        case .forgotten(let sensor): forgotten(sensor)
        }
        return effects
    }

    /// Folds something in that the user did.
    ///
    /// - Returns: What the action, and the time that passed until it, brought about.
    public mutating func apply(_ action: UserAction, at moment: Moment) -> [Effect] {
        var effects: [Effect] = []
        advance(to: moment, &effects)
        switch action {
        case .acknowledgeAll: board.acknowledge(nil, now, effects: &effects)
        case .acknowledge(let id): board.acknowledge(id, now, effects: &effects)
        case .clear(let id): clearAlarm(id, &effects)
        }
        return effects
    }
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
