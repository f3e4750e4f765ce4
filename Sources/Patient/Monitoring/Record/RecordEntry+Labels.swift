import Vitals

extension RecordEntry {
    /// The entry as text without times: "body temperature 38.4 °C, mouth", "blood pressure 120/80 mmHg, pulse 72".
    public var text: String {
        switch content {
        case .vital(let vital, let value, let site):
            let place = site.map { ", \($0.text)" } ?? ""
            return "\(vital.text) \(value.text(of: vital)) \(vital.unitText)\(place)"
        case .bloodPressure(let pressure):
            let pulse = pressure.pulse.map { ", pulse \($0)" } ?? ""
            return "blood pressure \(pressure.digits) mmHg\(pulse)"
        case .neutrophils(let count): return "neutrophil count \(count.perMicrolitre)/µL"
        case .weight(let weight): return "weight \(weight.decimalText) kg"
        case .lab(let result): return "blood count: \(result.text)"
        case .medication(let medication): return "medication: \(medication.text)"
        case .symptom(let rating): return "symptom: \(rating.text)"
        case .calibration(let calibration): return calibration.text("\(calibration.glucose.text(of: .glucose)) mg/dL")
        case .note(let text): return "note: \(text)"
        case .noMeasurement(let kind, _): return "\(kind.text) \(absenceText ?? "")"
        default: return kind?.traits.summary(content) ?? ""
        }
    }

    /// Why it has no value: "without a usable value: sensor reports a fault"; `nil` for an entry with one.
    public var absenceText: String? {
        if let word = AbsenceExplanation.rangeText(absence) { return word }
        return absence.map {
            let why = AbsenceExplanation(reason: $0, sensor: sensor.kind, vital: kind?.vital).title
            return "without a usable value: \(why)"
        }
    }

    /// What is known of the measurement beside its value, in words: "doubtful, cuff too loose, user 2"; `nil` for nothing.
    public var remark: String? { facts.text }
}

extension EntryFacts {
    /// The word for a measurement that nobody has confirmed.
    public static let unconfirmed = "unconfirmed"

    /// The facts in words, without the time: "unconfirmed, doubtful, cuff too loose, user 2"; `nil` for nothing.
    ///
    /// The time by the device's clock matters only where no better one is known.
    public var text: String? {
        let clock = isTimeKnown ? nil : deviceTime.map { "\($0.text) by its clock" }
        let parts = [
            confirmation == .awaited ? Self.unconfirmed : nil, quality.isQuestionable ? "doubtful" : nil, remark,
            userText,
            clock,
        ].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}

extension RecordEntry.Kind {
    /// The kind in plain text: "oxygen saturation".
    public var text: String { traits.text }

    /// The kind in at most five letters: "SpO₂".
    public var shortText: String { traits.shortText }
}

extension ActionRecord.Kind {
    /// Whether it is about a manual entry, which has its own effect.
    public var isEntry: Bool {
        switch self {
        case .entered, .retracted, .confirmed, .neutrophilsEntered(.some): true
        default: false
        }
    }
}

extension Medication {
    /// The medication with its dose: "paracetamol 500 mg, antipyretic".
    public var text: String {
        [name + (dose.map { " \($0.text)" } ?? ""), isAntipyretic ? "antipyretic" : nil]
            .compactMap { $0 }.joined(separator: ", ")
    }
}

extension Medication.Dose {
    /// The dose with its unit: "12.5 mg".
    public var text: String { "\(decimalText(thousandths, decimals: 3)) \(unit.text)" }
}

extension Medication.Unit {
    /// The printed unit.
    public var text: String {
        switch self {
        case .micrograms: "µg"
        case .internationalUnits: "IU"
        case .drops: "drops"
        case .tablets: "tablets"
        case .milligrams, .grams, .millilitres, .percent: rawValue
        }
    }
}

extension SymptomRating {
    /// The symptom with its rating and grade: "nausea 6/10, moderate".
    public var text: String { "\(symptom.text) \(severity)/10, \(grade.rawValue)" }
}

extension GlucoseCalibration {
    /// The calibration with its concentration in the unit that is shown: "calibration of xDrip bridge with 6.1 mmol/L".
    public func text(_ glucose: String) -> String { "calibration of \(name) with \(glucose)" }
}

extension LabAnalyte {
    /// Its printed unit.
    public var unitText: String {
        switch dimension {
        case .cells: self == .neutrophilCount ? "/µL" : "× 10⁹/L"
        case .mass: "g/dL"
        case .share: "%"
        }
    }

    /// A value as text, without its unit.
    public func text(of value: VitalValue) -> String {
        switch self {
        case .neutrophilCount: "\(value.hundredths / 100)"
        // 10⁹/L are thousands per µL, and values are hundredths of those.
        case .whiteCells, .platelets: decimalText(value.hundredths, decimals: 5)
        case .haemoglobin, .neutrophils, .lymphocytes, .monocytes, .eosinophils, .basophils, .blasts:
            decimalText(value.hundredths, decimals: 2)
        }
    }
}

extension LabResult {
    /// The neutrophil count first, because it matters most and is not cut off, and the values with their units: "ANC
    /// 420/µL (severe neutropenia), white cells 1.2 × 10⁹/L, neutrophils 35 %".
    public var text: String {
        let reported = values.map { "\($0.analyte.text) \($0.analyte.text(of: $0.value)) \($0.analyte.unitText)" }
        let isKnown = neutrophilsPerMicrolitre != nil
        return (isKnown ? [neutrophilText] + reported : reported + [neutrophilText]).joined(separator: ", ")
    }

    /// The neutrophil count with its grade, or the missing values that prevent it.
    public var neutrophilText: String {
        switch neutrophilSource {
        case .counted(let count), .computed(let count):
            "ANC \(count)/µL (\(NeutropeniaGrade(perMicrolitre: count).text))"
        case .missing(let missing):
            "ANC unknown without \(missing.map(\.text).joined(separator: " and "))"
        }
    }
}

/// A whole number of parts as a decimal number without redundant decimals: 120 of 100 parts are "1.2".
func decimalText(_ parts: Int, decimals: Int) -> String {
    let unit = (0..<decimals).reduce(1) { power, _ in power * 10 }
    let (whole, fraction) = parts.magnitude.quotientAndRemainder(dividingBy: UInt(unit))
    var digits = String(fraction)
    digits = String(repeating: "0", count: max(0, decimals - digits.count)) + digits
    while digits.last == "0" { digits.removeLast() }
    return "\(parts < 0 ? "-" : "")\(whole)" + (fraction == 0 ? "" : ".\(digits)")
}

extension RecordEntry {
    /// Its value of a vital, as a sample; `nil` without one.
    ///
    /// The pulse rate of a cuff counts as a heart rate.
    public func sample(of vital: Vital) -> Sample? {
        func sample(_ value: VitalValue, _ site: BodySite? = nil) -> Sample {
            Sample(
                value: value, quality: facts.quality, moment: taken, sensor: sensor, site: site,
                isUnconfirmed: isUnconfirmed)
        }
        switch content {
        case .vital(vital, let value, let site): return sample(value, site)
        case .bloodPressure(let pressure) where vital == .heartRate:
            return pressure.pulse.map { sample(VitalValue(whole: $0)) }
        default: return nil
        }
    }
}
