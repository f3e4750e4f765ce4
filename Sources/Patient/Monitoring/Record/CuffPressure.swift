import Vitals

/// The pressure in a cuff that is measuring.
public struct CuffPressure: Codable, Hashable, Sendable {
    /// The blood-pressure monitor.
    public var sensor: SensorIdentity
    /// In whole mmHg.
    public var pressure: Int
    /// When it came.
    public var moment: Moment

    /// How long it is shown; a cuff that measures sends it several times a second.
    public static let shownFor = Duration.seconds(10)
}
