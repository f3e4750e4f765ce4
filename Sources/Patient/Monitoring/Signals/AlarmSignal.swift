import Vitals

/// The present sound, and what suppresses it.
public struct AlarmSignal: Hashable, Sendable {
    /// The highest priority that needs a sound: of alarms that are active and neither acknowledged, snoozed nor held
    /// for care; `nil` for none.
    public var priority: AlarmPriority?
    /// Until when the sound of all alarms is paused.
    public var pausedUntil: Moment?
    /// Whether the sound is switched off in the configuration.
    public var isOff: Bool
    /// The snoozed kinds of alarms, the first to end first.
    public var snoozes: [Snooze]
    /// The planned silence; `nil` while there is none.
    public var silence: Silence?
    /// Until when it is to be silent once another screen confirms that it sounds; `nil` unless that is awaited.
    public var silenceAskedUntil: Moment?

    /// A planned silence, during which another screen sounds.
    public struct Silence: Hashable, Sendable {
        /// When it ends at the latest.
        public var until: Moment
        /// The name of the screen that sounds.
        public var listener: String

        public init(until: Moment, listener: String) {
            (self.until, self.listener) = (until, listener)
        }
    }

    /// A snoozed kind of alarm.
    public struct Snooze: Hashable, Sendable {
        /// The alarms concerned.
        public var key: SnoozeKey
        public var until: Moment
    }

    /// The priority that sounds now; `nil` for none, or if the sound is paused, silent as planned, or off.
    public var sounding: AlarmPriority? { pausedUntil == nil && silence == nil && !isOff ? priority : nil }
}

extension MonitorState {
    /// The sound now.
    public var signal: AlarmSignal {
        let snoozes = sound.snoozes.map { AlarmSignal.Snooze(key: $0.key, until: $0.value) }
        return AlarmSignal(
            priority: sound.wanted, pausedUntil: sound.pausedUntil, isOff: settings.alarmSignals.isSoundOff,
            snoozes: snoozes.sorted { ($0.until, $0.key.text) < ($1.until, $1.key.text) },
            silence: silence.silentUntil.map { AlarmSignal.Silence(until: $0, listener: silence.listener ?? "") },
            silenceAskedUntil: silence.askedUntil)
    }

    /// The priority that sounds now, as ``AlarmSignal/sounding`` of ``signal``, without sorting the snoozes.
    public var soundingPriority: AlarmPriority? {
        sound.pausedUntil == nil && !sound.isSilent && !settings.alarmSignals.isSoundOff ? sound.wanted : nil
    }

    /// The worst alarm that needs a sound, even while the sound is paused or off; `nil` for none.
    public var audibleAlarm: Alarm? { sound.worstAudible(board) }

    /// Until when the alarms of the sensor with this address are held for care; `nil` if they are not.
    public func carePause(address: String) -> Moment? {
        table.row(of: address).flatMap { board.carePauses[table[$0].ordinal] }
    }
}

/// The flashing of alarms: high priority at 2 Hz, medium at 0.5 Hz, half of the time lit; low is steady.
///
/// Phases follow the monotonic clock, so that everything flashes together.
public enum AlarmFlash {
    /// The length of a lit or dark phase in nanoseconds; `nil` for none.
    private static func phase(_ priority: AlarmPriority) -> Int64? {
        switch priority {
        case .high: 250_000_000
        case .medium: 1_000_000_000
        case .low: nil
        }
    }

    /// Whether an alarm that flashes with this priority is lit at a moment.
    public static func isLit(_ priority: AlarmPriority, at moment: Moment, isMotionReduced: Bool = false) -> Bool {
        guard !isMotionReduced, let phase = phase(priority) else { return true }
        let (quotient, remainder) = moment.monotonicNanoseconds.quotientAndRemainder(dividingBy: phase)
        return (remainder < 0 ? quotient - 1 : quotient).isMultiple(of: 2)
    }

    /// When that changes next; `nil` for never.
    public static func nextChange(
        _ priority: AlarmPriority, after moment: Moment, isMotionReduced: Bool = false
    ) -> Moment? {
        guard !isMotionReduced, let phase = phase(priority) else { return nil }
        let into = moment.monotonicNanoseconds % phase
        return moment.advanced(by: .nanoseconds(into < 0 ? -into : phase - into))
    }
}

extension Alarm {
    /// Whether it flashes (or, for low priority, is highlighted steadily): it is active and unanswered.
    public var isFlashing: Bool { wantsAttention }
}

extension MonitorState {
    /// When a flashing alarm must be redrawn; `nil` if none flashes.
    ///
    /// Not part of ``nextDeadline``, because it concerns the screen only.
    public func nextFlash(after moment: Moment) -> Moment? {
        let priority = board.alarms.lazy.filter(\.isFlashing).map(\.priority).max()
        return priority.flatMap {
            AlarmFlash.nextChange($0, after: moment, isMotionReduced: settings.alarmSignals.isMotionReduced)
        }
    }
}
