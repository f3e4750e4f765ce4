import Vitals

/// The pressure in a measuring cuff.
public struct CuffPressure: Codable, Hashable, Sendable {
    /// The blood-pressure monitor.
    public var sensor: SensorIdentity
    /// In whole mmHg.
    public var pressure: Int
    /// When it arrived.
    public var moment: Moment

    /// How long it is shown; a measuring cuff sends it several times a second.
    public static let shownFor = Duration.seconds(10)
}
