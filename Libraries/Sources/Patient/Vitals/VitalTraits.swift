/// What is known of a vital: each fact once, for every module that shows, sends, stores or evaluates it.
///
/// Which output uses which trait is tested for all vitals at once (`VitalOutputTests`).
public struct VitalTraits: Sendable {
    // MARK: The quantity

    /// What it belongs to: its colour, its sounds.
    public let family: Family
    /// Its relation to other vitals.
    public var role = Role.main
    /// The unit of its values.
    public let unit: VitalUnit
    /// The possible values; any other number is a fault.
    public let range: ClosedRange<VitalValue>
    /// A number within the range that sensors send for "no value"; `nil` for none.
    public var invalid: VitalValue?
    /// The hundredths of the unit to which a shown number is rounded where no limit is in between.
    public let step: Int
    /// How often sensors usually send it.
    public let pace: Pace
    /// Whether its low values are the dangerous ones, so that a graph never hides them.
    public var isWorseWhenLow = false

    // MARK: Evaluation

    /// What is known of its limits; `nil` for a vital that has none.
    public var limits: Limits?
    /// How long a value that was typed is valid; after that it is shown as old, and its alarms end.
    ///
    /// A stable patient's temperature is taken every four hours; rates and saturation change in minutes, and are not
    /// reliable after an hour.
    public let validity: Duration

    // MARK: Names

    /// The name in a sentence: "oxygen saturation".
    public let text: String
    /// The name in an alarm: "SpO₂".
    public let shortText: String
    /// The name over its number: "HEART RATE".
    public let title: String
    /// The same in at most five columns: "HR".
    public let shortTitle: String
    /// The name right before a number: "pulse 71"; empty for one that its unit makes plain.
    public let label: String
    /// What its limits in the configuration are of; `nil` for its name.
    public var settingText: String?
    /// The kind of sensor that measures it, with its article.
    public let sensorText: String
    /// The name in each language that Bedside speaks.
    public let spoken: Spoken

    // MARK: The shape of its picture

    /// The widest number that is usual.
    public let widestNumber: String
    /// The scale of its graphs.
    public let scale: Scale
    /// The same in the other unit that the screen may show; `nil` where there is none.
    public var convertedScale: Scale?

    // MARK: Codes

    /// Its codes in LOINC: first the one that its FHIR profile demands, then more specific ones.
    public let loinc: [Code]
    /// Its code in ISO/IEEE 11073-10101.
    public let nomenclatureCode: String
    /// The last part of the address of its FHIR profile; the general one where it has none of its own.
    public var profile = "vitalsigns"
    /// What Home Assistant wants to know.
    public let homeAssistant: HomeAssistant
}

extension VitalTraits {
    /// What vitals with the same colour and the same sounds have in common.
    public enum Family: CaseIterable, Hashable, Sendable {
        case heart, oxygen, temperature, glucose
    }

    /// The relation of a vital to others.
    public enum Role: Hashable, Sendable {
        /// It has a fixed place on the screen.
        case main
        /// It stands beside another vital, and takes its place where nothing measures that.
        case substitute(of: Vital)
        /// It says how far another vital can be trusted: it stands beside that and never alone, and raises no alarms.
        case companion(of: Vital)

        /// The vital beside which it stands; `nil` for one with a place on the screen.
        public var principal: Vital? {
            switch self {
            case .main: nil
            case .substitute(let vital), .companion(let vital): vital
            }
        }
    }

    /// How often sensors usually send a vital.
    public enum Pace: Hashable, Sendable {
        /// Once in a second or two.
        case seconds
        /// A few times a minute.
        case slow
        /// Once in five minutes, by a transmitter that keeps to it.
        case fiveMinutes
    }

    /// The limits of a vital.
    public struct Limits: Hashable, Sendable {
        /// Where they may lie.
        public let range: ClosedRange<VitalValue>
        /// By how much a value must be worse than an acknowledged one to count as a new finding.
        public let worseningStep: VitalValue
    }

    /// A name in each language that Bedside speaks.
    public struct Spoken: Hashable, Sendable {
        public let english, german: String
    }

    /// A code with what it means.
    public struct Code: Hashable, Sendable {
        public let code, display: String
    }

