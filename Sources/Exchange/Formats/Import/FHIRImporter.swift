import Base
import JSON
import Monitoring
import Vitals

/// Reads the entries of FHIR R4 resources: a Bundle, one resource, a list, or one of them on each line (ndjson).
enum FHIRImporter {
    static func read(_ bytes: [UInt8], _ context: ImportContext) throws(ImportError) -> ImportedFile {
        let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        let text = Array(bytes[start...])
        var resources: [Resource] = []
        var file = ImportedFile()
        do throws(JSON5Error) {
            collect(try JSON5Parser.parse(text, .json), "", &resources)
        } catch {
            let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            // One damaged text, rather than lines of texts.
            guard lines.count > 1, (try? JSON5Parser.parse(Array(first(lines)), .json)) != nil else {
                throw ImportError("it is not JSON: \(error)")
            }
            for (number, line) in lines.enumerated() where line.contains(where: { $0 > UInt8(ascii: " ") }) {
                let place = "line \(number + 1)"
                do throws(JSON5Error) {
                    collect(try JSON5Parser.parse(Array(line), .json), place, &resources)
                } catch {
                    file.refuse(place, "It is not JSON: \(error).")
                }
            }
        }
        guard !resources.isEmpty || !file.refusals.isEmpty else { throw ImportError("it has no resources of FHIR") }
        let subjects = FHIRSubjects(resources)
        try requireOneSubject(subjects, context)
        let chosen = context.subject.map { subjects.patient(called: $0) }
        var labs = LabGroups()
        for resource in resources {
            let subject = subjects.patient(of: resource)
            guard chosen == nil || subject == nil || subject == chosen else {
                file.others += 1
                continue
            }
            read(resource, context, &labs, &file)
        }
        labs.finish(context, &file)
        return file
    }

    private static func first(_ lines: [ArraySlice<UInt8>]) -> ArraySlice<UInt8> {
        lines.first { $0.contains { $0 > UInt8(ascii: " ") } } ?? []
    }

    /// Finds the resources in a value, and their places.
    private static func collect(_ value: JSON5Value, _ line: String, _ resources: inout [Resource]) {
        func add(_ value: JSON5Value, _ address: String?, _ number: Int?) {
            let place =
                number.map { "\(line.isEmpty ? "" : "\(line), ")entry \($0)" } ?? (line.isEmpty ? "the resource" : line)
            guard value["resourceType"]?.text != nil else { return }
            resources.append(Resource(value: value, address: address, place: place))
        }
        if let elements = value.elements {
            for (number, element) in elements.enumerated() { add(element, nil, number + 1) }
        } else if value["resourceType"]?.text == "Bundle" {
            for (number, entry) in (value["entry"]?.elements ?? []).enumerated() {
                guard let resource = entry["resource"] else { continue }
                add(resource, entry["fullUrl"]?.text, number + 1)
            }
        } else {
            add(value, nil, nil)
        }
    }

    /// Throws if the resources belong to several patients.
    private static func requireOneSubject(_ subjects: FHIRSubjects, _ context: ImportContext) throws(ImportError) {
        guard context.subject == nil, subjects.patients.count > 1 else { return }
        let names = subjects.patients.prefix(4).map { sanitized($0, limit: 40) }.joined(separator: ", ")
        throw ImportError("it is about \(subjects.patients.count) patients (\(names)); choose one with --subject")
    }

    private static func read(
        _ resource: Resource, _ context: ImportContext, _ labs: inout LabGroups, _ file: inout ImportedFile
    ) {
        do throws(RefusedEntry) {
            switch resource.type {
            case "Observation":
                if resource.isReading { return file.readings += 1 }
                try resource.requireUsable(context)
                try ObservationReader(resource: resource, context: context).read(into: &file, &labs)
            case "MedicationAdministration":
                try resource.requireUsable(context)
                file.add(try CareReader(resource: resource, context: context).administration())
            case "QuestionnaireResponse":
                try resource.requireUsable(context)
                file.add(try CareReader(resource: resource, context: context).response())
            default: file.others += 1
            }
        } catch {
            file.refuse(resource.place, error.reason)
        }
    }
}

/// A resource with its place in the file.
struct Resource {
    let value: JSON5Value
    /// Its address in the Bundle.
    let address: String?
    let place: String

    var type: String { value["resourceType"]?.text ?? "" }

    var status: String { value["status"]?.text ?? "" }

    /// The key of an entry in Bedside's own exports; `nil` for other programs' resources.
    var ownKey: String? {
        let identifiers = value["identifier"].map { $0.elements ?? [$0] } ?? []
        for identifier in identifiers {
            guard let text = identifier["value"]?.text, text.hasPrefix("urn:uuid:"), !sources.isEmpty else { continue }
            let key = String(text.dropFirst(9))
            if FHIRIdentifier.isIdentifier(key) { return key }
        }
        return nil
    }

    /// Its identifier: an identifier element, its address, or its id with its whole content.
    var key: String? {
        if let ownKey { return ownKey }
        let identifiers = value["identifier"].map { $0.elements ?? [$0] } ?? []
        for identifier in identifiers {
            guard let text = identifier["value"]?.text, let system = identifier["system"]?.text else { continue }
            return FHIRIdentifier.text(Array("\(type)|\(system)|\(text)".utf8))
        }
        if let address, address.contains(":") { return FHIRIdentifier.text(Array("\(type)|\(address)".utf8)) }
        // An id is unique on one server only.
        return nil
    }

