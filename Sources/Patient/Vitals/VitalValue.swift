import Base

/// The value of a vital as an exact integer of hundredths of its unit.
///
/// Body temperature is in hundredths of a degree Celsius, so 38.3 °C is exactly `3830` and equals 100.94 °F; rates are
/// in hundredths of a beat a minute, saturation in hundredths of a percent.
public struct VitalValue: Codable, Hashable, Sendable, Comparable {
    /// Hundredths of the unit.
    public var hundredths: Int

    /// Creates a value from hundredths of the unit.
    public init(hundredths: Int) {
        self.hundredths = hundredths
    }

    /// Creates a value from whole units.
    public init(whole: Int) {
        hundredths = whole.multipliedSaturated(by: 100)
    }

    /// Orders values exactly.
    public static func < (lhs: VitalValue, rhs: VitalValue) -> Bool {
        lhs.hundredths < rhs.hundredths
    }

    /// The same temperature in hundredths of a degree Fahrenheit, rounded half away from zero.
    public var fahrenheitHundredths: Int {
        let ninefold = hundredths.multipliedSaturated(by: 9)
        // Cannot overflow: it is a fifth of an integer.
        let rounded = Int((ninefold.magnitude + 2) / 5)
        return (ninefold < 0 ? -rounded : rounded) + 3200
    }
}
