import JSON
import Monitoring
import Vitals

/// Reads medication that was given, and answers to a form.
struct CareReader {
    let resource: Resource
    let context: ImportContext

    func administration() throws(RefusedEntry) -> ImportedEntry {
        let taken = try resource.taken(["effectiveDateTime", "effectivePeriod"], context)
        let concept = resource.value["medicationCodeableConcept"]
        let coding = concept?["coding"]?.elements?.first
        guard let name = concept?["text"]?.text ?? coding?["display"]?.text else {
            throw RefusedEntry("It does not name the medication (medicationCodeableConcept.text).")
        }
        var dose: Medication.Dose?
        if let value = resource.value["dosage"]?["dose"] { dose = try FHIRQuantity(value, of: "the dose").dose() }
        let isMarked = resource.property == FHIRText.antipyretic
        let content = try ImportContent.medication(
            name, dose: dose, isAntipyretic: resource.ownKey == nil ? nil : isMarked)
        var entry = ImportedEntry(content, at: resource.place, taken: taken)
        resource.complete(&entry, context)
        return entry
    }

    func response() throws(RefusedEntry) -> ImportedEntry {
        let taken = try resource.taken(["authored"], context)
        let items = (resource.value["item"]?.elements ?? []).prefix(64)
        func answer(_ identifier: String) -> JSON5Value? {
            items.first { $0["linkId"]?.text == identifier }?["answer"]?.elements?.first
        }
        // Takes the form with the most answered questions.
        let forms = RecordEntry.Kind.allCases.filter { $0.traits.resource == .response }
        func questions(_ kind: RecordEntry.Kind) -> [EntryField] {
            kind.fields.filter { $0.question != nil && !$0.isDerived }
        }
        func answered(_ kind: RecordEntry.Kind) -> Int { questions(kind).count { answer($0.name) != nil } }
        guard let kind = forms.max(by: { answered($0) < answered($1) }) else {
            throw RefusedEntry("It is no form that can be entered.")
        }
        var words: [String] = []
        for field in questions(kind) {
            let own = items.filter { $0["linkId"]?.text == field.name }
            guard own.count <= 1, own.allSatisfy({ ($0["answer"]?.elements?.count ?? 0) <= 1 }) else {
                throw RefusedEntry("There are two answers to “\(field.name)”. Leave one out.")
            }
            guard let answer = answer(field.name) else {
                throw RefusedEntry("It is no \(kind.text): there is no answer to “\(field.name)”.")
            }
            let word = answer["valueString"]?.text ?? Self.yesOrNo(answer["valueBoolean"]) ?? ""
            words += [field.name, word.contains { $0.isWhitespace } ? "?" : word]
        }
        let (content, _) = try ImportContent.read(words.joined(separator: " "), as: kind, taken: taken)
        let author = resource.value["author"]?["display"]?.text ?? ""
        var entry = ImportedEntry(
            try ImportContent.assessed(content, by: author), at: resource.place, taken: taken)
        resource.complete(&entry, context)
        guard resource.ownKey != nil else { return entry }
        func text(_ identifier: String, _ kind: String = "valueString") -> String? { answer(identifier)?[kind]?.text }
        func time(_ identifier: String) -> Int64? {
            text(identifier, "valueDateTime").flatMap { ImportTime.other($0, now: context.now) }
        }
        entry.enteredAt = time(FHIRText.enteredItem)
        if resource.status == "entered-in-error" {
            entry.retractedAt = time("retracted")
            entry.retractionReason = text("retraction_reason") ?? ""
            resource.markMistake(&entry, context)
        }
        if let corrected = text("corrects"), FHIRIdentifier.isIdentifier(corrected) {
            entry.corrected = corrected
            entry.correctionReason = text("correction_reason") ?? ""
        }
        return entry
    }

    /// The answer to a question with a check box.
    // Quirk switch-outlives-borrow: within response() the optimising compiler ends with an error.
    private static func yesOrNo(_ answer: JSON5Value?) -> String? {
        answer?.boolean.map { $0 ? "yes" : "no" }
    }
}
