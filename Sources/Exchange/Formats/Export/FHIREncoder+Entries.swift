import JSON
import Monitoring
import Vitals

extension FHIREncoder {
    /// The entries of the Bundle for an entry of the record, usually one.
    ///
    /// A blood count has an Observation for each of its values.
    func resources(of recorded: RecordedEntry) -> [[UInt8]] {
        let content = recorded.entry.content
        guard recorded.entry.absence == nil, let kind = content.kind else { return [observation(recorded)] }
        switch kind.traits.resource {
        case .administration: return [administration(recorded)]
        case .response: return [response(recorded)]
        case .observation, .components: return [observation(recorded)]
        case .observations:
            let values = content.fields.filter { $0.quantity(content) != nil && $0.value(content) != nil }
            return values.enumerated().map { observation(recorded, $1, number: Int64($0) + 1) }
        }
    }

    /// Begins an entry of the Bundle and its resource; `number` distinguishes those of one entry of the record, from 1.
    func begin(_ type: String, _ recorded: RecordedEntry, number: Int64 = 0) -> JSONWriter {
        var json = JSONWriter()
        json.beginObject()
        json.member("fullUrl", identity(of: recorded, number))
        json.key("resource")
        json.beginObject()
        json.member("resourceType", type)
        return json
    }

    /// Ends a resource and its entry of the Bundle.
    func end(_ type: String, _ recorded: RecordedEntry, number: Int64 = 0, _ json: inout JSONWriter) {
        json.endObject()
        if isTransaction {
            // One that was taken back or confirmed after it was sent is replaced.
            json.request(
                type, FHIRText.identifierSystem, identity(of: recorded, number),
                isReplacing: recorded.entry.isRetracted || recorded.entry.confirmedAt != nil)
        }
        json.endObject()
    }

    /// The identity of the resource.
    private func identity(of recorded: RecordedEntry, _ number: Int64) -> String {
        let key = recorded.key
        let identifier =
            number > 0
            ? FHIRIdentifier.text(Array("\(key)#\(number)".utf8))
            : FHIRIdentifier.isIdentifier(key) ? key : FHIRIdentifier.text(Array(key.utf8))
        return "urn:uuid:\(identifier)"
    }

    /// Writes the identifiers of the resource: that of the entry of the record, and in a transaction its own.
    func writeIdentifiers(of recorded: RecordedEntry, number: Int64 = 0, _ json: inout JSONWriter) {
        json.key("identifier")
        json.beginArray()
        json.beginObject()
        writeIdentifier(of: recorded, &json)
        json.endObject()
        let identity = identity(of: recorded, number)
        if isTransaction, identity != "urn:uuid:\(recorded.key)" {
            json.beginObject()
            json.member("system", FHIRText.identifierSystem)
            json.member("value", identity)
            json.endObject()
        }
        json.endArray()
    }

    /// Writes the identifier of a resource that has only one: a server must recognise it.
    func writeOnlyIdentifier(of recorded: RecordedEntry, _ json: inout JSONWriter) {
        guard isTransaction else { return writeIdentifier(of: recorded, &json) }
        json.member("system", FHIRText.identifierSystem)
        json.member("value", identity(of: recorded, 0))
    }

    /// Writes the identifier of the entry of the record, which all values of a blood count share.
    private func writeIdentifier(of recorded: RecordedEntry, _ json: inout JSONWriter) {
        if FHIRIdentifier.isIdentifier(recorded.key) {
            json.member("system", FHIRText.identifierSystem)
            json.member("value", "urn:uuid:\(recorded.key)")
        } else {
            json.member("value", recorded.key)
        }
    }

    /// Writes the notes: the source of the entry, its import, and why it is a mistake or a correction.
    func writeNotes(of recorded: RecordedEntry, _ property: String?, _ json: inout JSONWriter) {
        json.key("note")
        json.beginArray()
        for note in notes(of: recorded, property) {
            json.beginObject()
            if let time = note.time { json.time("time", time) }
            json.member("text", note.text)
            json.endObject()
        }
        json.endArray()
    }

    private func notes(of recorded: RecordedEntry, _ property: String?) -> [(time: Int64?, text: String)] {
        let entry = recorded.entry
        let source = FHIRText.source(of: entry) + (property.map { "; \($0)" } ?? "")
        var notes: [(time: Int64?, text: String)] = [(recorded.enteredWallMilliseconds, source)]
        notes += FHIRText.notes(on: entry.facts).map { (nil, $0) }
        if let origin = entry.origin {
            notes.append((entry.enteredAt.wallMilliseconds, "\(FHIRText.imported)\(origin.source)"))
        }
        if let confirmedAt = entry.confirmedAt { notes.append((confirmedAt.wallMilliseconds, FHIRText.confirmed)) }
        if let retractedAt = entry.retractedAt {
            let reason = entry.retractionReason
            notes.append((retractedAt.wallMilliseconds, FHIRText.takenBack + (reason.isEmpty ? "" : ": \(reason)")))
        }
        if let corrected = keys.corrected(by: recorded), let reason = entry.correction?.reason {
            notes.append((nil, "\(FHIRText.replaces)\(corrected)" + (reason.isEmpty ? "" : ": \(reason)")))
        }
        return notes
    }

