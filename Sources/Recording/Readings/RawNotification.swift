import Vitals

/// Octets as they came over the air.
public struct RawNotification: Hashable, Sendable {
    /// Who sent them.
    public var source: Source
    /// The characteristic's UUID: four hexadecimal digits where it has so few; stored in lower case.
    public var characteristic: String
    /// What came.
    public var octets: [UInt8]
    /// When it came.
    public var moment: Moment
    /// What is wrong with it, for people; `nil` when nothing is known to be.
    public var mistake: String?

    /// Who sent something.
    public enum Source: Hashable, Sendable {
        /// A sensor that is known.
        case sensor(SensorIdentity)
        /// A peripheral of which only the address is known here.
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
