import Base
import Monitoring
import Vitals

// Medication, symptoms and the MASCC risk index.
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

    /// Reads a MASCC risk index: every item with its answer.
    package static func mascc(_ words: [String]) throws(EntryError) -> Finding {
        let example = example(of: .mascc, unit: .celsius)
        var rest = words[...]
        var burden: MASCCIndex.Burden?
        var answers: [MASCCIndex.Item: Bool] = [:]
        var assessedBy = ""
        while let word = rest.popFirst() {
            if word.lowercased() == "by" {
                assessedBy = rest.joined(separator: " ")
                break
            }
            guard let item = MASCCIndex.Item(rawValue: word.lowercased()) else { throw stranger(word, example) }
            guard let answer = rest.popFirst()?.lowercased() else {
                throw EntryError(description: "\(item.question) Type for example \(example).")
            }
            guard answers[item] == nil, item != .burden || burden == nil else {
                throw EntryError(description: "There are two answers to \(item.rawValue). Type one.")
            }
            if item == .burden {
                burden = MASCCIndex.Burden(rawValue: answer == "none" ? "mild" : answer)
                if burden == nil {
                    throw EntryError(description: "\(item.question) It is not \(sanitized(answer, limit: 16)).")
                }
            } else {
                switch answer {
                case "yes", "y": answers[item] = true
                case "no", "n": answers[item] = false
                default:
                    throw EntryError(description: "\(item.question) Type \(item.rawValue) yes or \(item.rawValue) no.")
                }
            }
        }
        guard let burden, answers.count == MASCCIndex.Item.allCases.count - 1 else {
            let open = MASCCIndex.Item.allCases.filter { $0 == .burden ? burden == nil : answers[$0] == nil }
            throw EntryError(
                description:
                    "The index needs every item; there is no answer to \(open.map(\.rawValue).joined(separator: ", "))."
            )
        }
        let index = MASCCIndex(
            burden: burden, hasHypotension: answers[.hypotension] == true, hasPulmonaryDisease: answers[.copd] == true,
            hasSolidTumourOrNoFungalInfection: answers[.tumour] == true, isDehydrated: answers[.dehydration] == true,
            isOutpatient: answers[.outpatient] == true, isUnder60: answers[.under60] == true, assessedBy: assessedBy)
        return Finding(content: .mascc(index))
    }
}