    /// A vertical scale, in hundredths of the unit that is shown.
    public struct Scale: Hashable, Sendable {
        /// The usual range.
        public let usual: ClosedRange<Int>
        /// The step by which it grows if values lie outside.
        public let step: Int
        /// The step of the ends of a scale that is fitted to the values.
        public let fittedStep: Int
        /// The least height of a scale that is fitted to the values, so that noise does not look like a trend.
        public let fittedLeast: Int
        /// The highest possible end of a scale that is fitted to the values.
        public var fittedMost = 1_000_000
    }

    /// The vital as an entity of Home Assistant.
    public struct HomeAssistant: Hashable, Sendable {
        public let icon: String
        /// The class of the quantity, which lets it convert units; it has none for rates and saturation.
        public var deviceClass: String?
        public var decimals: Int?
    }
}

extension VitalTraits {
    /// The traits in the order of `Vital.allCases`.
    ///
    /// Ranges: monitors must show rates of 30 to 200 (IEC 60601-2-27) and state the accuracy of a saturation from 70 %
    /// (ISO 80601-2-61); the lower bounds are below the specified ranges of straps and oximeters. Oximeters send
    /// a saturation of 127 and a pulse rate of 255, the greatest numbers of their octets, for "invalid".
    ///
    /// Codes: the vital-signs profiles of FHIR R4, LOINC, UCUM, ISO/IEEE 11073-10101.
    static let table = [
        heartRate, pulseRate, oxygenSaturation, bodyTemperature, skinTemperature, glucose, perfusionIndex,
    ]

    private static let heartRate = VitalTraits(
        family: .heart, unit: .perMinute, range: whole(20...300), step: 100, pace: .seconds,
        limits: Limits(range: whole(10...300), worseningStep: VitalValue(whole: 20)), validity: .seconds(3600),
        text: "heart rate", shortText: "HR", title: "HEART RATE", shortTitle: "HR", label: "HR",
        sensorText: "a heart-rate strap", spoken: Spoken(english: "heart rate", german: "Herzfrequenz"),
        widestNumber: "188", scale: rates, loinc: [Code(code: "8867-4", display: "Heart rate")],
        nomenclatureCode: "147842", profile: "heartrate",
        homeAssistant: HomeAssistant(icon: "mdi:heart-pulse", decimals: 0))

    private static let pulseRate = VitalTraits(
        family: .heart, role: .substitute(of: .heartRate), unit: .perMinute, range: whole(20...300),
        invalid: VitalValue(whole: 255), step: 100, pace: .seconds,
        limits: Limits(range: whole(10...300), worseningStep: VitalValue(whole: 20)), validity: .seconds(3600),
        text: "pulse rate", shortText: "PR", title: "PULSE RATE", shortTitle: "PULSE", label: "pulse",
        settingText: "pulse rate that an oximeter counts", sensorText: "an oximeter",
        spoken: Spoken(english: "pulse", german: "Puls"), widestNumber: "188", scale: rates,
        loinc: [
            Code(code: "8867-4", display: "Heart rate"),
            Code(code: "8889-8", display: "Heart rate by Pulse oximetry"),
        ], nomenclatureCode: "149530", profile: "heartrate",
        homeAssistant: HomeAssistant(icon: "mdi:heart-pulse", decimals: 0))

    private static let oxygenSaturation = VitalTraits(
        family: .oxygen, unit: .percent, range: whole(20...100), step: 100, pace: .seconds, isWorseWhenLow: true,
        limits: Limits(range: whole(50...100), worseningStep: VitalValue(whole: 5)), validity: .seconds(3600),
        text: "oxygen saturation", shortText: "SpO₂", title: "SpO₂", shortTitle: "SpO₂", label: "SpO₂",
        settingText: "oxygen saturation (SpO₂)", sensorText: "an oximeter",
        spoken: Spoken(english: "saturation", german: "Sättigung"), widestNumber: "100",
        scale: Scale(usual: 8500...10_000, step: 500, fittedStep: 200, fittedLeast: 600, fittedMost: 10_000),
        loinc: [
            Code(code: "2708-6", display: "Oxygen saturation in Arterial blood"),
            Code(code: "59408-5", display: "Oxygen saturation in Arterial blood by Pulse oximetry"),
        ], nomenclatureCode: "150456", profile: "oxygensat", homeAssistant: HomeAssistant(icon: "mdi:lungs"))

