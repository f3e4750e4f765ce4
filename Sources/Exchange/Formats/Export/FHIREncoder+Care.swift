import JSON
import Monitoring
import Vitals

// Resources of the record that are no observations.
extension FHIREncoder {
    /// A medication that was given: <https://hl7.org/fhir/R4/medicationadministration.html>.
    func administration(_ recorded: RecordedEntry) -> [UInt8] {
        let entry = recorded.entry
        guard case .medication(let medication) = entry.content else { return [] }
        var json = begin("MedicationAdministration", recorded)
        if isSimulated { json.simulatedMeta(profile: nil) }
        writeIdentifiers(of: recorded, &json)
        json.member("status", entry.isRetracted ? "entered-in-error" : "completed")
        json.key("medicationCodeableConcept")
        json.beginObject()
        json.member("text", medication.name)
        json.endObject()
        writeSubject(&json)
        json.time("effectiveDateTime", of: entry)
        writeNotes(of: recorded, medication.isAntipyretic ? FHIRText.antipyretic : nil, &json)
        if let dose = medication.dose {
            json.key("dosage")
            json.beginObject()
            json.key("dose")
            json.beginObject()
            json.key("value")
            json.thousandths(dose.thousandths)
            json.member("unit", dose.unit.text)
            json.member("system", "http://unitsofmeasure.org")
            json.member("code", dose.unit.rawValue)
            json.endObject()
            json.endObject()
        }
        end("MedicationAdministration", recorded, &json)
        return json.bytes
    }

    /// A form with every answer, and what follows from them:
    /// <https://hl7.org/fhir/R4/questionnaireresponse.html>.
    func response(_ recorded: RecordedEntry) -> [UInt8] {
        let entry = recorded.entry
        var json = begin("QuestionnaireResponse", recorded)
        if isSimulated { json.simulatedMeta(profile: nil) }
        // It has one identifier only.
        json.key("identifier")
        json.beginObject()
        writeOnlyIdentifier(of: recorded, &json)
        json.endObject()
        json.member(
            "status", entry.isRetracted ? "entered-in-error" : entry.correction == nil ? "completed" : "amended")
        writeSubject(&json)
        json.time("authored", of: entry)
        let (content, fields) = (entry.content, entry.content.fields)
        if let person = fields.first(where: { $0.role == .person })?.text(content) {
            json.key("author")
            json.beginObject()
            json.member("display", person)
            json.endObject()
        }
        json.key("item")
        json.beginArray()
        for field in fields.filter({ !$0.isDerived }) + fields.filter(\.isDerived) {
            guard let question = field.question, let value = field.value(content) else { continue }
            item(field.name, question, &json) { json in
                switch value {
                case .text(let word) where field.form == .word(["yes", "no"]):
                    json.key("valueBoolean")
                    json.bool(word == "yes")
                case .text(let word): json.member("valueString", word)
                case .number(let number):
                    json.key("valueInteger")
                    json.integer(number)
                case .flag(let isTrue):
                    json.key("valueBoolean")
                    json.bool(isTrue)
                }
            }
        }
        writeFate(of: recorded, &json)
        json.endArray()
        end("QuestionnaireResponse", recorded, &json)
        return json.bytes
    }

    private func item(
        _ identifier: String, _ text: String, _ json: inout JSONWriter, _ answer: (inout JSONWriter) -> Void
    ) {
        json.beginObject()
        json.member("linkId", identifier)
        json.member("text", text)
        json.list("answer") { answer(&$0) }
        json.endObject()
    }

    /// Writes when the form was entered, imported and retracted, and its correction, because a response has no notes.
    private func writeFate(of recorded: RecordedEntry, _ json: inout JSONWriter) {
        let entry = recorded.entry
        func time(_ identifier: String, _ text: String, _ wall: Int64?) {
            if let wall { item(identifier, text, &json) { $0.time("valueDateTime", wall) } }
        }
        func words(_ identifier: String, _ text: String, _ words: String?) {
            if let words, !words.isEmpty { item(identifier, text, &json) { $0.member("valueString", words) } }
        }
        time(FHIRText.enteredItem, FHIRText.source(of: entry), recorded.enteredWallMilliseconds)
        let facts = FHIRText.notes(on: entry.facts)
        if !facts.isEmpty {
            json.beginObject()
            json.member("linkId", FHIRText.factsItem)
            json.member("text", "What is known beside the answers")
            json.key("answer")
            json.beginArray()
            for fact in facts {
                json.beginObject()
                json.member("valueString", fact)
                json.endObject()
            }
            json.endArray()
            json.endObject()
        }
        time("imported", "Imported", entry.origin == nil ? nil : entry.enteredAt.wallMilliseconds)
        words("imported_from", "Imported from", entry.origin?.source)
        time("retracted", "Taken back", entry.retractedAt?.wallMilliseconds)
        words("retraction_reason", "Taken back, because", entry.retractionReason)
        words("corrects", "Replaces the entry", keys.corrected(by: recorded))
        words("correction_reason", "Corrected, because", entry.correction?.reason)
    }
}
