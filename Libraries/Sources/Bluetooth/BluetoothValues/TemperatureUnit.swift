/// A unit of temperature, of measurements as of what a user reads.
public enum TemperatureUnit: String, CaseIterable, Hashable, Sendable {
    /// Degrees Celsius.
    case celsius
    /// Degrees Fahrenheit.
    case fahrenheit
}