    private static let bodyTemperature = VitalTraits(
        family: .temperature, unit: .celsius, range: whole(25...45), step: 10, pace: .slow,
        limits: Limits(range: whole(25...45), worseningStep: VitalValue(whole: 1)), validity: .seconds(4 * 3600),
        text: "body temperature", shortText: "Temp", title: "TEMPERATURE", shortTitle: "TEMP", label: "",
        sensorText: "a thermometer", spoken: Spoken(english: "temperature", german: "Temperatur"),
        widestNumber: "100.8", scale: Scale(usual: 3550...3950, step: 50, fittedStep: 50, fittedLeast: 100),
        convertedScale: Scale(usual: 9600...10_300, step: 100, fittedStep: 100, fittedLeast: 200),
        loinc: [Code(code: "8310-5", display: "Body temperature")], nomenclatureCode: "150364", profile: "bodytemp",
        homeAssistant: HomeAssistant(icon: "mdi:thermometer", deviceClass: "temperature", decimals: 1))

    /// It has no limits, because it says too little about the patient.
    private static let skinTemperature = VitalTraits(
        family: .temperature, role: .substitute(of: .bodyTemperature), unit: .celsius, range: whole(25...45),
        step: 10, pace: .slow, validity: .seconds(4 * 3600),
        text: "skin temperature", shortText: "Skin temp", title: "SKIN TEMPERATURE", shortTitle: "SKIN",
        label: "skin", sensorText: "a thermometer",
        spoken: Spoken(english: "skin temperature", german: "Hauttemperatur"), widestNumber: "100.8",
        scale: Scale(usual: 3000...4000, step: 100, fittedStep: 50, fittedLeast: 100),
        convertedScale: Scale(usual: 8600...10_400, step: 100, fittedStep: 100, fittedLeast: 200),
        loinc: [Code(code: "39106-0", display: "Temperature of Skin")], nomenclatureCode: "150388",
        homeAssistant: HomeAssistant(icon: "mdi:thermometer", deviceClass: "temperature", decimals: 1))

    private static let glucose = VitalTraits(
        family: .glucose, unit: .milligramsPerDecilitre, range: whole(10...1000), step: 100, pace: .fiveMinutes,
        limits: Limits(range: whole(20...600), worseningStep: VitalValue(whole: 20)), validity: .seconds(4 * 3600),
        text: "glucose", shortText: "Glucose", title: "GLUCOSE", shortTitle: "GLUC", label: "glucose",
        sensorText: "a glucose sensor", spoken: Spoken(english: "glucose", german: "Glukose"), widestNumber: "188",
        scale: Scale(usual: 4000...24_000, step: 4000, fittedStep: 1000, fittedLeast: 4000),
        convertedScale: Scale(usual: 200...1400, step: 200, fittedStep: 100, fittedLeast: 200),
        loinc: [Code(code: "99504-3", display: "Glucose [Mass/volume] in Interstitial fluid")],
        nomenclatureCode: "160212",
        homeAssistant: HomeAssistant(
            icon: "mdi:diabetes", deviceClass: "blood_glucose_concentration", decimals: 0))

    /// Makers specify 0.02 to 20 %, but measure it in different ways, so it has no limits.
    private static let perfusionIndex = VitalTraits(
        family: .oxygen, role: .companion(of: .oxygenSaturation), unit: .percent,
        range: VitalValue(hundredths: 1)...VitalValue(whole: 30), step: 1, pace: .seconds, validity: .seconds(3600),
        text: "perfusion index", shortText: "PI", title: "PERFUSION INDEX", shortTitle: "PI", label: "PI",
        sensorText: "an oximeter", spoken: Spoken(english: "perfusion index", german: "Perfusionsindex"),
        widestNumber: "18.8", scale: Scale(usual: 0...1000, step: 500, fittedStep: 50, fittedLeast: 100),
        loinc: [Code(code: "61006-3", display: "Perfusion index Tissue by Pulse oximetry")],
        nomenclatureCode: "150488", homeAssistant: HomeAssistant(icon: "mdi:pulse", decimals: 2))

    private static let rates = Scale(usual: 4000...14_000, step: 2000, fittedStep: 1000, fittedLeast: 3000)

    private static func whole(_ range: ClosedRange<Int>) -> ClosedRange<VitalValue> {
        VitalValue(whole: range.lowerBound)...VitalValue(whole: range.upperBound)
    }
}

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
