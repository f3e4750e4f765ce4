import Vitals

/// The FHIR codes of vitals.
///
/// Source: the vital-signs profiles of FHIR R4, LOINC, UCUM, ISO/IEEE 11073-10101.
extension Vital {
    /// A code of some system.
    struct Coding {
        var system: String
        var code: String
        var display: String?
    }

    /// The last part of the profile's address; the general vital-signs profile for a vital without a specific one.
    var profile: String {
        switch self {
        case .heartRate, .pulseRate: "heartrate"
        case .oxygenSaturation: "oxygensat"
        case .bodyTemperature: "bodytemp"
        case .skinTemperature, .glucose: "vitalsigns"
        }
    }

    /// The codes of the vital: first that of the profile, then more specific ones, then that of the device
    /// nomenclature.
    var codings: [Coding] {
        func loinc(_ code: String, _ display: String) -> Coding {
            Coding(system: "http://loinc.org", code: code, display: display)
        }
        func device(_ code: String) -> Coding { Coding(system: "urn:iso:std:iso:11073:10101", code: code) }
        return switch self {
        case .heartRate: [loinc("8867-4", "Heart rate"), device("147842")]
        case .pulseRate:
            [
                loinc("8867-4", "Heart rate"), loinc("8889-8", "Heart rate by Pulse oximetry"), device("149530"),
            ]
        case .oxygenSaturation:
            [
                loinc("2708-6", "Oxygen saturation in Arterial blood"),
                loinc("59408-5", "Oxygen saturation in Arterial blood by Pulse oximetry"), device("150456"),
            ]
        case .bodyTemperature: [loinc("8310-5", "Body temperature"), device("150364")]
        case .skinTemperature: [loinc("39106-0", "Temperature of Skin"), device("150388")]
        case .glucose:
            [
                loinc("99504-3", "Glucose [Mass/volume] in Interstitial fluid"), device("160212"),
            ]
        }
    }

    /// The text after the number of a quantity.
    var quantityEnd: String {
        switch self {
        case .heartRate, .pulseRate:
            #","unit":"beats/minute","system":"http://unitsofmeasure.org","code":"/min"}"#
        case .oxygenSaturation: #","unit":"%","system":"http://unitsofmeasure.org","code":"%"}"#
        case .bodyTemperature, .skinTemperature:
            #","unit":"°C","system":"http://unitsofmeasure.org","code":"Cel"}"#
        case .glucose: #","unit":"mg/dL","system":"http://unitsofmeasure.org","code":"mg/dL"}"#
        }
    }
}

extension AbsenceReason {
    /// The code of `http://terminology.hl7.org/CodeSystem/data-absent-reason`.
    var absentCode: String {
        switch self {
        // No patient was measured.
        case .offBody, .noContact, .demo, .test: "not-performed"
        case .notANumber: "not-a-number"
        case .aboveRange, .above400: "positive-infinity"
        case .belowRange, .below40: "negative-infinity"
        case .equipment, .outOfRange, .unusable: "error"
        // A value exists and may be known soon.
        case .searching, .lowPerfusion, .calibrating, .calibrationWanted, .silent, .linkLost: "temp-unknown"
        }
    }
}

extension SensorKind {
    /// The sensor's code in ISO/IEEE 11073-10101, if there is one.
    var nomenclatureCode: String? {
        switch self {
        case .thermometer, .core: "528392"
        case .heartRateStrap: "528425"
        case .oximeter: "528388"
        case .bloodPressure: "528391"
        case .glucose: "528401"
        case .continuousGlucose: "528409"
        case .weightScale: "528399"
        case .other, .manual: nil
        }
    }
}
