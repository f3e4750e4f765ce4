import Base
import Vitals

/// The reducer's settings: thresholds, delays and factors, each with its default.
public struct MonitorSettings: Codable, Hashable, Sendable {
    /// When a value that is not renewed becomes stale, lost or silent.
    public var freshness = Freshness()
    /// When a body temperature counts as fever.
    public var fever = Fever()
    /// When the equipment raises an alarm.
    public var technical = Technical()
    /// The daily limits of the vitals; an entry of the ``schedule`` has its own.
    @Shared public var limits = Limits()
    /// Parts of the week with limits and sounds of their own.
    public var schedule: [ScheduleEntry] = []
    /// How alarms are signalled.
    public var alarmSignals = AlarmSignals()
    /// How long users' answers to alarms last.
    public var answers = Answers()
    /// Whether remote views may act on the monitor.
    public var viewsMayAct = true
    /// The oxygen-saturation scale of the early-warning bands; choosing scale 2 is a clinician's decision.
    public var oxygenSaturationScale = OxygenSaturationScale.scale1
    /// When screens show the early-warning bands.
    public var showsEarlyWarning = EarlyWarningBands.Visibility.raised
    /// Whether somebody must confirm what sensors hand over from now on.
    public var confirmsMeasurements = false
    /// Which persons of devices for several persons are the patient.
    public var users: [DeviceUser] = []
    /// Whom to call, in their order.
    public var contacts: [Contact] = []
    /// The local time's offset from UTC in seconds, positive to the east, until an event changes it.
    public var timeZoneOffset = 0
    /// The greatest number of sensor rows; unknown devices cannot make the state grow beyond it.
    ///
    /// Twice the number of remembered sensors, so that these always have a row.
    public var sensorLimit = 512

    public init() {}

    /// Factors on the interval at which a sensor usually sends a vital.
    public struct Freshness: Codable, Hashable, Sendable {
        /// A value is stale when it is older than this many intervals.
        public var staleFactor = 3
        /// A value is lost, or its sensor silent, after this many intervals.
        public var lostFactor = 6
        /// Shorter intervals count as this one.
        public var shortestInterval = Duration.milliseconds(500)
        /// Longer intervals count as this one.
        public var longestInterval = Duration.seconds(60)
        /// The interval for rates and oxygen saturation until two values have arrived.
        public var assumedInterval = Duration.seconds(2)
        /// The interval for temperatures until two values have arrived.
        public var assumedTemperatureInterval = Duration.seconds(10)

        public init() {}

        /// The interval assumed for a vital until it is learned from two arrivals.
        public func assumedInterval(of vital: Vital) -> Duration {
            switch vital.traits.pace {
            case .seconds: assumedInterval
            case .slow: assumedTemperatureInterval
            case .fiveMinutes: .seconds(300)
            }
        }
    }

    /// Delays and limits of the technical alarms.
    public struct Technical: Codable, Hashable, Sendable {
        /// How long a sensor is off the body before that is an alarm; the banner appears at once.
        public var sensorOffDelay = Duration.seconds(5)
        /// How long a link is lost before that is an alarm; sensors that reconnect in seconds raise none.
        public var linkLostDelay = Duration.seconds(10)
        /// The battery level, in percent, at or below which the battery is low.
        public var batteryLow = 15
        /// The battery level, in percent, from which the battery is no longer low.
        public var batteryRecovered = 20
        /// How long a sensor reports a fault before that is an alarm.
        public var equipmentDelay = Duration.seconds(5)
        /// How long a sensor has no measurement for another reason (searching, too little blood flow …) before that is
        /// an alarm.
        public var noMeasurementDelay = Duration.seconds(30)
        /// The signal strength, in dBm, at or below which a link is at risk; `nil` if off.
        ///
        /// BlueZ reports it while a sensor advertises, not while it is connected; an unknown strength is not evaluated.
        public var weakSignal: Int? = -90
        /// The signal strength, in dBm, from which it is no longer weak.
        public var signalRecovered = -85
        /// How long the signal must be weak before that is an alarm.
        public var weakSignalDelay = Duration.seconds(10)
        /// How long an oximeter sees a weak pulse (``PulseStrength``) before that is an alarm; `nil` if it is none.
        public var weakPulseDelay: Duration?
        /// The number of malformed values within ``malformedWindow`` that raise an alarm; 1 to 16.
        public var malformedCount = 3
        /// The time within which they are counted; the alarm ends after the same time without one.
        public var malformedWindow = Duration.seconds(60)
        /// How long Bluetooth must be unusable before that is an alarm; a service that restarts sooner raises none.
        public var systemDelay = Duration.seconds(5)
        /// How long a clock jump or a computer's sleep is shown.
        public var noticeDuration = Duration.seconds(10 * 60)
        /// Whether a monitor without a screen and without sensors to connect raises an alarm.
        public var reportsNothingMonitored = false
        /// How long dropped readings are shown after the last one.
        public var droppedDuration = Duration.seconds(60)

