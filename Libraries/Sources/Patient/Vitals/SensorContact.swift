/// What earlier runs have left about a remembered sensor: its last measurement and its battery, each with its time.
///
/// It is of the past: shown dated, and never evaluated or taken for a present value.
public struct SensorContact: Codable, Hashable, Sendable {
    /// The last measurement of this patient; `nil` without one.
    public var measurement: Measurement?
    /// The last battery level; `nil` if none was reported.
    public var battery: Battery?

    public init(measurement: Measurement? = nil, battery: Battery? = nil) {
        (self.measurement, self.battery) = (measurement, battery)
    }

    /// A measurement.
    public struct Measurement: Codable, Hashable, Sendable {
        /// What was measured; `nil` if only the time is still known.
        public var content: RecordEntry.Content?
        /// When, in milliseconds since 1970 (UTC).
        public var wallMilliseconds: Int64

        public init(content: RecordEntry.Content?, wallMilliseconds: Int64) {
            (self.content, self.wallMilliseconds) = (content, wallMilliseconds)
        }
    }

    /// A battery level.
    public struct Battery: Codable, Hashable, Sendable {
        /// Percent, 0 to 100.
        public var percent: Int
        /// When it was reported, in milliseconds since 1970 (UTC).
        public var wallMilliseconds: Int64

        public init(percent: Int, wallMilliseconds: Int64) {
            (self.percent, self.wallMilliseconds) = (percent, wallMilliseconds)
        }
    }
}
