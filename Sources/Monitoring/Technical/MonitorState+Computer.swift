import SaturatingArithmetic
import Vitals

extension MonitorState {
    /// Judges whether Bluetooth can be used at all.
    mutating func judgeEnvironment(_ effects: inout [Effect]) {
        let delay = settings.technical.systemDelay
        // Without any sensor that is wanted, nothing is missed yet.
        let priority: AlarmPriority =
            isMonitoringStopped && sensors.contains(where: \.isWanted) ? .medium : .low
        var busReason: String?
        switch environment.bus {
        case nil, .connected: break
        case .lost(let reason): busReason = reason
        case .foreign(let provenance): busReason = "\(provenance.foreignBusWords); start Bedside anew"
        }
        judgeComputer(.busLost, busReason.map { ($0, priority) }, delay: delay, &effects)
        let isDaemonMissed = environment.daemon.map { $0 != .running } ?? false
        var refusal: String?
        if case .refused(let reason) = environment.daemon { refusal = reason }
        judgeComputer(.daemonGone, isDaemonMissed ? (refusal, priority) : nil, delay: delay, &effects)
        let power = environment.adapter?.power ?? .ready
        judgeComputer(.adapterOff, power == .ready ? nil : (power.words, priority), delay: delay, &effects)
    }

    /// Tells of a gap that no other alarm tells of; what is past can only be shown for a while.
    mutating func judgeGap(_ gap: Gap, _ effects: inout [Effect]) {
        let length = Duration.milliseconds(gap.to.wallMilliseconds.subtractingSaturated(gap.from.wallMilliseconds))
        let notice = settings.technical.noticeDuration
        switch gap.reason {
        case .clockSet:
            let direction = length < .zero ? "back" : "forward"
            let size = length < .zero ? Duration.zero - length : length
            judgeComputer(
                .clockJump, ("\(direction) by \(size.words)", .low), delay: .zero, lasting: notice, &effects)
        case .asleep:
            judgeComputer(
                .notMonitored, ("the computer slept for \(length.words)", .low), delay: .zero, lasting: notice, &effects
            )
        case .program:
            judgeComputer(
                .notMonitored, ("the program missed \(length.words)", .low), delay: .zero, lasting: notice, &effects)
        case .daemon, .bus, .adapter: break
        }
    }

    /// Judges a condition of this computer; it is met when there is a finding.
    mutating func judgeComputer(
        _ kind: AlarmKind, _ finding: (detail: String?, priority: AlarmPriority)?, delay: Duration,
        lasting: Duration? = nil, _ effects: inout [Effect]
    ) {
        board.judge(
            AlarmKey(sensorOrdinal: AlarmKey.computer, kind: kind), finding == nil ? .unmet : .met,
            evidence: AlarmEvidence(
                sensor: nil, priority: finding?.priority ?? .low,
                detail: finding?.detail.map { harmlessText($0, limit: 80) }),
            delay: delay.nanoseconds, lasting: lasting?.nanoseconds, now: now, effects: &effects)
    }
}

extension Provenance {
    /// What is the matter with a bus that has such sensors where a session has the others.
    public var foreignBusWords: String {
        self == .simulated ? "the bus is a simulator's now" : "the bus is no longer a simulator's"
    }
}

extension AdapterStatus.Power {
    /// The state in plain words.
    var words: String {
        switch self {
        case .ready: "ready"
        case .off: "switched off"
        case .blocked: "blocked by a switch or rfkill"
        case .missing: "there is none"
        }
    }
}
