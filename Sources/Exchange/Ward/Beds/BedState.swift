import Base
import Monitoring
import Vitals
import WardMessages

/// The ward's state of a bed.
public struct BedState: Hashable, Sendable {
    public let bed: WardBed
    /// The present state of the link.
    public internal(set) var link: BedLink = .waiting
    /// When ``link`` last changed.
    public internal(set) var linkSince: Moment
    /// The facts of the newest session.
    public internal(set) var facts: WardFacts?
    /// The patient's code, if the bed publishes it.
    public internal(set) var patient: String?
    /// The beginning of this patient's record, by the bed's clock in milliseconds since 1970 (UTC); `nil` for the first
    /// patient.
    public internal(set) var patientSince: Int64?
    /// The limits at the bed.
    public internal(set) var limits: [WardLimits] = []
    /// The sensors at the bed.
    public internal(set) var sensors: [WardSensor] = []
    /// The sound at the bed.
    public internal(set) var sound: WardSound = .on
    /// When ``sound`` was received.
    public internal(set) var soundTold: Moment
    /// When a challenge of the bed was last answered, as long as it is silent or wants to be; `nil` before.
    public internal(set) var listenedAt: Moment?
    /// How far the bed's clock is ahead of the ward's, in milliseconds; `nil` before a heartbeat.
    public internal(set) var skewMilliseconds: Int64?
    /// When the last message arrived.
    public internal(set) var lastHeard: Moment?
    /// The names of the computers that claim the bed, while there are two.
    public internal(set) var claimants: [String] = []
    /// The last half hour of values, by the ward's clock.
    public internal(set) var trends: [Vital: Trend] = [:]
    /// The alarms to show, the worst first.
    public private(set) var alarms: [WardAlarm] = []

    /// The session whose values are kept.
    var current: WardToken?
    var sessions = HeardSessions()
    var gaps = SequenceGaps()
    var requests = BirthRequests()
    var anchor: ClockAnchor?
    var values: [Vital: HeldVital] = [:]
    var pressure: HeldPressure?
    var alarmRecords: [Int: AlarmRecord] = [:] {
        didSet { alarms = alarmRecords.values.map(\.alarm).filter(\.isShown).sorted { $0.isWorse(than: $1) } }
    }
    /// The number of the newest birth of the session.
    var birthSequence: Int64 = -1
    /// The number of the newest message about the sound.
    var soundSequence: Int64 = -1
    /// The challenge of the newest heartbeat; `nil` while the bed plans no silence.
    var challenge: WardToken?
    /// Since when the bed's digest differs from the alarms here; `nil` while they agree.
    var mismatchSince: MonotonicTime?
    /// The newest number of a message about an alarm.
    var alarmSequence: Int64 = -1
    /// The facts that the sessions announced.
    var announced: [WardToken: WardFacts] = [:]

    /// A trend without values; a monitor's trend of two days would take forty times the memory.
    static let emptyTrend = Trend(width: .seconds(5), reach: .seconds(31 * 60))

    /// A received vital.
    struct HeldVital: Hashable, Sendable {
        var vital: WardVital
        var stamp: WardStamp
        var received: Moment
    }

    /// A received blood pressure.
    struct HeldPressure: Hashable, Sendable {
        var pressure: WardPressure
        var stamp: WardStamp
        var received: Moment
    }

    /// A received alarm; an ended one stays, so that a late message does not revive it.
    struct AlarmRecord: Hashable, Sendable {
        var alarm: WardAlarm
        var sequence: Int64
        var received: Moment
    }

    init(_ bed: WardBed, at now: Moment) {
        self.bed = bed
        linkSince = now
        soundTold = now
    }

    /// Whether sensors or time are simulated.
    public var isSimulated: Bool { facts?.isSimulated == true || facts?.isReplay == true }

    /// The sensor of a vital.
    public func source(of vital: Vital) -> SensorIdentity? { values[vital]?.vital.reading.sensor }

    /// Whether a blood pressure was received.
    public var hasPressure: Bool { pressure != nil }

    /// Calls a function with each vital that was received, as it may be shown, and with the nanoseconds until that changes
    /// by time alone.
    public func forEachVital(
        at now: Moment, _ settings: WardSettings, _ body: (_ shown: ShownVital, _ change: Int64?) -> Void
    ) {
        for vital in values.keys { body(shown(vital, at: now, settings), timeToChange(of: vital, at: now, settings)) }
    }

    /// Since when an alarm has been active, by the ward's clocks.
    public func activeSince(_ alarm: Int) -> Moment? {
        guard let record = alarmRecords[alarm] else { return nil }
        return record.received.advanced(by: .milliseconds(-record.alarm.ageMilliseconds))
    }

