import Configuration
import Vitals

/// What somebody answered in a step, beyond what was there.
public struct SetupAnswer: Hashable, Sendable {
    /// The values of settings, by name.
    public var values: [String: ConfigurationValue]
    /// The sensors that were chosen, named or given up.
    public var sensors: [RememberedSensor]
    /// For whom the limits are.
    public var profile: SetupProfile?
    /// When a monitor starts by itself.
    public var start: SetupStart?

    /// Creates an answer.
    ///
    /// - Parameters:
    ///   - values: The values of settings, by name.
    ///   - sensors: The sensors that were chosen, named or given up.
    ///   - profile: For whom the limits are.
    ///   - start: When a monitor starts by itself.
    public init(
        values: [String: ConfigurationValue] = [:], sensors: [RememberedSensor] = [], profile: SetupProfile? = nil,
        start: SetupStart? = nil
    ) {
        (self.values, self.sensors, self.profile, self.start) = (values, sensors, profile, start)
    }
}
