import Monitoring
import Vitals

/// The complete state of an alarm at a bed, as its own monitor evaluates it.
public struct WardAlarm: Hashable, Sendable, Identifiable {
    /// The number of the episode, unique within a session.
    public var id: Int
    /// The condition, by the names of `AlarmKind`; a newer version may have others.
    public var kind: String
    /// About the patient, or about the equipment.
    public var alarmClass: AlarmClass
    /// How soon a response is needed.
    public var priority: AlarmPriority
    public var state: AlarmState
    /// The vital of the alarm.
    public var vital: Vital?
    /// The newest value.
    public var value: VitalValue?
    /// The limit that was crossed.
    public var limit: VitalValue?
    /// The alarm in one line, from the bed.
    public var text: String
    /// The sensor of the alarm.
    public var sensor: SensorIdentity?
    /// Whether its condition has ended and it is still shown until it is acknowledged.
    public var isLatched = false
    /// Whether it is acknowledged; the state implies that, too, unless it is suspended.
    public var isAcknowledged = false
    /// Who acknowledged it; empty for the user at the bed.
    public var acknowledgedBy = ""
    /// Whether it is held because its sensor is paused for care.
    public var isHeld = false
    /// Whether its kind is snoozed at the bed.
    public var isSnoozed = false
    /// Who is going there, if anyone.
    public var going: WardGoing?
    /// How long it has been active, in milliseconds.
    public var ageMilliseconds: Int64 = 0

    public init(
        id: Int, kind: String, alarmClass: AlarmClass, priority: AlarmPriority, state: AlarmState, vital: Vital? = nil,
        value: VitalValue? = nil, limit: VitalValue? = nil, text: String, sensor: SensorIdentity? = nil
    ) {
        self.id = id
        self.kind = kind
        self.alarmClass = alarmClass
        self.priority = priority
        self.state = state
        self.vital = vital
        self.value = value
        self.limit = limit
        self.text = text
        self.sensor = sensor
    }

    /// Describes an alarm of a monitor at a moment.
    ///
    /// - Parameters:
    ///   - alarm: The alarm.
    ///   - acknowledgedBy: Who acknowledged it, if that was from a ward.
    ///   - going: Who is going there.
    ///   - isSnoozed: Whether its kind is snoozed.
    ///   - now: The present moment.
    public init(
        _ alarm: Alarm, acknowledgedBy: String = "", going: WardGoing? = nil, isSnoozed: Bool = false, at now: Moment
    ) {
        self.init(
            id: alarm.id, kind: alarm.kind.rawValue, alarmClass: alarm.alarmClass, priority: alarm.priority,
            state: alarm.state, vital: alarm.vital, value: alarm.value, limit: alarm.limit, text: alarm.text,
            sensor: alarm.sensor)
        isLatched = alarm.isLatched
        isAcknowledged = alarm.acknowledgedAt != nil
        isHeld = alarm.heldUntil != nil
        ageMilliseconds = max(0, now.since(alarm.activeSince ?? alarm.since).nanoseconds / 1_000_000)
        self.acknowledgedBy = acknowledgedBy
        self.isSnoozed = isSnoozed
        self.going = going
    }

    /// Whether a screen shows it: it is neither a suspicion, nor over without a latch.
    public var isShown: Bool { state != .pending && (state != .ended || isLatched) }

    /// Whether it is active or suspended, and unanswered.
    public var wantsAttention: Bool { (state == .active || state == .suspended) && !isAcknowledged && !isHeld }

    /// Orders alarms by urgency, as the bed's own screen does.
    public func isWorse(than other: WardAlarm) -> Bool {
        if isUnanswered != other.isUnanswered { return isUnanswered }
        if priority != other.priority { return priority > other.priority }
        if (state == .ended) != (other.state == .ended) { return other.state == .ended }
        if urgency != other.urgency { return urgency < other.urgency }
        let (isWaiting, isOtherWaiting) = (state == .suspended || isHeld, other.state == .suspended || other.isHeld)
        if isWaiting != isOtherWaiting { return isOtherWaiting }
        if isAcknowledged != other.isAcknowledged { return other.isAcknowledged }
        if alarmClass != other.alarmClass { return alarmClass == .physiological }
        return id < other.id
    }

    /// The condition without any number: "SpO₂ low"; the bed's own text for a condition of a newer version.
    public var title: String {
        AlarmKind(rawValue: kind).map { SnoozeKey(kind: $0, vital: vital).text } ?? text
    }

    /// Its rank within its priority, by harm.
    public var urgency: Int { AlarmKind(rawValue: kind)?.urgency(of: vital) ?? AlarmKind.leastUrgency }

    private var isUnanswered: Bool { !isAcknowledged && !isHeld && state != .ended }
}

/// The answer "I am going" to an alarm: a person is responsible, and nothing is silenced.
public struct WardGoing: Hashable, Sendable {
    public var who: String
    /// The place of the answering user.
    public var place: String
    /// The age of the answer in milliseconds.
    public var ageMilliseconds: Int64

    public init(who: String, place: String, ageMilliseconds: Int64) {
        self.who = who
        self.place = place
        self.ageMilliseconds = ageMilliseconds
    }
}

/// A hash of the states of all shown alarms, by which a ward detects missed messages.
///
/// It is FNV-1a of 64 bits over one line for each alarm with ``WardAlarm/isShown``, in the order of their numbers:
/// `<id> <priority> <state> <marks>` and a line feed; the marks are the letters `a` (acknowledged), `h` (held for
/// care), `l` (latched), `s` (snoozed), `g` (a person is going), in this order. It is written as sixteen hexadecimal
/// digits in lower case.
public struct WardDigest: Hashable, Sendable, CustomStringConvertible {
    /// The sixteen digits.
    public let description: String

    /// Hashes alarms, in any order.
    public init(_ alarms: some Sequence<WardAlarm>) {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for alarm in alarms.filter(\.isShown).sorted(by: { $0.id < $1.id }) {
            let marks = [
                (alarm.isAcknowledged, "a"), (alarm.isHeld, "h"), (alarm.isLatched, "l"), (alarm.isSnoozed, "s"),
                (alarm.going != nil, "g"),
            ].filter(\.0).map(\.1).joined()
            let line = "\(alarm.id) \(alarm.priority.rawValue) \(alarm.state.rawValue) \(marks)\n"
            hash = line.utf8.reduce(hash) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        }
        description = WardToken.hexadecimal(hash)
    }

    init?(_ text: String) {
        guard text.utf8.count == 16, text.utf8.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) }) else {
            return nil
        }
        description = text
    }
}