    /// A vital as it may be shown.
    public func shown(_ vital: Vital, at now: Moment, _ settings: WardSettings) -> ShownVital {
        guard link.showsOldValues, let held = values[vital] else { return .none }
        let age = age(of: held, at: now)
        switch held.vital.reading.outcome {
        case .noMeasurement(let reason): return link.isLive ? .absent(reason) : .none
        case .measured(let value, let quality):
            guard link.isLive, let age else {
                return .old(value, measured: measured(held))
            }
            let interval = settings.interval(held.vital.intervalMilliseconds, of: vital)
            let nanoseconds = age.multipliedSaturated(by: 1_000_000)
            if nanoseconds >= interval * Int64(settings.freshness.lostFactor) { return .lost(value, age: age) }
            if nanoseconds >= interval * Int64(settings.freshness.staleFactor) { return .stale(value, age: age) }
            return .present(value, quality, age: age)
        }
    }

    /// What the newest value of a vital was calibrated with; `nil` for most.
    public func calibration(of vital: Vital) -> AppliedCalibration? { values[vital]?.vital.reading.calibration }

    /// The lower bound of a value's age in milliseconds; `nil` if unknown.
    func age(of held: HeldVital, at now: Moment) -> Int64? {
        age(held.vital.ageMilliseconds, held.stamp, received: held.received, at: now)
    }

    /// The present age of data with a given age at sending.
    private func age(_ milliseconds: Int64, _ stamp: WardStamp, received: Moment, at now: Moment) -> Int64? {
        guard let anchor else { return nil }
        let sent = anchor.sent(stamp, received: received.monotonic)
        return max(0, now.monotonic.nanoseconds(since: sent) / 1_000_000).addingSaturated(milliseconds)
    }

    /// When a value was measured, by the ward's clocks.
    private func measured(_ held: HeldVital) -> Moment {
        measured(held.vital.ageMilliseconds, held.stamp, received: held.received)
    }

    private func measured(_ age: Int64, _ stamp: WardStamp, received: Moment) -> Moment {
        let sent = anchor?.sent(stamp, received: received.monotonic) ?? received.monotonic
        let delay = received.monotonic.since(sent)
        return received.advanced(by: .nanoseconds(-delay.nanoseconds)).advanced(by: .milliseconds(-age))
    }

    /// The blood pressure as it may be shown; `nil` without one in the last day.
    public func shownPressure(at now: Moment) -> ShownPressure? {
        guard link.showsOldValues, let pressure else { return nil }
        let measured = measured(pressure.pressure.ageMilliseconds, pressure.stamp, received: pressure.received)
        guard now.since(measured) < PatientRecord.shownFor else { return nil }
        let age = age(pressure.pressure.ageMilliseconds, pressure.stamp, received: pressure.received, at: now)
        return ShownPressure(
            held: pressure.pressure, measured: measured, age: link.isLive ? age.map { .milliseconds($0) } : nil)
    }

    /// When the display of a vital changes next by time alone.
    public func nextChange(of vital: Vital, at now: Moment, _ settings: WardSettings) -> Moment? {
        timeToChange(of: vital, at: now, settings).map { now.advanced(by: .nanoseconds($0)) }
    }

    private func timeToChange(of vital: Vital, at now: Moment, _ settings: WardSettings) -> Int64? {
        guard link.isLive, let held = values[vital], case .measured = held.vital.reading.outcome,
            let age = age(of: held, at: now)
        else { return nil }
        let interval = settings.interval(held.vital.intervalMilliseconds, of: vital)
        let nanoseconds = age.multipliedSaturated(by: 1_000_000)
        let stale = interval * Int64(settings.freshness.staleFactor) - nanoseconds
        let lost = interval * Int64(settings.freshness.lostFactor) - nanoseconds
        if stale > 0, lost > 0 { return min(stale, lost) }
        return stale > 0 ? stale : lost > 0 ? lost : nil
    }
}

extension BedState {
    /// How long the digests may differ: the message about the alarm may be delayed.
    private static let mismatchTolerance = Duration.milliseconds(1000)
    /// The difference between the clocks from which it is an alarm, in milliseconds.
    static let alarmingSkew: Int64 = 60_000
    /// The difference from which it is shown.
    public static let shownSkew: Int64 = 2000

