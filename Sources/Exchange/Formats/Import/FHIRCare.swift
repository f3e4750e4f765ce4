import JSON
import Monitoring
import Vitals

/// Reads given medication, and answers to the form of the MASCC risk index.
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
        var words: [String] = []
        for item in MASCCIndex.Item.allCases {
            let own = items.filter { $0["linkId"]?.text == item.rawValue }
            guard own.count <= 1, own.allSatisfy({ ($0["answer"]?.elements?.count ?? 0) <= 1 }) else {
                throw RefusedEntry("There are two answers to “\(item.rawValue)”. Leave one out.")
            }
            guard let answer = answer(item.rawValue) else {
                throw RefusedEntry("It is no MASCC risk index: there is no answer to “\(item.rawValue)”.")
            }
            let word = answer["valueString"]?.text ?? Self.yesOrNo(answer["valueBoolean"]) ?? ""
            words += [item.rawValue, word.contains { $0.isWhitespace } ? "?" : word]
        }
        let (content, _) = try ImportContent.read(words.joined(separator: " "), as: .mascc, taken: taken)
        guard case .mascc(let index) = content else { throw RefusedEntry("It is no MASCC risk index.") }
        let author = resource.value["author"]?["display"]?.text ?? ""
        guard author.unicodeScalars.count <= MASCCIndex.nameLimit else {
            throw RefusedEntry(
                "The name of who assessed it has more than \(MASCCIndex.nameLimit) characters. Shorten it.")
        }
        var entry = ImportedEntry(.mascc(index.assessed(by: author)), at: resource.place, taken: taken)
        resource.complete(&entry, context)
        guard resource.ownKey != nil else { return entry }
        func text(_ identifier: String, _ kind: String = "valueString") -> String? { answer(identifier)?[kind]?.text }
        func time(_ identifier: String) -> Int64? {
            text(identifier, "valueDateTime").flatMap { ImportTime.other($0, now: context.now) }
        }
        entry.enteredAt = time("entered")
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