    /// The notes of a resource from Bedside, by their texts.
    var notes: [(time: String?, text: String)] {
        (value["note"]?.elements ?? []).prefix(16).compactMap { note in
            note["text"]?.text.map { (note["time"]?.text, $0) }
        }
    }

    /// What Bedside's own resource says of the measurement beside its value.
    var facts: EntryFacts {
        let items = (value["item"]?.elements ?? []).prefix(64).filter { $0["linkId"]?.text == FHIRText.factsItem }
        let answers = items.flatMap { $0["answer"]?.elements ?? [] }.compactMap { $0["valueString"]?.text }
        return FHIRText.facts(in: notes.map(\.text) + answers)
    }

    /// When a form was entered.
    private var timeOfForm: String? {
        let item = (value["item"]?.elements ?? []).prefix(64).first { $0["linkId"]?.text == FHIRText.enteredItem }
        return item?["answer"]?.elements?.first?["valueDateTime"]?.text
    }

    /// The words with which Bedside says how an entry came about, and the rest of that note.
    private var sources: [String] {
        let known = [FHIRText.typed, FHIRText.importedEntry]
        let items = (value["item"]?.elements ?? []).prefix(64).compactMap { $0["text"]?.text }
        return (notes.map(\.text) + items).filter { text in known.contains { text == $0 || text.hasPrefix("\($0); ") } }
    }

    /// The rest of the first note, after the source of the entry.
    var property: String? {
        sources.first.flatMap { source in source.firstPlace(of: "; ").map { String(source[$0.upperBound...]) } }
    }

    /// Whether it is a sensor's reading: a vital of a device.
    var isReading: Bool {
        guard value["device"] != nil else { return false }
        if notes.contains(where: { $0.text == FHIRText.handedOver }) { return true }
        if ownKey == nil, value["category"]?.elements?.contains(where: { $0.hasCode("laboratory") }) == true {
            return false
        }
        return true
    }

    func requireUsable(_ context: ImportContext) throws(RefusedEntry) {
        let isTest = value["meta"]?["tag"]?.elements?.contains { $0["code"]?.text == "HTEST" } ?? false
        guard !isTest || context.isSimulated else {
            throw RefusedEntry("It is simulated (HTEST), and no patient's. Import it with --simulate, or leave it out.")
        }
        switch status {
        case "final", "amended", "corrected", "completed", "preliminary": break
        case "entered-in-error" where ownKey != nil: break
        case "entered-in-error": throw RefusedEntry("It was entered in error. Leave it out.")
        default:
            throw RefusedEntry(
                "Its status, “\(sanitized(status, limit: 20))”, says that there is no result. Leave it out.")
        }
    }

    /// When it was measured.
    func taken(_ names: [String], _ context: ImportContext) throws(RefusedEntry) -> Int64 {
        for name in names {
            if let text = value[name]?.text { return try ImportTime.read(text, now: context.now) }
            if let text = value[name]?["start"]?.text { return try ImportTime.read(text, now: context.now) }
        }
        // Bedside's own resource says that it is unknown, and when it was entered.
        if ownKey != nil, !facts.isTimeKnown, let text = value["issued"]?.text ?? notes.first?.time ?? timeOfForm {
            return try ImportTime.read(text, now: context.now)
        }
        throw RefusedEntry("It does not say when it was measured (\(names.joined(separator: ", "))).")
    }

    /// Completes an entry by the details of Bedside's own resource.
    func complete(_ entry: inout ImportedEntry, _ context: ImportContext) {
        entry.key = key
        entry.enteredAt = value["issued"]?.text.flatMap { ImportTime.other($0, now: context.now) }
        guard ownKey != nil else { return }
        entry.facts = facts
        for note in notes {
            if let time = note.time, note.text.hasPrefix(FHIRText.typed) || note.text.hasPrefix(FHIRText.importedEntry)
            {
                entry.enteredAt = ImportTime.other(time, now: context.now)
            }
            if status == "entered-in-error",
                note.text == FHIRText.takenBack
                    || note.text.hasPrefix("\(FHIRText.takenBack): ")
            {
                entry.retractedAt = note.time.flatMap { ImportTime.other($0, now: context.now) }
                entry.retractionReason = String(note.text.dropFirst(FHIRText.takenBack.count + 2))
            }
            if note.text.hasPrefix(FHIRText.replaces) {
                replace(String(note.text.dropFirst(FHIRText.replaces.count)), &entry)
            }
        }
        if status == "entered-in-error" { markMistake(&entry, context) }
    }

    func markMistake(_ entry: inout ImportedEntry, _ context: ImportContext) {
        entry.retractedAt = entry.retractedAt ?? context.now.wallMilliseconds
        // A mistaken value is not evaluated.
        entry.question = nil
    }

    private func replace(_ text: String, _ entry: inout ImportedEntry) {
        let key = String(text.prefix(36))
        guard FHIRIdentifier.isIdentifier(key) else { return }
        entry.corrected = key
        entry.correctionReason = String(text.dropFirst(38))
    }
}

extension JSON5Value {
    /// Whether one of the codings of a concept has a code.
    func hasCode(_ code: String) -> Bool { self["coding"]?.elements?.contains { $0["code"]?.text == code } ?? false }
}

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
