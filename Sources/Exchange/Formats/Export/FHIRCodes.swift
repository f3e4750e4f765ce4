import Monitoring
import Vitals
import Waves

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
        case .searching, .lowPerfusion, .calibrating, .calibrationWanted, .uncalibrated, .newSensor, .handingOver,
            .silent, .linkLost:
            "temp-unknown"
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

extension WaveKind {
    /// The kind's code in ISO/IEEE 11073-10101 with its name there, if there is one; of an ECG it says nothing about the lead,
    /// because a strap's is none of the standard ones.
    var nomenclatureCode: (code: String, name: String)? {
        switch self {
        case .electrocardiogram: ("131328", "MDC_ECG_ELEC_POTL")
        case .plethysmogram: ("150452", "MDC_PULS_OXIM_PLETH")
        case .acceleration: nil
        }
    }
}

/// Identifiers of resources that are the same in each export of the same data: UUIDs of version 8 (RFC 9562).
package enum FHIRIdentifier {
    /// The identifier derived from bytes.
    package static func text(_ bytes: [UInt8]) -> String {
        text(mixed(bytes.map(Int64.init)))
    }

    /// The identifier of two words.
    package static func text(_ words: (high: UInt64, low: UInt64)) -> String {
        var text: [UInt8] = []
        append(words, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Whether a text has the form of an identifier.
    static func isIdentifier(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard bytes.count == 36 else { return false }
        return bytes.enumerated().allSatisfy { place, byte in
            [8, 13, 18, 23].contains(place)
                ? byte == UInt8(ascii: "-")
                : (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
        }
    }

    /// Two words that depend on every bit of the numbers (the finalizer of SplitMix64 over a chain).
    package static func mixed(_ numbers: [Int64]) -> (UInt64, UInt64) {
        var (high, low): (UInt64, UInt64) = (0x6265_6473_6964_6500, 0x9E37_79B9_7F4A_7C15)
        for number in numbers {
            high = mix(high &+ 0x9E37_79B9_7F4A_7C15 ^ UInt64(bitPattern: number))
            low = mix(low ^ high &* 0xD6E8_FEB8_6659_FD93)
        }
        return (high, low)
    }

    private static func mix(_ word: UInt64) -> UInt64 {
        var word = word
        word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
        return word ^ word >> 31
    }

    /// The identifier of a sensor.
    package static func text(of sensor: SensorIdentity) -> String { text(Array(sensor.address.utf8)) }

    /// The identifier of a change of an alarm.
    ///
    /// - Parameter number: The entry's number in the log.
    package static func text(of entry: AlarmLogEntry, number: Int64) -> String {
        let moment = entry.moment
        return text(mixed([moment.wallMilliseconds, number, entry.run, moment.monotonicNanoseconds, 1]))
    }

    /// The identifier of all changes of an episode.
    package static func text(ofEpisode change: AlarmLogEntry.Change, run: Int64) -> String {
        text(mixed([change.sinceWallMilliseconds, Int64(change.id), run]))
    }

    /// Appends the 36 characters of an identifier.
    static func append(_ words: (high: UInt64, low: UInt64), to bytes: inout [UInt8]) {
        let high = words.high & ~0xF000 | 0x8000
        let low = words.low & ~(0b11 << 62) | 0b10 << 62
        for place in 0..<32 {
            if [8, 12, 16, 20].contains(place) { bytes.append(UInt8(ascii: "-")) }
            let word = place < 16 ? high : low
            let digit = UInt8(truncatingIfNeeded: word >> UInt64(60 - place % 16 * 4) & 0xF)
            bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
        }
    }
}
