import Base
import JSON
import Vitals

/// A quantity of FHIR in the form of typed text: a number and a unit.
struct FHIRQuantity {
    /// The number in thousandths of the unit.
    let thousandths: Int
    /// The unit in UCUM notation, or as printed if it has no code.
    let unit: String

    /// Reads a quantity, which must be exact.
    init(_ value: JSON5Value, of what: String) throws(RefusedEntry) {
        guard let number = value["value"]?.number, number.isFinite, abs(number) < 1e9 else {
            throw RefusedEntry("There is no number for \(what).")
        }
        guard value["comparator"] == nil else {
            throw RefusedEntry(
                "The value for \(what) is only a bound, such as < 0.1, and no measurement. Leave it out.")
        }
        thousandths = Int((number * 1000).rounded())
        unit = value["code"]?.text ?? value["unit"]?.text ?? ""
    }

    private init(thousandths: Int, unit: String) {
        (self.thousandths, self.unit) = (thousandths, unit)
    }

    private func scaled(by factor: Double, _ unit: String) -> FHIRQuantity {
        FHIRQuantity(thousandths: Int((Double(thousandths) * factor).rounded()), unit: unit)
    }

    /// The number with this many decimals, rounded.
    func text(decimals: Int) -> String {
        let step = [1000, 100, 10, 1][min(max(decimals, 0), 3)]
        let half = thousandths < 0 ? -step / 2 : step / 2
        return ImportContent.text(thousandths: (thousandths + half) / step * step)
    }

    /// The refusal of an unknown unit.
    private func strange(_ what: String, _ units: String) -> RefusedEntry {
        RefusedEntry("“\(sanitized(unit, limit: 20))” is no unit of \(what) that is known here; there are \(units).")
    }

    func temperature() throws(RefusedEntry) -> String {
        switch unit {
        case "Cel", "°C", "C", "degC": return "\(text(decimals: 2)) °C"
        case "[degF]", "°F", "F", "degF": return "\(text(decimals: 2)) °F"
        default: throw strange("a temperature", "Cel and [degF]")
        }
    }

    func rate() throws(RefusedEntry) -> String {
        switch unit.lowercased() {
        case "/min", "{beats}/min", "{beat}/min", "beats/min", "beats/minute", "bpm": return text(decimals: 0)
        default: throw strange("a heart rate", "/min")
        }
    }

    func saturation() throws(RefusedEntry) -> String {
        guard ["%", "percent"].contains(unit) else { throw strange("an oxygen saturation", "%") }
        return text(decimals: 0)
    }

    func pressure() throws(RefusedEntry) -> String {
        switch unit {
        case "mm[Hg]", "mmHg", "mm Hg": return text(decimals: 0)
        case "kPa": return scaled(by: 7.500_615_76, "mm[Hg]").text(decimals: 0)
        default: throw strange("a blood pressure", "mm[Hg] and kPa")
        }
    }

    func weight() throws(RefusedEntry) -> String {
        switch unit {
        case "kg": return "\(text(decimals: 2)) kg"
        case "g": return "\(scaled(by: 0.001, "kg").text(decimals: 2)) kg"
        case "[lb_av]", "lb", "lbs": return "\(text(decimals: 2)) lb"
        default: throw strange("a weight", "kg, g and [lb_av]")
        }
    }

    func glucose() throws(RefusedEntry) -> String {
        switch unit.lowercased() {
        case "mg/dl": return "\(text(decimals: 2)) mg/dL"
        case "mmol/l": return "\(text(decimals: 2)) mmol/L"
        default: throw strange("a glucose concentration", "mg/dL and mmol/L")
        }
    }

    /// The typed form of a value of a blood count.
    func words(of analyte: LabAnalyte) throws(RefusedEntry) -> String {
        let name = analyte == .neutrophilCount ? "anc" : analyte.rawValue
        switch analyte.dimension {
        case .cells:
            switch unit.lowercased() {
            case "10*9/l", "10^9/l", "x10^9/l", "×10⁹/l", "10*3/ul", "10^3/ul", "x10^3/ul", "10*3/mm3", "k/ul", "k/µl",
                "g/l",
                "thousand/ul":
                return "\(name) \(text(decimals: 3))x10^9/L"
            case "/ul", "/µl", "/μl", "{cells}/ul", "cells/ul", "/mm3", "10*6/l", "10^6/l":
                return "\(name) \(text(decimals: 0))/µL"
            default: throw strange(analyte.text, "10*9/L, 10*3/uL and /uL")
            }
        case .mass:
            switch unit.lowercased() {
            case "g/dl", "g/100ml": return "\(name) \(text(decimals: 2)) g/dL"
            case "g/l": return "\(name) \(text(decimals: 2)) g/L"
            case "mmol/l": return "\(name) \(text(decimals: 3)) mmol/L"
            default: throw strange(analyte.text, "g/dL, g/L and mmol/L")
            }
        case .share:
            guard ["%", "percent"].contains(unit) else { throw strange(analyte.text, "%") }
            return "\(name) \(text(decimals: 2))%"
        }
    }

    func dose() throws(RefusedEntry) -> Medication.Dose {
        let others: [String: Medication.Unit] = [
            "mcg": .micrograms, "µg": .micrograms, "μg": .micrograms, "iu": .internationalUnits,
            "[iu]": .internationalUnits,
            "ml": .millilitres, "drops": .drops, "{tablet}": .tablets, "{tab}": .tablets, "tablets": .tablets,
            "tablet": .tablets,
        ]
        guard let unit = Medication.Unit(rawValue: unit) ?? others[unit.lowercased()] else {
            throw strange("a dose", Medication.Unit.allCases.map(\.rawValue).joined(separator: ", "))
        }
        return Medication.Dose(thousandths: thousandths, unit: unit)
    }
}
