import Base

/// A physiological quantity that Bedside shows; the raw value is its name in every output.
///
/// All else that differs from vital to vital is in its ``traits``.
public enum Vital: String, CaseIterable, Codable, Hashable, Sendable {
    /// Beats a minute, counted from the electrocardiogram or by a strap (Heart Rate Service).
    case heartRate = "heart_rate"
    /// Beats a minute, counted by an oximeter (Pulse Oximeter Service).
    case pulseRate = "pulse_rate"
    /// Peripheral oxygen saturation in percent (Pulse Oximeter Service).
    case oxygenSaturation = "spo2"
    /// Body temperature in degrees Celsius (Health Thermometer Service, CORE).
    case bodyTemperature = "body_temperature"
    /// Skin temperature in degrees Celsius (CORE); never evaluated for fever.
    case skinTemperature = "skin_temperature"
    /// Glucose concentration in milligrams per decilitre (Glucose Service, Continuous Glucose Monitoring Service).
    case glucose
    /// Perfusion index in percent: how much of the light that an oximeter sees pulsates (Pulse Oximeter Service).
    case perfusionIndex = "perfusion_index"

    /// The vital's place in `allCases`, without a search.
    public var index: Int {
        switch self {
        case .heartRate: 0
        case .pulseRate: 1
        case .oxygenSaturation: 2
        case .bodyTemperature: 3
        case .skinTemperature: 4
        case .glucose: 5
        case .perfusionIndex: 6
        }
    }

    /// The vitals that are shown beside this one and never alone.
    public var companions: [Vital] { Self.allCases.filter { $0.traits.role == .companion(of: self) } }

    /// What is known of the vital.
    public var traits: VitalTraits { VitalTraits.table[index] }

    /// The vital's name in a sentence: "oxygen saturation".
    public var text: String { VitalTraits.table[index].text }

    /// The vital's name in an alarm: "SpO₂".
    public var shortText: String { VitalTraits.table[index].shortText }

    /// The unit in UCUM notation, as `bedside watch --json` prints it.
    public var unit: String { VitalTraits.table[index].unit.ucum }

    /// The printed unit: "°C".
    public var unitText: String { VitalTraits.table[index].unit.text }

    /// Whether the vital is a temperature.
    public var isTemperature: Bool { VitalTraits.table[index].family == .temperature }

    /// Whether a value is physiologically possible; any other number is a fault of the sensor or the unit, or means "no
    /// value".
    ///
    /// The ranges of the traits are the only ones, for the decoders, the state and the store.
    public func isMeasurable(_ value: VitalValue) -> Bool {
        let traits = VitalTraits.table[index]
        return traits.range.contains(value) && value != traits.invalid
    }

    /// The values that a body can have, in hundredths of the unit.
    public var measurable: ClosedRange<Int> {
        let range = VitalTraits.table[index].range
        return range.lowerBound.hundredths...range.upperBound.hundredths
    }
}

extension Reading.Outcome {
    /// A measured value, or `outOfRange` when it is not possible.
    ///
    /// - Parameter hundredths: Hundredths of the vital's unit; `nil` is out of range.
    public init(hundredths: Int?, of vital: Vital, _ quality: Reading.Quality) {
        guard let value = hundredths.map({ VitalValue(hundredths: $0) }), vital.isMeasurable(value) else {
            self = .noMeasurement(.outOfRange)
            return
        }
        self = .measured(value, quality)
    }
}

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
