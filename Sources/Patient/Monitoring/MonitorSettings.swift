import Vitals

/// The reducer's settings: thresholds, delays and factors, each with its default.
public struct MonitorSettings: Codable, Hashable, Sendable {
    /// When a value that is not renewed becomes stale, lost or silent.
    public var freshness = Freshness()
    /// When a body temperature counts as fever.
    public var fever = Fever()
    /// When the equipment raises an alarm.
    public var technical = Technical()
    /// The limits of the vitals; ``profiles`` may replace them for a part of the day.
    public var limits = Limits()
    /// Limits for parts of the day; the first that applies is used.
    public var profiles: [LimitProfile] = []
    /// How alarms are signalled.
    public var alarmSignals = AlarmSignals()
    /// How long users' answers to alarms last.
    public var answers = Answers()
    /// Whether remote views may act on the monitor.
    public var viewsMayAct = true
    /// The oxygen-saturation scale of the early-warning bands; choosing scale 2 is a clinician's decision.
    public var oxygenSaturationScale = OxygenSaturationScale.scale1
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
