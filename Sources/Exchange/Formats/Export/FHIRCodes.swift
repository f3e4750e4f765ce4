import Vitals

/// The FHIR codes of vitals.
extension Vital {
    /// A code of some system.
    struct Coding {
        var system: String
        var code: String
        var display: String?
    }

    /// The codes of the vital: first that of the profile, then more specific ones, then that of the device
    /// nomenclature.
    var codings: [Coding] {
        traits.loinc.map { Coding(system: "http://loinc.org", code: $0.code, display: $0.display) }
            + [Coding(system: "urn:iso:std:iso:11073:10101", code: traits.nomenclatureCode)]
    }

    /// The text after the number of a quantity.
    var quantityEnd: String {
        #","unit":"\#(traits.unit.fhirText)","system":"http://unitsofmeasure.org","code":"\#(unit)"}"#
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