    /// Writes the reference to the patient.
    func writeSubject(_ json: inout JSONWriter) {
        json.key("subject")
        json.beginObject()
        if let patient { json.member("reference", patient) } else { json.member("display", "Unassigned bed") }
        json.endObject()
    }

    /// An Observation without a device, with the note "Manual entry".
    ///
    /// Sources: <https://hl7.org/fhir/R4/bp.html>, <https://hl7.org/fhir/R4/observation-definitions.html>. Notes have
    /// the code 48767-8 (annotation comment), as IHE uses it.
    private func observation(
        _ recorded: RecordedEntry, _ field: EntryField? = nil, number: Int64 = 0
    ) -> [UInt8] {
        let entry = recorded.entry
        var json = begin("Observation", recorded, number: number)
        let form = EntryForm(entry: entry, field: field)
        if isSimulated {
            json.simulatedMeta(profile: form.profile)
        } else if let profile = form.profile {
            json.key("meta")
            json.beginObject()
            json.profile(profile)
            json.endObject()
        }
        writeIdentifiers(of: recorded, number: number, &json)
        json.member(
            "status",
            entry.isRetracted
                ? "entered-in-error"
                : entry.isUnconfirmed ? "preliminary" : entry.correction == nil ? "final" : "corrected")
        if let category = form.category { json.category(category.rawValue, category.display) }
        json.code(form.codings, form.codeText)
        writeSubject(&json)
        json.time("effectiveDateTime", of: entry)
        json.time("issued", recorded.enteredWallMilliseconds)
        if entry.source == .typed { json.list("performer") { $0.member("display", FHIRText.source(of: entry)) } }
        form.writeValue(&json)
        writeNotes(of: recorded, form.note, &json)
        if let site = entry.site {
            json.key("bodySite")
            json.beginObject()
            json.member("text", site.text)
            json.endObject()
        }
        if entry.source != .typed {
            json.key("device")
            json.beginObject()
            json.member("display", entry.sensor.name.isEmpty ? entry.sensor.address : entry.sensor.name)
            json.endObject()
        }
        form.writeComponents(&json)
        end("Observation", recorded, number: number, &json)
        return json.bytes
    }
}

/// The FHIR form of an entry: profile, category, codes and values.
private struct EntryForm {
    let entry: RecordEntry
    /// Which of several values it is about; `nil` for an entry that is one Observation.
    let field: EntryField?

    private var traits: RecordEntry.Kind.Traits? { entry.kind?.traits }

    /// The meaning of the code, if it has no coding.
    var codeText: String? {
        switch entry.content {
        case .symptom(let rating): rating.symptom.text + FHIRText.severity
        case .calibration: FHIRText.calibration
        default: nil
        }
    }

    /// The origin of the value, if it needs an explanation.
    var note: String? {
        if case .calibration = entry.content { return entry.words }
        guard case .lab(let result) = entry.content, field?.code == LabAnalyte.neutrophilCount.code else { return nil }
        return result.neutrophilExplanation
    }

    /// A measurement without a value fits a profile only if that demands no components.
    var profile: String? { entry.absence == nil || entry.kind?.vital != nil ? traits?.profile : nil }

    var category: RecordEntry.Kind.Category? { traits?.category }

    var codings: [EntryField.Code] {
        switch entry.content {
        // A meter says that its drop came from a finger; of what was typed it is unknown how it was measured.
        case .vital(.glucose, _, .finger) where entry.source != .typed:
            [.init("41653-7", "Glucose [Mass/volume] in Capillary blood by Glucometer")]
        case .symptom(let rating) where rating.symptom == .pain:
            [.init("72514-3", "Pain severity - 0-10 verbal numeric rating [Score] - Reported")]
        default: (field?.code ?? traits?.code).map { [$0] } ?? []
        }
    }

    func writeValue(_ json: inout JSONWriter) {
        if let reason = entry.absence { return json.absence(reason) }
        let content = entry.content
        let fields = content.fields
        guard traits?.resource != .components,
            let field = field ?? fields.first(where: { $0.role == .value })
                ?? fields.first(where: { $0.role == .words })
        else { return }
        switch field.value(content) {
        case .text(let words): json.member("valueString", words)
        case .number(let number):
            if let unit = field.unit, let value = field.hundredths(content) {
                json.quantity(value, unit)
            } else {
                json.key("valueInteger")
                json.integer(number)
            }
        case .flag, nil: break
        }
    }

