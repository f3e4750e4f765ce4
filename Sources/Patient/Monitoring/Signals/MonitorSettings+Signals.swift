import Vitals

extension MonitorSettings {
    /// How alarms are signalled.
    public struct AlarmSignals: Codable, Hashable, Sendable {
        /// Whether the sound is off permanently.
        ///
        /// The screen shows that; no key does it.
        public var isSoundOff = false
        /// From the beginning of one burst to the next, for high priority; 2.5 to 15 seconds.
        public var highGap = Duration.seconds(5)
        /// From the beginning of one burst to the next, for medium priority; 2.5 to 30 seconds.
        public var mediumGap = Duration.seconds(15)
        /// From the beginning of one burst to the next, for low priority; `nil` for a single burst.
        public var lowGap: Duration?
        /// How often a tone reminds of alarms whose sound is paused or off; `nil` for never.
        public var reminder: Duration? = .seconds(120)
        /// The default pause of the sound; within ``audioPauses``.
        public var audioPause = Duration.seconds(120)
        /// Whether alarms do not flash.
        public var isMotionReduced = false

        public init() {}

        /// How long the sound can be paused.
        public static let audioPauses = Duration.seconds(60)...Duration.seconds(180)

        /// From the beginning of one burst to the next; `nil` for a single burst.
        public func gap(_ priority: AlarmPriority) -> Duration? {
            switch priority {
            case .high: highGap
            case .medium: mediumGap
            case .low: lowGap
            }
        }
    }

    /// Durations of users' answers to alarms, each of which expires.
    public struct Answers: Codable, Hashable, Sendable {
        /// The default snooze of a kind of alarm.
        public var snooze = Duration.seconds(10 * 60)
        /// The longest time that a kind of alarm can be snoozed.
        public var longestSnooze = Duration.seconds(60 * 60)
        /// The default care pause of a sensor.
        public var carePause = Duration.seconds(5 * 60)
        /// The longest time that a sensor's alarms can be held for care.
        public var longestCarePause = Duration.seconds(30 * 60)
        /// Whether an alarm of high priority about the patient stays on the screen after its condition has ended, until
        /// it is acknowledged.
        public var latchesHighPriority = true

        public init() {}
    }
}
