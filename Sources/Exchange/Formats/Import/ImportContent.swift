import Base
import Entries
import Monitoring
import Vitals

/// The contents of entries in files, with the same limits as typed entries.
enum ImportContent {
    /// Reads text in the form of `bedside enter`.
    static func read(
        _ text: String, as kind: RecordEntry.Kind, taken: Int64, unit: TemperatureUnit = .celsius
    ) throws(RefusedEntry) -> (content: RecordEntry.Content, question: String?) {
        if kind == .note { return (try note(text), nil) }
        do throws(ManualReader.EntryError) {
            let words = kind == .neutrophils ? "anc \(text)" : text
            let (content, question) = try ManualReader.content(words, as: kind, unit: unit)
            guard kind == .neutrophils, case .lab(let result) = content else { return (content, question) }
            guard let count = result.neutrophilsPerMicrolitre else {
                throw ManualReader.EntryError("There is no neutrophil count, such as 450/µL.")
            }
            return (.neutrophils(NeutrophilCount(perMicrolitre: count, sampledAt: taken)), question)
        } catch {
            throw RefusedEntry(error.description)
        }
    }

    static func note(_ text: String) throws(RefusedEntry) -> RecordEntry.Content {
        .note(try words(text, limit: RecordEntry.noteLimit, "note"))
    }

    static func medication(
        _ name: String, dose: Medication.Dose?, isAntipyretic: Bool?
    ) throws(RefusedEntry) -> RecordEntry.Content {
        let name = try words(name, limit: Medication.nameLimit, "medication")
        if let dose, !Medication.Dose.possible.contains(dose.thousandths) {
            throw RefusedEntry("A dose of \(dose.text) is none. Look at the number.")
        }
        return .medication(Medication(name, dose: dose, isAntipyretic: isAntipyretic))
    }

    static func symptom(_ name: String, severity: Int) throws(RefusedEntry) -> RecordEntry.Content {
        let name = try words(name, limit: Symptom.textLimit, "symptom")
        guard SymptomRating.severities.contains(severity) else {
            throw RefusedEntry("A symptom is rated from 0 (none) to 10 (the worst): \(severity) is not possible.")
        }
        return .symptom(SymptomRating(Symptom(name), severity: severity))
    }

    /// A text that is neither empty nor truncated.
    private static func words(_ text: String, limit: Int, _ what: String) throws(RefusedEntry) -> String {
        guard !trimmed(text).isEmpty else { throw RefusedEntry("The \(what) has no words.") }
        guard text.unicodeScalars.count <= limit else {
            throw RefusedEntry("A \(what) has at most \(limit) characters. Shorten it.")
        }
        return text
    }

    /// A medication as printed by ``Medication/text``: "paracetamol 500 mg, antipyretic".
    static func medication(printed text: String) throws(RefusedEntry) -> RecordEntry.Content {
        var rest = Substring(text)
        let mark = ", antipyretic"
        let isAntipyretic = rest.hasSuffix(mark)
        if isAntipyretic { rest = rest.dropLast(mark.count) }
        let parts = rest.split(separator: " ", omittingEmptySubsequences: false)
        if parts.count >= 3, let unit = Medication.Unit.allCases.first(where: { $0.text == parts[parts.count - 1] }),
            let amount = thousandths(parts[parts.count - 2])
        {
            let name = parts.dropLast(2).joined(separator: " ")
            return try medication(
                name, dose: Medication.Dose(thousandths: amount, unit: unit), isAntipyretic: isAntipyretic)
        }
        return try medication(String(rest), dose: nil, isAntipyretic: isAntipyretic)
    }

    /// A decimal number with at most three decimals, in thousandths.
    static func thousandths(_ text: some StringProtocol) -> Int? {
        ExactDecimal(text, .typed(digits: 9, decimals: 3))?.scaled(decimals: 3)
    }

    /// A number in thousandths as text, without trailing zeros.
    static func text(thousandths: Int) -> String {
        let (whole, fraction) = thousandths.magnitude.quotientAndRemainder(dividingBy: 1000)
        var digits = String(fraction)
        digits = String(repeating: "0", count: 3 - digits.count) + digits
        while digits.last == "0" { digits.removeLast() }
        return "\(thousandths < 0 ? "-" : "")\(whole)" + (digits.isEmpty ? "" : ".\(digits)")
    }

    /// A text without the apostrophe that prevents a spreadsheet from reading it as a formula.
    static func unescaped(_ text: String) -> String {
        guard text.first == "'",
            let next = text.dropFirst().unicodeScalars.first(where: { !$0.properties.isWhitespace }),
            CSVField.formulaBeginnings.contains(next)
        else { return text }
        return String(text.dropFirst())
    }
}
