/// A physiological quantity that Bedside shows; the raw value is its name in `bedside watch --json`.
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

    /// The unit in UCUM notation, as `bedside watch --json` prints it.
    public var unit: String {
        switch self {
        case .heartRate, .pulseRate: "/min"
        case .oxygenSaturation: "%"
        case .bodyTemperature, .skinTemperature: "Cel"
        case .glucose: "mg/dL"
        }
    }
}
