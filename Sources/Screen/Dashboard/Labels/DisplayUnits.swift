import Monitoring
import VitalDecoders
import Vitals

/// The units that people have chosen for what they see.
public struct DisplayUnits: Hashable, Sendable {
    /// Of temperatures.
    public var temperature: TemperatureUnit
    /// Of glucose.
    public var glucose: GlucoseConcentrationUnit

    public init(
        temperature: TemperatureUnit = .celsius, glucose: GlucoseConcentrationUnit = .milligramsPerDecilitre
    ) {
        self.temperature = temperature
        self.glucose = glucose
    }

    /// The usual ones.
    public static let celsius = DisplayUnits()
    /// Temperatures in degrees Fahrenheit.
    public static let fahrenheit = DisplayUnits(temperature: .fahrenheit)
}

extension ValueText {
    public init(_ units: DisplayUnits) {
        self.init(
            isFahrenheit: units.temperature == .fahrenheit, isMolarGlucose: units.glucose == .millimolesPerLitre)
    }
}
