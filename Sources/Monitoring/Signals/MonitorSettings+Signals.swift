import Vitals

extension MonitorSettings {
    /// How alarms make themselves heard and seen.
    public struct AlarmSignals: Codable, Hashable, Sendable {
        /// Whether the sound is off for good.
        ///
        /// The screen says so for as long as it is; no key does that.
        public var isSoundOff = false
        /// From the beginning of one burst to the next, for high priority; 2.5 to 15 seconds.
        public var highGap = Duration.seconds(5)
        /// From the beginning of one burst to the next, for medium priority; 2.5 to 30 seconds.
        public var mediumGap = Duration.seconds(15)
        /// From the beginning of one burst to the next, for low priority; `nil`: one burst only.
        public var lowGap: Duration?
        /// How often a tone reminds of alarms whose sound is paused or off; `nil`: never.
        public var reminder: Duration? = .seconds(120)
        /// For how long the sound is paused unless somebody says otherwise; within ``audioPauses``.
        public var audioPause = Duration.seconds(120)
        /// Whether alarms do not flash.
        public var isMotionReduced = false

        /// Makes the usual signals.
        public init() {}

        /// How long the sound can be paused.
        public static let audioPauses = Duration.seconds(60)...Duration.seconds(180)

        /// From the beginning of one burst to the next; `nil` when there is only one burst.
        public func gap(_ priority: AlarmPriority) -> Duration? {
            switch priority {
            case .high: highGap
            case .medium: mediumGap
            case .low: lowGap
            }
        }
    }

    /// How users' answers to alarms are bounded: each ends by itself.
    public struct Answers: Codable, Hashable, Sendable {
        /// For how long a kind of alarm is snoozed unless somebody says otherwise.
        public var snooze = Duration.seconds(10 * 60)
        /// The longest time that a kind of alarm can be snoozed.
        public var longestSnooze = Duration.seconds(60 * 60)
        /// For how long a sensor's alarms are held for care unless somebody says otherwise.
        public var carePause = Duration.seconds(5 * 60)
        /// The longest time that a sensor's alarms can be held for care.
        public var longestCarePause = Duration.seconds(30 * 60)
        /// Whether an alarm of high priority about the patient stays on the screen after its condition has ended, until
        /// somebody acknowledges it.
        public var latchesHighPriority = true

        /// Makes the usual bounds.
        public init() {}
    }
}
