import Monitoring
import Vitals

/// A number of a manual entry, as a table column.
struct EntryQuantity: Hashable {
    /// The name of the quantity: `systolic_pressure`.
    var name: String
    /// The unit in UCUM notation.
    var unit: String
    /// The number in hundredths of the unit.
    var value: VitalValue
}

extension RecordEntry {
    /// The numbers of the entry; none for a note.
    var quantities: [EntryQuantity] {
        switch content {
        case .vital(let vital, let value, _):
            return [EntryQuantity(name: vital.rawValue, unit: vital.unit, value: value)]
        case .bloodPressure(let pressure):
            let numbers: [(String, Int?)] = [
                ("systolic_pressure", pressure.systolic), ("diastolic_pressure", pressure.diastolic),
                ("mean_pressure", pressure.mean),
            ]
            let pressures = numbers.compactMap { name, number in
                number.map { EntryQuantity(name: name, unit: "mm[Hg]", value: VitalValue(whole: $0)) }
            }
            let pulse = sample(of: .heartRate).map {
                EntryQuantity(name: Vital.heartRate.rawValue, unit: Vital.heartRate.unit, value: $0.value)
            }
            return pressures + (pulse.map { [$0] } ?? [])
        case .neutrophils(let count):
            return [EntryQuantity(name: "neutrophils", unit: "/uL", value: VitalValue(whole: count.perMicrolitre))]
        case .weight(let weight): return [EntryQuantity(name: "weight", unit: "kg", value: weight)]
        case .lab(let result):
            let reported = result.values.map {
                EntryQuantity(name: $0.analyte.quantityName, unit: $0.analyte.unit, value: $0.value)
            }
            guard case .computed(let count) = result.neutrophilSource else { return reported }
            return reported + [
                EntryQuantity(name: "neutrophil_count_computed", unit: "/uL", value: VitalValue(whole: count))
            ]
        case .symptom(let rating):
            return [
                EntryQuantity(
                    name: rating.symptom.quantityName, unit: "{score}", value: VitalValue(whole: rating.severity))
            ]
        case .mascc(let index):
            return [EntryQuantity(name: "mascc", unit: "{score}", value: VitalValue(whole: index.score))]
        // Doses have more decimals than the column of values; the text contains them.
        case .medication, .note, .noMeasurement: return []
        }
    }

    /// The words of the entry: those of a note, a medication or a symptom.
    var words: String? {
        switch content {
        case .note(let text): text
        case .medication(let medication): medication.text
        case .symptom(let rating): rating.symptom.text
        case .mascc(let index): index.answers
        case .noMeasurement: text
        case .vital, .bloodPressure, .neutrophils, .weight, .lab: nil
        }
    }

    /// The remarks beside its numbers: the typed text, a note about an unknown time, and the sensor's remark.
    var remarks: String? {
        let parts = [words ?? (isRetracted ? text : nil), facts.isTimeKnown ? nil : Self.unknownTime, sensorRemark]
            .compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }

    /// The text in place of an unknown time of measurement.
    static let unknownTime = "time unknown"

    /// The measurement site, if it was entered.
    var site: BodySite? {
        if case .vital(_, _, let site) = content { site } else { nil }
    }
}

extension MASCCIndex {
    /// The answers in the form of a typed entry: "burden mild, hypotension no, …, by Ada".
    var answers: String {
        let answers = Item.allCases.map { "\($0.rawValue) \(answer(to: $0))" }
        return (answers + (assessedBy.isEmpty ? [] : ["by \(assessedBy)"])).joined(separator: ", ")
    }
}

extension LabAnalyte {
    /// Its name as a column; a share is not mistaken for a count.
    var quantityName: String { dimension == .share ? "\(rawValue)_percent" : rawValue }
}

extension Symptom {
    /// Its name as a column; free text is in the text of the row.
    fileprivate var quantityName: String {
        if case .other = self { "symptom_other" } else { "symptom_\(text)" }
    }
}
