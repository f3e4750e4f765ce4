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
    /// The facts in words, without the time: "doubtful, cuff too loose, user 2"; `nil` for nothing.
    ///
    /// The time by the device's clock matters only where no better one is known.
    public var text: String? {
        let clock = isTimeKnown ? nil : deviceTime.map { "\($0.text) by its clock" }
        let parts = [quality.isQuestionable ? "doubtful" : nil, remark, userText, clock].compactMap(\.self)
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
        case .entered, .retracted, .neutrophilsEntered(.some): true
        default: false
        }
    }
}
