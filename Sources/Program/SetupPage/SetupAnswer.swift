import Configuration
import Vitals

/// The user's answer in a step, beyond the existing settings.
public struct SetupAnswer: Hashable, Sendable {
    /// The values of settings, by name.
    public var values: [String: ConfigurationValue]
    /// The sensors that were chosen, named or removed.
    public var sensors: [RememberedSensor]
    /// Who the limits are for.
    public var profile: SetupProfile?
    /// When a monitor starts automatically.
    public var start: SetupStart?

    /// Creates an answer.
    ///
    /// - Parameters:
    ///   - values: The values of settings, by name.
    ///   - sensors: The sensors that were chosen, named or removed.
    ///   - profile: Who the limits are for.
    ///   - start: When a monitor starts automatically.
    public init(
        values: [String: ConfigurationValue] = [:], sensors: [RememberedSensor] = [], profile: SetupProfile? = nil,
        start: SetupStart? = nil
    ) {
        (self.values, self.sensors, self.profile, self.start) = (values, sensors, profile, start)
    }
}
