import Base
import JSON
import Monitoring
import Vitals

/// Reads Observations: vitals, values of blood counts, symptoms and notes.
struct ObservationReader {
    let resource: Resource
    let context: ImportContext

    /// The meaning of a code.
    private enum Meaning {
        case vital(RecordEntry.Kind, BodySite?)
        case pressure
        case analyte(LabAnalyte)
        case symptom(String)
        case note
    }

    /// Reads the Observation as an entry, or as a part of a blood count.
    func read(into file: inout ImportedFile, _ labs: inout LabGroups) throws(RefusedEntry) {
        let taken = try resource.taken(["effectiveDateTime", "effectivePeriod", "effectiveInstant"], context)
        guard let meaning else {
            let code = resource.value["code"]
            let name = code?["text"]?.text ?? code?["coding"]?.elements?.first?["code"]?.text ?? ""
            throw RefusedEntry("“\(sanitized(name, limit: 40))” is nothing that can be entered.")
        }
        let found: (content: RecordEntry.Content, question: String?)
        switch meaning {
        case .analyte(let analyte):
            // A count alone was entered as such; one in a blood count has its origin in a note.
            if analyte == .neutrophilCount, resource.ownKey != nil, resource.property == nil {
                let words = try quantity("the neutrophil count").words(of: analyte)
                found = try ImportContent.read(String(words.dropFirst(4)), as: .neutrophils, taken: taken)
                break
            }
            let isComputed = resource.ownKey != nil && resource.property?.hasPrefix("neutrophils × white cells") == true
            return try labs.add(analyte, isComputed ? nil : quantity(analyte.text), resource, taken)
        case .vital(let kind, let site): found = try vital(kind, site, taken)
        case .pressure: found = try pressure(taken)
        case .symptom(let name): found = (try ImportContent.symptom(name, severity: try severity()), nil)
        case .note:
            guard let text = resource.value["valueString"]?.text else { throw RefusedEntry("The note has no words.") }
            found = (try ImportContent.note(text), nil)
        }
        var entry = ImportedEntry(found.content, at: resource.place, taken: taken, question: found.question)
        resource.complete(&entry, context)
        file.add(entry)
    }

    private func quantity(_ what: String) throws(RefusedEntry) -> FHIRQuantity {
        guard let value = resource.value["valueQuantity"] else {
            throw RefusedEntry("There is no value (valueQuantity) for \(what).")
        }
        return try FHIRQuantity(value, of: what)
    }

    private func vital(
        _ kind: RecordEntry.Kind, _ site: BodySite?, _ taken: Int64
    ) throws(RefusedEntry) -> (RecordEntry.Content, question: String?) {
        let quantity = try quantity(kind.text)
        let words =
            switch kind {
            case .bodyTemperature: try quantity.temperature()
            case .heartRate: try quantity.rate()
            case .oxygenSaturation: try quantity.saturation()
            case .weight: try quantity.weight()
            default: try quantity.glucose()
            }
        let (content, question) = try ImportContent.read(words, as: kind, taken: taken)
        guard case .vital(let vital, let value, _) = content else { return (content, question) }
        let text = resource.value["bodySite"]?["text"]?.text?.lowercased()
        let named = BodySite.allCases.first { $0.text == text || $0.rawValue == text }
        return (.vital(vital, value, site: named ?? site), question)
    }

    private func pressure(_ taken: Int64) throws(RefusedEntry) -> (RecordEntry.Content, question: String?) {
        func component(_ code: String, _ what: String) throws(RefusedEntry) -> FHIRQuantity? {
            let components = (resource.value["component"]?.elements ?? []).filter {
                $0["code"]?.hasCode(code) == true
            }
            guard components.count <= 1 else {
                throw RefusedEntry("There are two values of \(what). Leave one out.")
            }
            guard let value = components.first?["valueQuantity"] else { return nil }
            return try FHIRQuantity(value, of: what)
        }
        guard let systolic = try component("8480-6", "the systolic pressure"),
            let diastolic = try component("8462-4", "the diastolic pressure")
        else { throw RefusedEntry("A blood pressure has the components 8480-6 (systolic) and 8462-4 (diastolic).") }
        var words = "\(try systolic.pressure())/\(try diastolic.pressure())"
        if let mean = try component("8478-0", "the mean pressure") { words += "/\(try mean.pressure())" }
        if let pulse = try component("8867-4", "the pulse") { words += " pulse \(try pulse.rate())" }
        return try ImportContent.read(words, as: .bloodPressure, taken: taken)
    }