    /// Determines the present state of the bed.
    ///
    /// - Parameters:
    ///   - now: The present moment.
    ///   - connectedSince: When the broker was connected; `nil` if it is lost.
    ///   - settings: The user's choices.
    /// - Returns: Whether the bed began with another session.
    mutating func evaluate(at now: Moment, connectedSince: Moment?, _ settings: WardSettings) -> Bool {
        guard let connectedSince else {
            enter(.noBroker, at: now)
            return false
        }
        let alive = sessions.alive(at: now.monotonic, within: Self.timeout)
        guard let newest = alive.last else {
            enter(silentLink(at: now, connectedSince: connectedSince), at: now)
            return false
        }
        if alive.count > 1 {
            // Another full picture then shows whose the values are, and whether messages were missed.
            anchor = nil
            claimants = alive.map { announced[$0.session]?.host ?? "" }.filter { !$0.isEmpty }
            let isContested = alive.dropLast().contains { $0.last > newest.first }
            enter(isContested ? .twoMonitors : .handover, at: now)
            return false
        }
        claimants = []
        let isOther = newest.session != current
        if isOther { begin(newest.session, at: now) }
        wantWhatIsMissing(at: now)
        if isSimulated, !settings.showsSimulated {
            enter(.simulatedRefused, at: now)
        } else if anchor != nil {
            enter(.live, at: now)
        } else {
            enter(requests.isUnanswered ? .noAnswer : .waiting, at: now)
        }
        return isOther
    }

    /// The link of a silent bed.
    private func silentLink(at now: Moment, connectedSince: Moment) -> BedLink {
        if let current, let reason = sessions.end(of: current), !isAnnouncedByOthers {
            return reason == .closed ? .closed : .noLink
        }
        let isEarly =
            now.since(connectedSince).nanoseconds < Self.timeout && (lastHeard.map { $0 < connectedSince } ?? true)
        return isEarly ? .waiting : .noLink
    }

    /// Whether another session than the ended one announced itself.
    private var isAnnouncedByOthers: Bool {
        announced.keys.contains { $0 != current && !sessions.hasEnded($0) }
    }

    private mutating func enter(_ link: BedLink, at now: Moment) {
        guard link != self.link else { return }
        // Messages may have been missed meanwhile.
        if link == .live, self.link == .noLink { requests.want(at: now.monotonic) }
        self.link = link
        linkSince = now
    }

    private mutating func wantWhatIsMissing(at now: Moment) {
        let time = now.monotonic
        if let anchor {
            if time >= anchor.expiry { self.anchor = nil }
            if time >= anchor.renewalDue { requests.want(at: time) }
        } else {
            requests.want(at: time)
        }
        if let since = gaps.since, time.since(since) >= SequenceGaps.tolerance { requests.want(at: time) }
        if let mismatchSince, time.since(mismatchSince) >= Self.mismatchTolerance { requests.want(at: time) }
    }

    /// When ``evaluate(at:connectedSince:_:)`` is needed next, even if nothing arrives.
    func deadline(at now: Moment, connectedSince: Moment?) -> MonotonicTime? {
        guard let connectedSince else { return nil }
        let time = now.monotonic
        let times = [
            sessions.nextSilence(at: time, within: Self.timeout), requests.due, anchor?.expiry,
            anchor.map { $0.renewalDue > time ? $0.renewalDue : $0.expiry },
            gaps.since.map { $0.advanced(by: SequenceGaps.tolerance) },
            mismatchSince.map { $0.advanced(by: Self.mismatchTolerance) },
            link == .waiting ? connectedSince.monotonic.advanced(byNanoseconds: Self.timeout) : nil,
        ]
        return times.compactMap { $0 }.filter { $0 > time }.min()
    }

    /// The technical alarms that the ward raises for this bed.
    var ownAlarms: [WardOwnAlarm.Kind] {
        switch link {
        case .noLink: [.noLink]
        case .twoMonitors: [.twoMonitors]
        case .noAnswer: [.noAnswer]
        case .live: abs(skewMilliseconds ?? 0) > Self.alarmingSkew ? [.clockOff] : []
        case .noBroker, .waiting, .closed, .handover, .simulatedRefused, .noPlace: []
        }
    }
}

extension BedState {
    /// How little is lost when another bed takes this one's place; the least is the most dispensable.
    struct Dispensability: Comparable {
        /// What stays known of the bed.
        var presence: UnplacedBeds.Presence
        /// When its newest session began, by the bed's clock; only an order.
        var since: Int64

        static func < (left: Dispensability, right: Dispensability) -> Bool {
            (left.rank, left.since) < (right.rank, right.since)
        }

        /// One that was closed was not lost; an announced one may be there, and takes a place when it is heard.
        private var rank: Int {
            switch presence {
            case .closed: 0
            case .lost: 1
            case .announced: 2
            case .heard: 3
            }
        }
    }

    /// How dispensable the bed is; `nil` if it must keep its place, because it is heard, or was heard and is lost.
    var dispensability: Dispensability? {
        guard sessions.heard.isEmpty else { return nil }
        let since = facts?.since ?? announced.values.map(\.since).max() ?? 0
        if isAnnounced { return lastHeard == nil ? Dispensability(presence: .announced, since: since) : nil }
        guard let current, let reason = sessions.end(of: current) else { return nil }
        switch reason {
        case .closed: return Dispensability(presence: .closed, since: since)
        case .lost: return lastHeard == nil ? Dispensability(presence: .lost, since: since) : nil
        }
    }
}
