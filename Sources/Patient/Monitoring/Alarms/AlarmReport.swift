import Vitals

/// An alarm at a moment, for all outputs: log, status, ward, desktop, the user's command and `bedside watch`.
public struct AlarmReport: Codable, Hashable, Sendable, Identifiable {
    /// The number of the episode.
    public var id: Int
    /// The name of the condition, as in ``AlarmKind``; another version may know others.
    public var kindName: String
    /// About the patient, or about the equipment.
    public var alarmClass: AlarmClass
    /// How soon a response is needed.
    public var priority: AlarmPriority
    /// Its state.
    public var state: AlarmState
    /// Whether it is acknowledged; a suspended or ended alarm can be either.
    public var isAcknowledged: Bool
    /// Whether its condition has ended and it is still shown until it is acknowledged.
    public var isLatched: Bool
    /// Whether its alerts are held, because its sensor is paused for care.
    public var isHeld: Bool
    /// Its sensor; `nil` for an alarm about this computer.
    public var sensor: SensorIdentity?
    /// Its vital, if there is one.
    public var vital: Vital?
    /// The site of the value, if the sensor reports it.
    public var site: BodySite?
    /// The newest value, in the vital's unit.
    public var value: VitalValue?
    /// The worst value of the episode so far.
    public var peak: VitalValue?
    /// The limit that was crossed.
    public var limit: VitalValue?
    /// When the condition was first met, in milliseconds since 1970 (UTC).
    public var sinceWallMilliseconds: Int64
    /// The alarm in one line.
    public var text: String

    public init(
        id: Int, kind: AlarmKind, priority: AlarmPriority, state: AlarmState = .active, sensor: SensorIdentity? = nil,
        vital: Vital? = nil, site: BodySite? = nil, value: VitalValue? = nil, peak: VitalValue? = nil,
        limit: VitalValue? = nil, sinceWallMilliseconds: Int64 = 0, text: String = ""
    ) {
        (self.id, kindName, alarmClass, self.priority) = (id, kind.rawValue, kind.alarmClass, priority)
        (self.state, isAcknowledged, isLatched, isHeld) = (state, state == .acknowledged, false, false)
        (self.sensor, self.vital, self.site) = (sensor, vital, site)
        (self.value, self.peak, self.limit) = (value, peak, limit)
        (self.sinceWallMilliseconds, self.text) = (sinceWallMilliseconds, text)
    }

    /// Describes the present state of an alarm.
    ///
    /// - Parameters:
    ///   - alarm: The alarm.
    ///   - text: The alarm in one line; `nil` for the text of its last event.
    public init(_ alarm: Alarm, text: String? = nil) {
        self.init(
            id: alarm.id, kind: alarm.kind, priority: alarm.priority, state: alarm.state, sensor: alarm.sensor,
            vital: alarm.vital, site: alarm.site, value: alarm.value, peak: alarm.peak, limit: alarm.limit,
            sinceWallMilliseconds: alarm.since.wallMilliseconds, text: text ?? alarm.text)
        isAcknowledged = alarm.acknowledgedAt != nil
        isLatched = alarm.isLatched
        isHeld = alarm.heldUntil != nil
    }

    /// The condition; `nil` for one of another version.
    public var kind: AlarmKind? { AlarmKind(rawValue: kindName) }

    /// The condition without any number: "SpO₂ low"; the text for a condition of another version.
    public var title: String { kind.map { SnoozeKey(kind: $0, vital: vital).text } ?? text }

    /// Its place among alarms of its priority: what harms first.
    public var urgency: Int { kind?.urgency(of: vital) ?? AlarmKind.leastUrgency }

    /// Whether a screen shows it: not a suspicion, and not over without a latch.
    public var isShown: Bool { state != .pending && (state != .ended || isLatched) }

    /// Whether it is active or suspended, and unanswered.
    public var wantsAttention: Bool { (state == .active || state == .suspended) && !isAcknowledged && !isHeld }

    /// Whether it comes from entries of the record; the sensor is that of the newest one.
    var isOfEntry: Bool { alarmClass == .physiological && sensor?.kind.isSpot == true }

    /// Orders alarms by urgency, as the monitor's own screen does.
    public func isWorse(than other: AlarmReport) -> Bool {
        if isUnanswered != other.isUnanswered { return isUnanswered }
        if priority != other.priority { return priority > other.priority }
        if (state == .ended) != (other.state == .ended) { return other.state == .ended }
        if urgency != other.urgency { return urgency < other.urgency }
        let (isWaiting, isOtherWaiting) = (state == .suspended || isHeld, other.state == .suspended || other.isHeld)
        if isWaiting != isOtherWaiting { return isOtherWaiting }
        if isAcknowledged != other.isAcknowledged { return other.isAcknowledged }
        if alarmClass != other.alarmClass { return alarmClass == .physiological }
        let (second, otherSecond) = (sinceWallMilliseconds / 1000, other.sinceWallMilliseconds / 1000)
        if priority == .high, second != otherSecond { return second > otherSecond }
        return id < other.id
    }

    private var isUnanswered: Bool { !isAcknowledged && !isHeld && state != .ended }
}
