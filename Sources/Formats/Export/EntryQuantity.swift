import Monitoring
import Vitals

/// A number of a manual entry, as a table column.
struct EntryQuantity: Hashable {
    /// What was measured: `systolic_pressure`.
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
        case .note: return []
        }
    }

    /// The measurement site, if it was entered.
    var site: BodySite? {
        if case .vital(_, _, let site) = content { site } else { nil }
    }
}
