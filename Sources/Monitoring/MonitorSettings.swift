import Vitals

/// What the reducer may be told before it starts: thresholds, delays and factors, each with its usual value.
public struct MonitorSettings: Hashable, Sendable {
    /// How soon a value that is not renewed counts as stale, lost or silent.
    public var freshness = Freshness()
    /// When a body temperature counts as fever.
    public var fever = Fever()
    /// When the equipment deserves an alarm.
    public var technical = Technical()
    /// The greatest number of sensor rows kept; strangers' radios cannot make the state grow beyond it.
    public var sensorLimit = 256

    /// Makes the usual settings.
    public init() {}

    /// Factors on the interval at which a sensor usually sends a vital.
    public struct Freshness: Hashable, Sendable {
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
    public struct Technical: Hashable, Sendable {
        /// How long a sensor is off the body before that is an alarm; the banner does not wait.
        public var sensorOffDelay = Duration.seconds(5)
        /// How long a link is lost before that is an alarm; sensors that reconnect in seconds raise none.
        public var linkLostDelay = Duration.seconds(10)
        /// The battery level, in percent, at or below which the battery is low.
        public var batteryLow = 15
        /// The battery level, in percent, from which on the battery is no longer low.
        public var batteryRecovered = 20

        /// Makes the usual delays and limits.
        public init() {}
    }
}
