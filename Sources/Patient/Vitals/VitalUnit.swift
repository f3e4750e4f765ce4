/// The unit of a vital, as the outputs write it.
public struct VitalUnit: Hashable, Sendable {
    /// In UCUM notation: "Cel".
    public let ucum: String
    /// Printed: "°C".
    public let text: String
    /// Beside a number on the screen, where the user cannot choose another unit: "bpm".
    public let screenText: String
    /// The unit of an Observation in FHIR, for people.
    public let fhirText: String
    /// In the name of an OpenMetrics family: "celsius".
    public let metricName: String
    /// In a sentence: "in percent".
    public let phrase: String
    /// What a value in it is, with its article or in the plural: "a percentage".
    public let noun: String

    /// Beats a minute.
    public static let perMinute = VitalUnit(
        ucum: "/min", text: "/min", screenText: "bpm", fhirText: "beats/minute", metricName: "per_minute",
        phrase: "beats a minute", noun: "beats a minute")
    /// Percent.
    public static let percent = VitalUnit(
        ucum: "%", text: "%", screenText: "%", fhirText: "%", metricName: "percent", phrase: "percent",
        noun: "a percentage")
    /// Degrees Celsius; the screen shows them in degrees Fahrenheit on wish.
    public static let celsius = VitalUnit(
        ucum: "Cel", text: "°C", screenText: "°C", fhirText: "°C", metricName: "celsius", phrase: "°C",
        noun: "a temperature")
    /// Milligrams per decilitre; the screen shows glucose in millimoles per litre on wish.
    public static let milligramsPerDecilitre = VitalUnit(
        ucum: "mg/dL", text: "mg/dL", screenText: "mg/dL", fhirText: "mg/dL", metricName: "milligrams_per_decilitre",
        phrase: "mg/dL", noun: "milligrams per decilitre")
}