    func writeComponents(_ json: inout JSONWriter) {
        guard traits?.resource == .components, entry.absence == nil else { return }
        json.key("component")
        json.beginArray()
        for field in entry.content.fields {
            guard let code = field.code, let unit = field.unit, let value = field.hundredths(entry.content) else {
                continue
            }
            json.beginObject()
            json.code([code], nil)
            json.quantity(value, unit)
            json.endObject()
        }
        json.endArray()
    }
}

extension RecordEntry.Kind.Category {
    fileprivate var display: String {
        switch self {
        case .vitalSigns: "Vital Signs"
        case .laboratory: "Laboratory"
        case .survey: "Survey"
        }
    }
}

/// The texts in resources by which an import recognises Bedside's own exports.
enum FHIRText {
    /// The system of identifiers that are URIs.
    static let identifierSystem = "urn:ietf:rfc:3986"

    /// The source of an entry.
    static func source(of entry: RecordEntry) -> String {
        entry.source != .typed ? handedOver : entry.origin == nil ? typed : importedEntry
    }

    /// What is known of a measurement beside its value, in sentences.
    static func notes(on facts: EntryFacts) -> [String] {
        let deviceTime = facts.deviceTime.map { "\(deviceClock)\($0.text)" }
        return [
            facts.confirmation == .awaited ? unconfirmed : nil, facts.isTimeKnown ? nil : unknownTime,
            facts.quality.note, facts.remark.map { noticed + $0 },
            facts.userText.map { person + $0 }, deviceTime, facts.sequence.map { "\(number)\($0)" },
        ].compactMap(\.self)
    }

    /// The facts that such sentences say.
    static func facts(in sentences: [String]) -> EntryFacts {
        func rest(_ beginning: String) -> String? {
            sentences.first { $0.hasPrefix(beginning) }.map { String($0.dropFirst(beginning.count)) }
        }
        let qualities: [Reading.Quality] = [.questionable, .malfunction, .calibrationWanted, .rawEstimate, .calibrated]
        let user = rest(person).flatMap { text in
            EntryFacts.users.first { EntryFacts(user: $0).userText == text }
        }
        return EntryFacts(
            deviceTime: rest(deviceClock).flatMap { DeviceTime($0) }, sequence: rest(number).flatMap { Int($0) },
            isTimeKnown: !sentences.contains(unknownTime),
            quality: qualities.first { $0.note.map(sentences.contains) == true } ?? .good, remark: rest(noticed),
            user: user)
    }

    /// The identifier of the item with the facts of a form.
    static let factsItem = "facts"
    /// The identifier of the item that says when a form was entered.
    static let enteredItem = "entered"
    static let person = "Of the device's "
    static let deviceClock = "By the device's clock: "
    static let number = "The device's number: "
    static let calibration = "Calibration of a glucose sensor"
    static let handedOver = "Handed over by a sensor"
    static let noticed = "The sensor noticed: "
    static let unknownTime = "It is unknown when it was measured."
    static let typed = "Manual entry"
    static let unconfirmed = "Nobody has confirmed it."
    static let confirmed = "confirmed"
    static let importedEntry = "Imported entry"
    static let imported = "Imported from "
    static let takenBack = "taken back"
    static let replaces = "replaces urn:uuid:"
    static let severity = ", severity 0-10"
    static let antipyretic = "antipyretic"
}

extension JSONWriter {
    /// Writes the time of measurement as an element, or in its place the reason why it is unknown.
    mutating func time(_ key: String, of entry: RecordEntry) {
        if entry.facts.isTimeKnown { return time(key, entry.taken.wallMilliseconds) }
        self.key("_\(key)")
        beginObject()
        list("extension") { json in
            json.member("url", "http://hl7.org/fhir/StructureDefinition/data-absent-reason")
            json.member("valueCode", "unknown")
        }
        endObject()
    }
}

extension JSONWriter {
    fileprivate mutating func code(_ codings: [EntryField.Code], _ text: String?) {
        key("code")
        beginObject()
        if !codings.isEmpty {
            key("coding")
            beginArray()
            for coding in codings {
                beginObject()
                member("system", "http://loinc.org")
                member("code", coding.code)
                member("display", coding.display)
                endObject()
            }
            endArray()
        }
        if let text { member("text", text) }
        endObject()
    }

    fileprivate mutating func quantity(_ value: VitalValue, _ unit: String) {
        key("valueQuantity")
        beginObject()
        key("value")
        hundredths(value.hundredths)
        member("unit", printedUnit(unit))
        member("system", "http://unitsofmeasure.org")
        member("code", unit)
        endObject()
    }

    mutating func time(_ key: String, _ wallMilliseconds: Int64) {
        self.key(key)
        verbatimString { bytes in
            var time = TimestampText()
            time.append(wallMilliseconds, to: &bytes)
        }
    }
}