        public init() {}
    }
}

extension MonitorSettings {
    /// How alarms are signalled.
    public struct AlarmSignals: Codable, Hashable, Sendable {
        /// Whether the sound is off permanently.
        ///
        /// The screen shows that; no key does it.
        public var isSoundOff = false
        /// How often alarms sound, and with which melody; an entry of the schedule may have its own.
        public var pattern = SoundPattern()
        /// How often a tone reminds of alarms whose sound is paused or off; `nil` for never.
        public var reminder: Duration? = .seconds(120)
        /// The default pause of the sound; within ``audioPauses``.
        public var audioPause = Duration.seconds(120)
        /// Whether alarms do not flash.
        public var isMotionReduced = false

        public init() {}

        /// How long the sound can be paused.
        public static let audioPauses = Duration.seconds(60)...Duration.seconds(180)
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

extension MonitorSettings {
    /// When a body temperature counts as fever, by the definition of the Infectious Diseases Society of America: one
    /// temperature of 38.3 °C or more, or 38.0 °C or more sustained for an hour; compared in exact hundredths.
    public struct Fever: Codable, Hashable, Sendable {
        /// The rule in use.
        public var rule = FeverRuleName.bedside
        /// The temperature at which a confirmed reading is fever: 38.3 °C.
        public var threshold = VitalValue(hundredths: 3830)
        /// How a reading of a streaming sensor is confirmed.
        public var confirmation = FeverConfirmation.inARow
        /// The number of consecutive readings that must reach the threshold for a streaming sensor; 1 to 60.
        public var confirmationCount = 3
        /// Readings further apart than this are not consecutive.
        public var confirmationGap = Duration.seconds(10 * 60)
        /// A thermometer whose values arrive within this time of each other streams.
        public var spotInterval = Duration.seconds(60)
        /// The temperature at which a sustained one is fever: 38.0 °C.
        public var sustainedThreshold = VitalValue(hundredths: 3800)
        /// How long it must last; whole minutes from 10 to 240.
        public var sustainedDuration = Duration.seconds(60 * 60)
        /// The longest time between two samples that still belong together.
        public var largestGap = Duration.seconds(10 * 60)
        /// The percentage of minutes that must have samples; with fewer, nothing is evaluated.
        public var coverage = 80
        /// The percentage of minutes with samples whose median must be ``sustainedThreshold`` or more.
        public var warmShare = 95
        /// Only temperatures below this, 37.8 °C, let an episode end.
        public var clearBelow = VitalValue(hundredths: 3780)
        /// How long every temperature must be below ``clearBelow`` until the episode ends.
        public var clearDuration = Duration.seconds(30 * 60)
        /// The neutrophil count at the start; it expires like one entered later.
        public var neutrophils: NeutrophilCount?
        /// The time after which an unacknowledged fever alerts again.
        public var alertAgainAfter = Duration.seconds(15 * 60)

        public init() {}

        /// The temperatures at which the rule's verdict changes; rounding must not cross them.
        public var limits: [VitalValue] {
            switch rule {
            case .bedside: [threshold, sustainedThreshold]
            case .neutroFeverGuard: [NeutroFeverGuardRule.singleLimit, NeutroFeverGuardRule.sustainedLimit]
            }
        }

        /// The length of the sustained rule's window in minutes, within bounds that keep its memory small.
        var windowMinutes: Int { Int(sustainedDuration.components.seconds.clamped(to: 600...14_400) / 60) }
        /// ``coverage`` and ``warmShare`` as valid percentages.
        var percentages: (coverage: Int, warmShare: Int) {
            (coverage.clamped(to: 1...100), warmShare.clamped(to: 1...100))
        }
    }
}

/// The fever rules, by their names in the configuration.
public enum FeverRuleName: String, CaseIterable, Codable, Hashable, Sendable {
    /// A confirmed single reading, or an hour with enough samples.
    case bedside
    /// The rule of the app NeutroFeverGuard, with its faults.
    case neutroFeverGuard = "neutrofeverguard"
}

/// How a single reading of a streaming sensor is confirmed, by the names in the configuration.
public enum FeverConfirmation: String, CaseIterable, Codable, Hashable, Sendable {
    /// Several consecutive readings that all reach the threshold.
    case inARow = "in-a-row"
    /// The median of the newest three readings, which tolerates one that does not reach it.
    case medianOfThree = "median-of-three"
}
