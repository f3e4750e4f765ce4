import Base
import Vitals

extension MonitorState {
    /// Evaluates whether Bluetooth can be used at all.
    mutating func evaluateEnvironment() -> [Effect] {
        let delay = settings.technical.systemDelay
        // Without any wanted sensor, nothing is missed yet.
        let priority: AlarmPriority =
            isMonitoringStopped && sensors.contains(where: \.isWanted) ? .medium : .low
        var busReason: String?
        switch environment.bus {
        case nil, .connected, .silent: break
        case .lost(let reason): busReason = reason
        case .foreign(let isMarked): busReason = "\(BusState.foreignText(isMarked: isMarked)); start Bedside anew"
        }
        var effects = evaluateComputer(.busLost, busReason.map { ($0, priority) }, delay: delay)
        let isDaemonMissed = environment.daemon.map { !$0.isRunning } ?? false
        var refusal: String?
        if case .refused(let reason) = environment.daemon { refusal = reason }
        effects += evaluateComputer(.daemonGone, isDaemonMissed ? (refusal, priority) : nil, delay: delay)
        effects += evaluateComputer(.busSilent, environment.bus == .silent ? (nil, priority) : nil, delay: delay)
        effects += evaluateComputer(
            .daemonSilent, environment.silentPart == .daemonSilent ? (nil, priority) : nil, delay: delay)
        let power = environment.adapter?.power ?? .ready
        effects += evaluateComputer(.adapterOff, power == .ready ? nil : (power.text, priority), delay: delay)
        return effects + evaluateWish()
    }

    /// Evaluates whether any sensor is to be connected, if the settings want that reported.
    mutating func evaluateWish() -> [Effect] {
        let isMissed =
            settings.technical.reportsNothingMonitored
            && !sensors.contains { $0.isWanted || $0.memory?.isWanted == true }
        let detail = "no sensor is to be connected; name one (--connect, sensors.connect)"
        return evaluateComputer(
            .nothingMonitored, isMissed ? (detail, .low) : nil, delay: settings.technical.systemDelay)
    }

    /// Reports a gap that no other alarm reports, for a limited time.
    mutating func evaluateGap(_ gap: Gap) -> [Effect] {
        let length = Duration.milliseconds(gap.to.wallMilliseconds.subtractingSaturated(gap.from.wallMilliseconds))
        let notice = settings.technical.noticeDuration
        switch gap.reason {
        case .clockSet:
            let direction = length < .zero ? "back" : "forward"
            let size = length < .zero ? Duration.zero - length : length
            return evaluateComputer(
                .clockJump, ("\(direction) by \(size.text)", .low), delay: .zero, minimumDuration: notice)
        case .asleep:
            return evaluateComputer(
                .notMonitored, ("the computer slept for \(length.text)", .low), delay: .zero, minimumDuration: notice)
        case .busSilent:
            return evaluateComputer(
                .notMonitored, ("the message bus did not answer for \(length.text)", .low), delay: .zero,
                minimumDuration: notice)
        case .daemonSilent:
            return evaluateComputer(
                .notMonitored, ("Bluetooth did not answer for \(length.text)", .low), delay: .zero,
                minimumDuration: notice)
        case .program:
            return evaluateComputer(
                .notMonitored, ("the program missed \(length.text)", .low), delay: .zero, minimumDuration: notice)
        case .daemon, .bus, .adapter: return []
        }
    }

    /// Evaluates a condition of this computer; it is met if there is a finding.
    mutating func evaluateComputer(
        _ kind: AlarmKind, _ finding: (detail: String?, priority: AlarmPriority)?, delay: Duration,
        minimumDuration: Duration? = nil
    ) -> [Effect] {
        board.evaluate(
            AlarmKey(.computer, kind: kind), finding == nil ? .unmet : .met,
            evidence: AlarmEvidence(
                sensor: nil, priority: finding?.priority ?? .low,
                detail: finding?.detail.map { sanitized($0, limit: 80) }),
            delay: delay, minimumDuration: minimumDuration, now: now)
    }
}

extension BusState {
    /// Describes a bus of the wrong kind: a simulator's bus (marked) in a real session, or the reverse.
    public static func foreignText(isMarked: Bool) -> String {
        isMarked ? "the bus is a simulator's now" : "the bus is no longer a simulator's"
    }
}

extension AdapterStatus.Power {
    /// The state in plain text.
    var text: String {
        switch self {
        case .ready: "ready"
        case .off: "switched off"
        case .blocked: "blocked by a switch or rfkill"
        case .missing: "there is none"
        }
    }
}
