import Base
import Monitoring
import Vitals

/// The units of the display.
public struct DisplayUnits: Hashable, Sendable {
    public var temperature: TemperatureUnit
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

extension TemperatureUnit {
    package var other: TemperatureUnit { self == .celsius ? .fahrenheit : .celsius }
    /// What the unit is called.
    package var text: String { self == .celsius ? "Degrees Celsius" : "Degrees Fahrenheit" }
    /// The unit's sign.
    package var sign: String { self == .celsius ? "°C" : "°F" }
}

extension Vital {
    /// The unit as shown.
    package func unitText(_ units: DisplayUnits = .celsius, _ glyphs: GlyphSet = .braille) -> String {
        switch traits.unit {
        case .milligramsPerDecilitre: units.glucose.text
        case .celsius: "\(glyphs.degree)\(units.temperature == .celsius ? "C" : "F")"
        case let unit: unit.screenText
        }
    }
}
