import Vitals

/// What the reducer may be told before it starts: thresholds, delays and factors, each with its usual value.
public struct MonitorSettings: Codable, Hashable, Sendable {
    /// How soon a value that is not renewed counts as stale, lost or silent.
    public var freshness = Freshness()
    /// When a body temperature counts as fever.
    public var fever = Fever()
    /// When the equipment deserves an alarm.
    public var technical = Technical()
    /// Within what limits vitals may move; ``profiles`` may put others in their place for a part of the day.
    public var limits = Limits()
    /// Limits for parts of the day; the first that holds counts.
    public var profiles: [LimitProfile] = []
    /// How alarms make themselves heard and seen.
    public var alarmSignals = AlarmSignals()
    /// How long users' answers to alarms last.
    public var answers = Answers()
    /// Whether those who look at the monitor from elsewhere may act on it, too.
    public var viewsMayAct = true
    /// How the early-warning bands judge oxygen saturation; another scale than the first is a clinician's decision.
    public var oxygenSaturationScale = OxygenSaturationScale.scale1
    /// The local time's distance from UTC in seconds, positive to the east, until an event tells another.
    public var timeZoneOffset = 0
    /// The greatest number of sensor rows kept; strangers' radios cannot make the state grow beyond it.
    ///
    /// Twice as many as sensors are remembered, so that these always have a row.
    public var sensorLimit = 512

    /// Makes the usual settings.
    public init() {}

    /// Factors on the interval at which a sensor usually sends a vital.
    public struct Freshness: Codable, Hashable, Sendable {
        /// A value is stale when it is older than this many intervals.
        public var staleFactor = 3
        /// A value is lost, or its sensor silent, after this many intervals.
        public var lostFactor = 6
        /// No interval is taken for shorter than this.
        public var shortestInterval = Duration.milliseconds(500)
        /// No interval is taken for longer than this.
        public var longestInterval = Duration.seconds(60)
        /// What is assumed for rates and oxygen saturation until two values have come.
        public var assumedInterval = Duration.seconds(2)
        /// What is assumed for temperatures until two values have come.
        public var assumedTemperatureInterval = Duration.seconds(10)

        /// Makes the usual factors.
        public init() {}

        /// The interval assumed for a vital until it is learned from two arrivals.
        public func assumedInterval(of vital: Vital) -> Duration {
            switch vital {
            case .heartRate, .pulseRate, .oxygenSaturation: assumedInterval
            case .bodyTemperature, .skinTemperature: assumedTemperatureInterval
            }
        }
    }

    /// Delays and limits of the technical alarms.
    public struct Technical: Codable, Hashable, Sendable {
        /// How long a sensor is off the body before that is an alarm; the banner does not wait.
        public var sensorOffDelay = Duration.seconds(5)
        /// How long a link is lost before that is an alarm; sensors that reconnect in seconds raise none.
        public var linkLostDelay = Duration.seconds(10)
        /// The battery level, in percent, at or below which the battery is low.
        public var batteryLow = 15
        /// The battery level, in percent, from which on the battery is no longer low.
        public var batteryRecovered = 20
        /// How long a sensor reports a fault before that is an alarm.
        public var equipmentDelay = Duration.seconds(5)
        /// How long a sensor has no measurement for another reason (searching, too little blood flow …) before that is
        /// an alarm.
        public var noMeasurementDelay = Duration.seconds(30)
        /// The signal strength, in dBm, at or below which a link is in danger; `nil` when that is off.
        ///
        /// BlueZ tells it while a sensor advertises, not while it is connected; what is not known is not judged.
        public var weakSignal: Int? = -90
        /// The signal strength, in dBm, from which on it is no longer weak.
        public var signalRecovered = -85
        /// How long the signal must be weak before that is an alarm.
        public var weakSignalDelay = Duration.seconds(10)
        /// How many values that make no sense, within ``malformedWindow``, are an alarm; 1 to 16.
        public var malformedCount = 3
        /// The time within which they are counted, and without one of which the alarm ends.
        public var malformedWindow = Duration.seconds(60)
        /// How long Bluetooth cannot be used before that is an alarm; a service that restarts in between raises none.
        public var systemDelay = Duration.seconds(5)
        /// For how long it is shown that the clock jumped or the computer slept.
        public var noticeDuration = Duration.seconds(10 * 60)
        /// For how long it is shown that a reading was dropped, after the last one that was.
        public var droppedDuration = Duration.seconds(60)

        /// Makes the usual delays and limits.
        public init() {}
    }
}
