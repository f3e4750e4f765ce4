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

    /// Evaluates whether any sensor is wanted, if the settings require a report of that.
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

/// Whether alarms are heard through this computer's sound system.
public enum SoundOutput: Codable, Hashable, Sendable {
    /// Alarms sound, according to the sound system.
    case working
    /// Alarms never sounded; `reason` is for the user: "no sound card".
    case unavailable(reason: String)
    /// Alarms no longer sound.
    case lost(reason: String)
}

extension MonitorState {
    /// How long sound may be lost before that is an alarm; usually it is back sooner.
    private static let soundLostDelay = Duration.seconds(2)

    /// Applies a change of the sound output.
    ///
    /// - Returns: The effects, including those of the time that passed until then.
    public mutating func apply(_ output: SoundOutput, at moment: Moment) -> [Effect] {
        var effects = advance(to: moment)
        environment.soundOutput = output
        var finding: (detail: String?, priority: AlarmPriority)?
        if case .lost(let reason) = output { finding = (reason, .medium) }
        effects += evaluateComputer(.soundLost, finding, delay: Self.soundLostDelay)
        return effects + settle()
    }
}

/// Whether readings can be stored.
public enum StorageState: Codable, Hashable, Sendable {
    /// Readings can be stored, or storing is off.
    case working
    /// Readings can be stored, but there is little space left; `reason` is for the user: "128 MB left".
    case nearlyFull(reason: String)
    /// Readings can be stored; earlier ones are not in the store, and `reason` says where: "earlier values are in
    /// NAME".
    case incomplete(reason: String)
    /// Readings cannot be stored, for lack of space.
    case full
    /// Readings cannot be stored; `reason` is for the user: "the disk answers with an error".
    case failed(reason: String)

    /// Whether readings can be stored.
    var canStore: Bool {
        switch self {
        case .working, .nearlyFull, .incomplete: true
        case .full, .failed: false
        }
    }
}

extension MonitorState {
    /// Applies a change of the store's state.
    ///
    /// - Returns: The effects, including those of the time that passed until then.
    public mutating func apply(_ storage: StorageState, at moment: Moment) -> [Effect] {
        var effects = advance(to: moment)
        // Failing to record is a different condition from little space: one ends when the other begins.
        if environment.storage.canStore != storage.canStore { effects += evaluateComputer(.storage, nil, delay: .zero) }
        environment.storage = storage
        let detail: String? =
            switch storage {
            case .working: nil
            case .nearlyFull(let reason): "nearly full, \(reason)"
            case .incomplete(let reason): reason
            case .full: "full, nothing more is recorded"
            case .failed(let reason): "\(reason); nothing more is recorded"
            }
        effects += evaluateComputer(.storage, detail.map { ($0, AlarmPriority.low) }, delay: .zero)
        return effects + settle()
    }
}

/// Whether a ward's screens can see this monitor through the broker.
public enum WardLink: Codable, Hashable, Sendable {
    /// The broker accepts messages.
    case connected
    /// The broker is lost since this moment; `reason` is for the user: "Connection refused".
    case lost(reason: String, since: Moment)
}

extension MonitorState {
    /// How long the broker may be lost before that is an alarm; restarting it takes less.
    private static let wardLostDelay = Duration.seconds(10)

    /// Applies a change of the ward's view of this monitor.
    ///
    /// It never raises more than an alarm of low priority, because the alarms at the bed do not need the ward.
    ///
    /// - Returns: The effects, including those of the time that passed until then.
    public mutating func apply(_ link: WardLink, at moment: Moment) -> [Effect] {
        var effects = advance(to: moment)
        environment.wardLink = link
        var finding: (detail: String?, priority: AlarmPriority)?
        if case .lost(let reason, _) = link {
            finding = ("\(reason); alarms here are not affected", .low)
            effects += endSilence(.noBroker)
        }
        effects += evaluateComputer(.wardLost, finding, delay: Self.wardLostDelay)
        return effects + settle()
    }
}
