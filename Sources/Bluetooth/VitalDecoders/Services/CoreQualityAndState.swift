/// CORE's report on the quality of its core temperature and the state of the paired heart-rate sensor.
public struct CoreQualityAndState: Hashable, Sendable {
    /// The octet as sent.
    public var rawValue: UInt8

    /// Creates a value from the transmitted octet.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    public init(quality: CoreQuality, heartRateState: CoreHeartRateState) {
        rawValue = quality.rawValue & 7 | (heartRateState.rawValue & 3) << 4
    }

    /// The quality of the core temperature (bits 0 to 2).
    public var quality: CoreQuality { CoreQuality(rawValue: rawValue & 7) }

    /// The state of the heart-rate sensor (bits 4 and 5).
    public var heartRateState: CoreHeartRateState { CoreHeartRateState(rawValue: rawValue >> 4 & 3) }
}

/// The quality of CORE's core temperature.
public struct CoreQuality: AssignedNumber {
    /// The number on the wire.
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The temperature must not be used.
    public static let invalid = CoreQuality(rawValue: 0)
    /// Poor.
    public static let poor = CoreQuality(rawValue: 1)
    /// Fair.
    public static let fair = CoreQuality(rawValue: 2)
    /// Good.
    public static let good = CoreQuality(rawValue: 3)
    /// Excellent.
    public static let excellent = CoreQuality(rawValue: 4)
    /// Not reported.
    public static let notAvailable = CoreQuality(rawValue: 7)

    /// The assigned numbers, with the names that `bedside decode` prints.
    public static let assigned: [(number: CoreQuality, name: String)] = [
        (invalid, "invalid"), (poor, "poor"), (fair, "fair"), (good, "good"), (excellent, "excellent"),
        (notAvailable, "not_available"),
    ]
}

/// The state of the heart-rate sensor paired with a CORE.
public struct CoreHeartRateState: AssignedNumber {
    /// The number on the wire.
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The firmware does not support heart-rate sensors.
    public static let notSupported = CoreHeartRateState(rawValue: 0)
    /// Supported, but no signal is received.
    public static let supportedNoSignal = CoreHeartRateState(rawValue: 1)
    /// A signal is received.
    public static let supportedReceiving = CoreHeartRateState(rawValue: 2)
    /// Not reported.
    public static let notAvailable = CoreHeartRateState(rawValue: 3)

    /// The assigned numbers, with the names that `bedside decode` prints.
    public static let assigned: [(number: CoreHeartRateState, name: String)] = [
        (notSupported, "not_supported"), (supportedNoSignal, "supported_no_signal"),
        (supportedReceiving, "supported_receiving"), (notAvailable, "not_available"),
    ]
}
