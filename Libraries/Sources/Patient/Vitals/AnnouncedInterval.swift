/// How often a thermometer measures, as it announces itself (Measurement Interval, 2A21).
///
/// Source: Health Thermometer Service 1.0, section 3.4.
public struct AnnouncedInterval: Codable, Hashable, Sendable {
    /// Seconds from one measurement to the next, 0 to 65535; 0 if it measures on request only.
    public var seconds: Int
    /// Whether the sensor lets it be set.
    public var isSettable: Bool

    /// The values that the characteristic can have.
    public static let range = 0...Int(UInt16.max)

    public init(seconds: Int, isSettable: Bool) {
        self.seconds = seconds
        self.isSettable = isSettable
    }

    /// Whether it measures on request only.
    public var isOnRequest: Bool { seconds == 0 }
}
