import Monitoring
import Vitals

/// What there is to know at a glance, as a value that can be sent to another program: the vitals, the alarms, and what
/// is the matter where there is nothing to measure with.
public struct StatusSummary: Hashable, Sendable {
    /// When it was so, in milliseconds since 1970 (UTC).
    public var wallMilliseconds: Int64
    /// Whether the data are simulated, as far as that is known yet.
    public var provenance = Provenance.real
    /// Whose vital signs these are; `nil` for the one patient that has no name.
    public var patient: String?
    /// The three vitals of the screen, in its order.
    public var vitals: [StatusVital] = []
    /// The alarms that are shown, the worst first; no more than ``alarmLimit``.
    public var alarms: [StatusAlarm] = []
    /// How many alarms are shown on the screen.
    public var alarmCount = 0
    /// Why Bluetooth cannot be used, in a few words; `nil` where it can.
    public var trouble: String?
    /// What keeps alarms from being heard, in a few words: "SOUND PAUSED".
    public var notices: [String] = []

    /// Whether the data are known to be simulated, which every line says.
    public var isSimulated: Bool { provenance == .simulated }

    /// The most alarms that are told of.
    public static let alarmLimit = 8

    public init(wallMilliseconds: Int64) {
        self.wallMilliseconds = wallMilliseconds
    }

    /// The same without what changes with time alone or with every value that is as the one before; whoever follows is
    /// told when this changes.
    public var fingerprint: StatusSummary {
        var fingerprint = self
        fingerprint.wallMilliseconds = 0
        for (index, vital) in vitals.enumerated() {
            fingerprint.vitals[index].age = vital.isAgeing ? vital.age.map { $0 - $0 % Self.ageStep($0) } : nil
        }
        return fingerprint
    }

    /// In how many seconds it will say something else though nothing happens, because an age grows; `nil` for never.
    public var secondsUntilChange: Int64? {
        vitals.compactMap { vital in
            vital.isAgeing ? vital.age.map { Self.ageStep($0) - $0 % Self.ageStep($0) } : nil
        }.min()
    }

    /// The smallest difference of ages that can be seen, as ``TimeText/span(_:)`` words them.
    private static func ageStep(_ age: Int64) -> Int64 {
        switch age {
        case ..<120: 1
        case ..<7200: 60
        case ..<172_800: 3600
        default: 86_400
        }
    }
}

/// A vital at a glance.
public struct StatusVital: Hashable, Sendable {
    /// Which one.
    public var vital: Vital
    /// What is known of it.
    public var state: State
    /// The value, if there is one, current or not.
    public var value: VitalValue?
    /// The values at which it begins to be judged differently, which rounding must not cross.
    public var evaluatedAt: [VitalValue] = []
    /// How old the value is, in whole seconds.
    public var age: Int64?
    /// How far the value may be trusted, by the sensor's own word.
    public var quality = Reading.Quality.good
    /// Why there is no measurement, in the words of `watch --json`.
    public var reason: String?
    /// The same for people, in two words at most.
    public var reasonText: String?
    /// Where on the body, in the words of `watch --json`.
    public var site: String?
    /// The name of the sensor.
    public var sensor: String?

    /// Whether its age is told.
    var isAgeing: Bool { state == .stale || state == .lost }

    public init(_ vital: Vital, _ state: State = .neverSeen) {
        self.vital = vital
        self.state = state
    }

    /// What is known of a vital; the raw value is the word in JSON.
    public enum State: String, CaseIterable, Hashable, Sendable {
        /// A current value.
        case measured
        /// A value that should have been renewed by now.
        case stale
        /// No measurement, and why.
        case noMeasurement = "no_measurement"
        /// The value is too old to be shown as one.
        case lost
        /// The user has disconnected the sensor.
        case notConnected = "not_connected"
        /// No sensor has said anything about it.
        case neverSeen = "never_seen"
    }
}

/// An alarm at a glance.
public struct StatusAlarm: Hashable, Sendable {
    /// The number of its episode.
    public var id: Int
    /// The condition, in the words of `watch --json`.
    public var kind: String
    /// About the patient, or about the equipment.
    public var alarmClass: AlarmClass
    /// How soon a response is needed.
    public var priority: AlarmPriority
    /// How it stands; `ended` for one that is over and that nobody has acknowledged.
    public var state: AlarmState
    /// Whether somebody has acknowledged it, so that it makes no sound; one that is suspended can be either.
    public var isAcknowledged: Bool
    /// What it is called, in capitals: "FEVER", "SpO₂ LOW".
    public var title: String
    /// The whole in one line, as in `watch --json`.
    public var text: String
    /// The name of the sensor, for an alarm about it, and where the number of the vital is another sensor's.
    public var sensor: String?
    /// The vital that it is about, if it is about one.
    public var vital: Vital?
    /// The newest value; `nil` for an alarm that is over.
    public var value: VitalValue?
    /// The worst value of the episode.
    public var peak: VitalValue?
    /// The limit.
    public var limit: VitalValue?

    public init(
        id: Int, kind: String, alarmClass: AlarmClass, priority: AlarmPriority, state: AlarmState, title: String,
        text: String, sensor: String? = nil, isAcknowledged: Bool = false
    ) {
        (self.id, self.kind, self.alarmClass, self.priority) = (id, kind, alarmClass, priority)
        (self.state, self.title, self.text, self.sensor) = (state, title, text, sensor)
        self.isAcknowledged = isAcknowledged || state == .acknowledged
    }

    /// The title, and how it stands unless it goes on unanswered: "FEVER (over)".
    public var label: String { standing.map { "\(title) (\($0))" } ?? title }

    /// How it stands, unless it goes on unanswered.
    var standing: String? {
        switch state {
        case .acknowledged: "acknowledged"
        case .suspended: "suspended"
        case .ended: "over"
        case .pending, .active: nil
        }
    }
}
