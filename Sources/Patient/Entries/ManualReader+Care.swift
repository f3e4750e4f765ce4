import Base
import Monitoring
import Vitals

// Medication, symptoms and forms.
extension ManualReader {
    /// Reads a medication: "paracetamol 500 mg", "ointment 2% antipyretic".
    package static func medication(_ words: [String]) throws(EntryError) -> Finding {
        let example = example(of: .medication, unit: .celsius)
        var rest = words
        var isAntipyretic: Bool?
        rest.removeAll { word in
            guard word.lowercased() == "antipyretic" else { return ["name", "dose"].contains(word.lowercased()) }
            isAntipyretic = true
            return true
        }
        var dose: Medication.Dose?
        var question: String?
        if let (found, number, range) = try self.dose(in: rest) {
            guard range.upperBound == rest.count else { throw stranger(rest[range.upperBound], example) }
            dose = found
            if number.maySeparateThousands {
                question =
                    "\(number.text) \(found.unit.text) is read as \(found.text), with decimals. Is it right?"
            }
            rest.removeSubrange(range)
        }
        let name = rest.joined(separator: " ")
        guard !name.isEmpty else { throw EntryError(description: "What was given? Type for example \(example).") }
        guard name.unicodeScalars.count <= Medication.nameLimit else {
            throw EntryError(
                description: "A medication has at most \(Medication.nameLimit) characters; more can be a note.")
        }
        return Finding(
            content: .medication(Medication(name, dose: dose, isAntipyretic: isAntipyretic)), question: question)
    }

    /// The dose in a list of words, and its position: a number with a unit after it.
    private static func dose(
        in words: [String]
    ) throws(EntryError) -> (Medication.Dose, ManualNumber, Range<Int>)? {
        for place in words.indices where words[place].first?.isNumber == true {
            guard let (number, attached) = ManualNumber.read(words[place]) else { continue }
            let isAttached = !attached.isEmpty
            let next = place + 1 < words.count ? words[place + 1] : ""
            let word = isAttached ? String(attached) : next
            guard let unit = doseUnit(word) else {
                if isAttached || place + 1 < words.count { continue }
                throw EntryError(
                    description: "\(number.text) of what? There are mg, µg, g, mL, IU, drops, tablets and %.")
            }
            guard Medication.Dose.possible.contains(number.thousandths) else {
                throw EntryError(description: "A dose of \(number.text) \(unit.text) is none. Look at the number.")
            }
            return (
                Medication.Dose(thousandths: number.thousandths, unit: unit), number,
                place..<place + (isAttached ? 1 : 2)
            )
        }
        return nil
    }

    private static func doseUnit(_ word: String) -> Medication.Unit? {
        switch word.lowercased() {
        case "mg": .milligrams
        case "µg", "μg", "ug", "mcg": .micrograms
        case "g": .grams
        case "ml": .millilitres
        case "iu", "ie", "units": .internationalUnits
        case "drops", "drop", "gtt": .drops
        case "tablets", "tablet", "tab", "tabs", "pieces", "piece": .tablets
        case "%": .percent
        default: nil
        }
    }

    /// Reads a symptom with its rating: "nausea 6", "pain=7/10", "burning mouth 4".
    package static func symptom(_ words: [String]) throws(EntryError) -> Finding {
        let example = example(of: .symptom, unit: .celsius)
        var rest = words
        guard var last = rest.popLast(), !rest.isEmpty else {
            throw EntryError(description: "A symptom has a rating from 0 to 10. Type for example \(example).")
        }
        if last.hasSuffix("/10") { last.removeLast(3) }
        guard let severity = digits(last) else {
            throw EntryError(
                description: "“\(sanitized(last, limit: 16))” is no rating from 0 to 10. Type for example \(example).")
        }
        guard SymptomRating.severities.contains(severity) else {
            throw EntryError(
                description: "A symptom is rated from 0 (none) to 10 (the worst): \(severity) is not possible.")
        }
        let name = rest.joined(separator: " ")
        guard name.unicodeScalars.count <= Symptom.textLimit else {
            throw EntryError(
                description: "A symptom has at most \(Symptom.textLimit) characters; more can be a note.")
        }
        return Finding(content: .symptom(SymptomRating(Symptom(name), severity: severity)))
    }

    /// Reads a form: every question with its answer, and who has assessed it.
    static func form(_ words: [String], _ kind: RecordEntry.Kind) throws(EntryError) -> Finding {
        let example = example(of: kind, unit: .celsius)
        let fields = kind.fields.filter { !$0.isDerived }
        var rest = words[...]
        var values = EntryField.Values(taken: 0)
        while let word = rest.popFirst() {
            guard let field = fields.first(where: { $0.name == word.lowercased() }) else {
                throw stranger(word, example)
            }
            guard let question = field.question else {
                values[field.name] = .text(rest.joined(separator: " "))
                break
            }
            guard let answer = rest.popFirst()?.lowercased() else {
                throw EntryError(description: "\(question) Type for example \(example).")
            }
            guard values[field.name] == nil else {
                throw EntryError(description: "There are two answers to \(field.name). Type one.")
            }
            values[field.name] = .text(try Self.answer(answer, to: field, question))
        }
        let open = fields.filter { $0.isRequired && values[$0.name] == nil }
        guard open.isEmpty, let content = kind.content(values) else {
            throw EntryError(
                description:
                    "The index needs every item; there is no answer to \(open.map(\.name).joined(separator: ", "))."
            )
        }
        return Finding(content: content)
    }

    /// The word of a form that an answer means.
    private static func answer(
        _ answer: String, to field: EntryField, _ question: String
    ) throws(EntryError) -> String {
        guard case .word(let words) = field.form else { return answer }
        if words == ["yes", "no"] {
            guard let word = words.first(where: { $0 == answer || $0.prefix(1) == answer }) else {
                throw EntryError(description: "\(question) Type \(field.name) yes or \(field.name) no.")
            }
            return word
        }
        // The mildest answer is also that there is nothing.
        guard let word = answer == "none" ? words.first : words.first(where: { $0 == answer }) else {
            throw EntryError(description: "\(question) It is not \(sanitized(answer, limit: 16)).")
        }
        return word
    }
}
