import Base
import Monitoring
import Vitals

// Blood counts: names, values and units in any order, such as "wbc 1.2 neutrophils 35% hb 98 g/L".
extension ManualReader {
    /// The accepted names of each analyte.
    private static let names: [LabAnalyte: [String]] = [
        .whiteCells: ["wbc", "leukocytes", "leucocytes", "leuko", "white_cells", "white"],
        .haemoglobin: ["hb", "hgb", "haemoglobin", "hemoglobin"],
        .platelets: ["plt", "platelets", "thrombocytes", "thrombo"],
        .neutrophils: ["neutrophils", "neut", "neu"],
        .lymphocytes: ["lymphocytes", "lymph", "lym"],
        .monocytes: ["monocytes", "mono"],
        .eosinophils: ["eosinophils", "eos"],
        .basophils: ["basophils", "baso"],
        .blasts: ["blasts"],
        .neutrophilCount: ["anc", "neutrophil_count"],
    ]

    private static func analyte(_ word: String) -> LabAnalyte? {
        names.first { $0.value.contains(word.lowercased()) }?.key
    }

    /// Reads a blood count.
    package static func lab(_ words: [String]) throws(EntryError) -> Finding {
        let example = example(of: .lab, unit: .celsius)
        var rest = words[...]
        var result = LabResult()
        var questions: [String] = []
        while let word = rest.popFirst() {
            guard var analyte = analyte(word) else { throw stranger(word, example) }
            // "white cells 1.2"
            if analyte == .whiteCells, rest.first?.lowercased() == "cells" { rest.removeFirst() }
            guard let first = rest.popFirst(), let (number, unitStart) = ManualNumber.read(first) else {
                throw EntryError(description: "\(word) has no value. Type for example \(example).")
            }
            var unit = String(unitStart)
            while let next = rest.first, self.analyte(next) == nil {
                // "× 10^9/L" in pieces.
                guard unit.count + next.count <= 16 else { throw stranger(next, example) }
                unit += next
                rest.removeFirst()
            }
            // A number of neutrophils is not their share.
            if analyte == .neutrophils, ![.missing, .unknown].contains(CellCountUnit(unit[...])) {
                analyte = .neutrophilCount
            }
            guard result[analyte] == nil else {
                throw EntryError(description: "There are two values of \(analyte.text). Type one.")
            }
            let (value, question) = try self.value(number, unit, of: analyte)
            result[analyte] = value
            if let question { questions.append(question) }
        }
        guard result.sumOfShares <= LabResult.greatestSumOfShares else {
            throw EntryError(
                description: "The shares of the white cells add up to more than 100 %. Look at them again.")
        }
        if let question = disagreement(result) { questions.append(question) }
        return Finding(
            content: .lab(result), question: questions.isEmpty ? nil : questions.joined(separator: " "))
    }

    /// An analyte's value in its usual unit, and the question to ask before it is accepted.
    private static func value(
        _ number: ManualNumber, _ unit: String, of analyte: LabAnalyte
    ) throws(EntryError) -> (VitalValue, question: String?) {
        switch analyte.dimension {
        case .cells: return try cells(number, unit, of: analyte)
        case .mass: return try haemoglobin(number, unit)
        case .share:
            guard unit.isEmpty || unit == "%" else { throw strangeUnit(unit, of: analyte, "35%") }
            return try checked(number.thousandths / 10, analyte, "\(number.text) %")
        }
    }

    /// The refusal of a count per µL that has a separator, which may be one of thousands or of decimals.
    public static let separators = "A count per µL is a whole number without separators, such as 1200/µL."

    private static func cells(
        _ number: ManualNumber, _ unit: String, of analyte: LabAnalyte
    ) throws(EntryError) -> (VitalValue, question: String?) {
        switch CellCountUnit(unit[...]) {
        case .perMicrolitre:
            guard number.isWrittenWhole else { throw EntryError(ManualReader.separators) }
            return try checked(number.thousandths / 10, analyte, "\(number.text)/µL")
        case .billionsPerLitre:
            // 10⁹/L are thousands per µL.
            return try checked(number.thousandths * 100, analyte, "\(number.text) × 10⁹/L")
        case .missing where analyte == .neutrophilCount:
            throw EntryError(
                description: "\(number.text) neutrophils of what? Type \(number.text)/µL or \(number.text)x10^9/L.")
        case .missing:
            // A value that is too high in 10⁹/L usually means a count per µL: ask, do not guess.
            let most = analyte == .whiteCells ? 300_000 : 5_000_000
            guard number.isWrittenWhole, number.thousandths >= most else {
                return try checked(number.thousandths * 100, analyte, "\(number.text) × 10⁹/L")
            }
            let (value, _) = try checked(number.thousandths / 10, analyte, "\(number.text)/µL")
            return (
                value, "\(analyte.text) \(number.text) × 10⁹/L are not plausible. Did you mean \(number.text)/µL?"
            )
        case .unknown: throw strangeUnit(unit, of: analyte, "1.2x10^9/L or 1200/µL")
        }
    }

    /// Haemoglobin: 1 mmol/L (of the monomer) is 1.6114 g/dL.
    private static func haemoglobin(
        _ number: ManualNumber, _ unit: String
    ) throws(EntryError) -> (VitalValue, question: String?) {
        let shown = "\(number.text) \(unit.isEmpty ? "g/dL" : unit)"
        switch unit.lowercased() {
        case "g/dl": return try checked((number.thousandths + 5) / 10, .haemoglobin, shown)
        case "g/l": return try checked((number.thousandths + 50) / 100, .haemoglobin, shown)
        case "mmol/l", "mmol":
            return try checked((number.thousandths * 16_114 + 50_000) / 100_000, .haemoglobin, shown)
        case "":
            let typed = (number.thousandths + 5) / 10
            guard !LabAnalyte.haemoglobin.possible.contains(typed) else {
                return try checked(typed, .haemoglobin, shown)
            }
            let (value, _) = try checked((number.thousandths + 50) / 100, .haemoglobin, shown)
            return (value, "Haemoglobin \(shown) is not possible. Did you mean \(number.text) g/L?")
        default: throw strangeUnit(unit, of: .haemoglobin, "9.8 g/dL, 98 g/L or 6.1 mmol/L")
        }
    }

    private static func checked(
        _ hundredths: Int, _ analyte: LabAnalyte, _ shown: String
    ) throws(EntryError) -> (VitalValue, question: String?) {
        guard analyte.possible.contains(hundredths) else {
            throw EntryError(
                description: "\(shown) is not possible for \(analyte.text). Look at the number and its unit.")
        }
        let isUsual = analyte.isUsual(hundredths)
        return (
            VitalValue(hundredths: hundredths), isUsual ? nil : "\(shown) is unusual for \(analyte.text). Is it right?"
        )
    }

    private static func strangeUnit(_ unit: String, of analyte: LabAnalyte, _ example: String) -> EntryError {
        EntryError(
            description:
                "“\(sanitized(unit, limit: 16))” is not a unit of \(analyte.text). Type for example \(example).")
    }

    /// The question about a count of neutrophils that is far from their share of the white cells.
    private static func disagreement(_ result: LabResult) -> String? {
        var computed = result
        computed[.neutrophilCount] = nil
        guard let counted = result[.neutrophilCount], let share = computed.neutrophilsPerMicrolitre else { return nil }
        let count = counted.hundredths / 100
        let difference = abs(count - share)
        guard difference > 100, difference * 5 > max(count, share) else { return nil }
        return "The count of \(count)/µL and the share of the white cells, \(share)/µL, do not agree. Is it right?"
    }
}