    private func severity() throws(RefusedEntry) -> Int {
        if let severity = resource.value["valueInteger"]?.whole { return severity }
        if let value = resource.value["valueQuantity"] {
            let quantity = try FHIRQuantity(value, of: "the rating")
            if quantity.thousandths % 1000 == 0, ["{score}", "1", ""].contains(quantity.unit) {
                return quantity.thousandths / 1000
            }
        }
        throw RefusedEntry("A symptom has a rating from 0 to 10, as valueInteger.")
    }

    private var meaning: Meaning? {
        let code = resource.value["code"]
        let text = code?["text"]?.text
        if let text, text.hasSuffix(FHIRText.severity) {
            return .symptom(String(text.dropLast(FHIRText.severity.count)))
        }
        for coding in (code?["coding"]?.elements ?? []).prefix(16) {
            guard let code = coding["code"]?.text else { continue }
            switch coding["system"]?.text {
            case "http://loinc.org": if let meaning = Self.meaning(ofLOINC: code) { return meaning }
            case "http://snomed.info/sct":
                if let symptom = Self.symptoms[code] { return .symptom(symptom) }
            default: break
            }
        }
        return nil
    }

    private static let symptoms = [
        "422587007": "nausea", "422400008": "vomiting", "62315008": "diarrhoea", "43724002": "chills",
        "49727002": "cough", "22253000": "pain",
    ]

    /// Sources: <https://loinc.org>, and the codes of the vital-signs profiles.
    private static func meaning(ofLOINC code: String) -> Meaning? {
        func isMeant(_ known: EntryField.Code?) -> Bool {
            known.map { $0.code == code || $0.others.contains(code) } ?? false
        }
        if let analyte = LabAnalyte.allCases.first(where: { isMeant($0.code) }) { return .analyte(analyte) }
        if code == "72514-3" { return .symptom("pain") }
        guard let kind = RecordEntry.Kind.allCases.first(where: { isMeant($0.traits.code) }) else { return nil }
        switch kind.traits.resource {
        case .components: return .pressure
        default: return kind == .note ? .note : .vital(kind, sites[code])
        }
    }

    /// The site of a temperature whose code names it.
    private static let sites: [String: BodySite] = [
        "8331-1": .mouth, "8332-9": .rectum, "8333-7": .tympanum, "8328-7": .armpit,
    ]
}

/// The blood counts of a file, with one Observation for each value.
struct LabGroups {
    private struct Group {
        var resource: Resource
        var taken: Int64
        var words: [LabAnalyte: String] = [:]
    }

    private var groups: [Group] = []
    private var places: [String: Int] = [:]

    /// Adds a value; one that was only computed from others is omitted.
    mutating func add(
        _ analyte: LabAnalyte, _ quantity: FHIRQuantity?, _ resource: Resource, _ taken: Int64
    ) throws(RefusedEntry) {
        // Other programs' values of one sample have the same time.
        let identity = resource.ownKey ?? "\(taken)"
        let place = places[identity] ?? groups.count
        let words = try quantity?.words(of: analyte)
        if place == groups.count {
            groups.append(Group(resource: resource, taken: taken))
            places[identity] = place
        }
        guard let words else { return }
        guard groups[place].words[analyte] == nil else {
            throw RefusedEntry("The file has two values of \(analyte.text) at this time. Leave one out.")
        }
        groups[place].words[analyte] = words
    }

    /// Adds the blood counts to the imported entries.
    mutating func finish(_ context: ImportContext, _ file: inout ImportedFile) {
        for group in groups {
            let words = LabAnalyte.allCases.compactMap { group.words[$0] }.joined(separator: " ")
            do throws(RefusedEntry) {
                let (content, question) = try ImportContent.read(words, as: .lab, taken: group.taken)
                var entry = ImportedEntry(content, at: group.resource.place, taken: group.taken, question: question)
                group.resource.complete(&entry, context)
                // The first of several values does not identify them all.
                if group.resource.ownKey == nil { entry.key = nil }
                file.add(entry)
            } catch {
                file.refuse(group.resource.place, error.reason)
            }
        }
    }
}
