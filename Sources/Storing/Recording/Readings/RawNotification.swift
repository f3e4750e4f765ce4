import Vitals

/// A notification as received.
public struct RawNotification: Hashable, Sendable {
    /// Its sender.
    public var source: Source
    /// The characteristic's UUID: four hexadecimal digits for a 16-bit UUID; stored in lower case.
    public var characteristic: String
    /// The octets received.
    public var octets: [UInt8]
    /// When it was received.
    public var moment: Moment
    /// What is wrong with it, for the user; `nil` if it is not known to be malformed.
    public var mistake: String?

    /// The sender of a notification.
    public enum Source: Hashable, Sendable {
        /// A known sensor.
        case sensor(SensorIdentity)
        /// A peripheral known by its address only.
        case address(String)
    }

    /// Describes octets.
    public init(
        source: Source, characteristic: String, octets: [UInt8], moment: Moment, mistake: String? = nil
    ) {
        self.source = source
        self.characteristic = characteristic
        self.octets = octets
        self.moment = moment
        self.mistake = mistake
    }
}
