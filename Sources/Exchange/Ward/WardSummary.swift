import Monitoring
import Base
import Vitals
import WardMessages

/// A ward at a glance: the number of beds that are heard, and the unanswered alarms.
public struct WardSummary: Hashable, Sendable {
    /// The worst condition; the raw value is the word in `bedside ward status --json`.
    public enum Condition: String, CaseIterable, Hashable, Sendable {
        /// Every bed is heard, or was closed by its user, and no alarm is unanswered.
        case calm
        /// An alarm of medium or low priority waits for an answer.
        case alarm
        /// An alarm of high priority waits for an answer.
        case highAlarm = "high_alarm"
        /// A bed is heard and has no place, so that its alarms are not known.
        case noPlace = "no_place"
        /// A bed cannot be heard, or there is none.
        case notHeard = "not_heard"
        /// The broker cannot be reached.
        case noBroker = "no_broker"
    }

    public var bedCount: Int
    /// The number of beds with present values.
    public var liveCount: Int
    /// The beds that are heard and have no place, so that nothing of them is known.
    public var noPlace: [WardBed]
    /// The beds that are not heard.
    public var notHeard: [WardBed]
    /// The beds whose monitor was closed by its user.
    public var closed: [WardBed]
    /// The beds with simulated data, and those with a replay; every line contains them.
    public var simulated, replayed: [WardBed]
    /// The number of alarms at beds that are heard, and of the ward's own ones.
    public var alarmCount: Int
    /// The number of unanswered alarms.
    public var unansweredCount: Int
    public var condition: Condition

    public init(_ state: WardState) {
        let beds = state.beds
        let unplaced = state.unplaced
        bedCount = beds.count + unplaced.count
        noPlace = unplaced.heard
        liveCount = beds.count(where: \.link.isLive)
        closed = (beds.filter { $0.link == .closed }.map(\.bed) + unplaced.closed).sorted()
        let silent = beds.filter { !$0.link.isLive && $0.link != .closed }.map(\.bed)
        notHeard = (silent + unplaced.lost + unplaced.announced).sorted()
        let shown = beds.filter { $0.link != .simulatedRefused }
        simulated = shown.filter { $0.facts?.isSimulated == true }.map(\.bed)
        replayed = shown.filter { $0.facts?.isReplay == true }.map(\.bed)
        let alarms = beds.filter(\.link.isLive).flatMap(\.alarms)
        alarmCount = alarms.count + state.ownAlarms.count
        let unanswered =
            alarms.filter(\.wantsAttention).map(\.priority)
            + state.ownAlarms.filter { !$0.isAcknowledged }.map(\.kind.priority)
        unansweredCount = unanswered.count
        if state.broker != .connected {
            condition = .noBroker
        } else if !noPlace.isEmpty {
            condition = .noPlace
        } else if unanswered.contains(.high) {
            condition = .highAlarm
        } else if !notHeard.isEmpty || beds.isEmpty {
            condition = .notHeard
        } else {
            condition = unanswered.isEmpty ? .calm : .alarm
        }
    }
}

extension WardState {
    /// Whether enough was heard to summarize the ward: every monitor has had the time for a heartbeat, and every bed
    /// has answered or is known not to.
    public func isSettled(at now: Moment) -> Bool {
        guard broker == .connected, now.since(brokerSince) >= Self.settlingTime else { return false }
        return unplaced.announced.isEmpty && beds.allSatisfy { $0.link != .waiting && $0.link != .handover }
    }

    /// The shortest time before a ward is summarized: a heartbeat, and some more.
    public static let settlingTime = Duration.seconds(WardTiming.heartbeatSeconds) + .milliseconds(500)
}

extension WardLines {
    /// Writes the line of `bedside ward status --json`.
    ///
    /// - Parameters:
    ///   - summary: The ward at a glance.
    ///   - text: The same for users.
    ///   - now: The present moment.
    public mutating func write(_ summary: WardSummary, text: String, at now: Moment) {
        begin("ward", now, isSimulated: !summary.simulated.isEmpty, isReplay: !summary.replayed.isEmpty)
        encoder.watch.text("state", summary.condition.rawValue)
        encoder.watch.number("beds", summary.bedCount)
        encoder.watch.number("live", summary.liveCount)
        write("not_heard", summary.notHeard)
        write("closed", summary.closed)
        write("no_place", summary.noPlace)
        encoder.watch.number("alarms", summary.alarmCount)
        encoder.watch.number("unanswered", summary.unansweredCount)
        encoder.watch.text("text", text)
        encoder.watch.end()
    }

    private mutating func write(_ key: String, _ beds: [WardBed]) {
        encoder.watch.texts(key, beds.map { "\($0.site)/\($0.bed)" })
    }
}
