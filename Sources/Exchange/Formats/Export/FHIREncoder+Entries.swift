import JSON
import Monitoring
import Vitals

extension FHIREncoder {
    /// The entries of the Bundle for an entry of the record, usually one.
    ///
    /// A blood count has an Observation for each of its values.
    func resources(of recorded: RecordedEntry) -> [[UInt8]] {
        switch recorded.entry.content {
        case .medication(let medication): return [administration(of: medication, recorded)]
        case .mascc(let index): return [response(index, recorded)]
        case .lab(let result):
            let computed: [LabAnalyte?] =
                if case .computed = result.neutrophilSource { [.neutrophilCount] } else { [] }
            return (result.values.map(\.analyte) + computed).enumerated().map { number, analyte in
                observation(recorded, analyte, number: Int64(number))
            }
        case .vital, .bloodPressure, .neutrophils, .weight, .symptom, .note, .noMeasurement:
            return [observation(recorded)]
        }
    }

    /// Begins an entry of the Bundle and its resource; `number` distinguishes those of one entry of the record.
    func begin(_ type: String, _ recorded: RecordedEntry, number: Int64 = 0) -> JSONWriter {
        var json = JSONWriter()
        json.beginObject()
        let key = recorded.key
        let identifier =
            number > 0
            ? FHIRIdentifier.text(Array("\(key)#\(number)".utf8))
            : FHIRIdentifier.isIdentifier(key) ? key : FHIRIdentifier.text(Array(key.utf8))
        json.member("fullUrl", "urn:uuid:\(identifier)")
        json.key("resource")
        json.beginObject()
        json.member("resourceType", type)
        return json
    }

    /// Writes the identifier of the entry of the record, which all values of a blood count share.
    func writeIdentifier(of recorded: RecordedEntry, _ json: inout JSONWriter) {
        if FHIRIdentifier.isIdentifier(recorded.key) {
            json.member("system", "urn:ietf:rfc:3986")
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
        if !entry.facts.isTimeKnown { notes.append((nil, FHIRText.unknownTime)) }
        if let note = entry.facts.quality.note { notes.append((nil, note)) }
        if let remark = entry.facts.remark { notes.append((nil, FHIRText.noticed + remark)) }
        if let origin = entry.origin {
            notes.append((entry.enteredAt.wallMilliseconds, "\(FHIRText.imported)\(origin.source)"))
        }
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
        _ recorded: RecordedEntry, _ analyte: LabAnalyte? = nil, number: Int64 = 0
    ) -> [UInt8] {
        let entry = recorded.entry
        var json = begin("Observation", recorded, number: number)
        let form = ManualForm(entry, analyte)
        if isSimulated {
            json.simulatedMeta(profile: form.profile)
        } else if let profile = form.profile {
            json.key("meta")
            json.beginObject()
            json.profile(profile)
            json.endObject()
        }
        json.list("identifier") { writeIdentifier(of: recorded, &$0) }
        json.member(
            "status", entry.isRetracted ? "entered-in-error" : entry.correction == nil ? "final" : "corrected")
        if let category = form.category {
            json.list("category") { json in
                json.list("coding") { json in
                    json.member("system", "http://terminology.hl7.org/CodeSystem/observation-category")
                    json.member("code", category.code)
                    json.member("display", category.display)
                }
            }
        }
        json.code(form.codings, form.codeText)
        writeSubject(&json)
        if entry.facts.isTimeKnown {
            json.time("effectiveDateTime", entry.taken.wallMilliseconds)
        } else {
            json.unknownTime("_effectiveDateTime")
        }
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
        json.endObject()
        json.endObject()
        return json.bytes
    }
}

/// The FHIR form of an entry: profile, category, codes and values.
private struct ManualForm {
    typealias Coding = (code: String, display: String)

    let entry: RecordEntry
    /// The analyte of the value of a blood count.
    let analyte: LabAnalyte?

    init(_ entry: RecordEntry, _ analyte: LabAnalyte?) {
        self.entry = entry
        self.analyte = analyte
    }

    /// The meaning of the code, if it has no coding.
    var codeText: String? {
        if case .symptom(let rating) = entry.content { rating.symptom.text + FHIRText.severity } else { nil }
    }

    /// The origin of the value, if it needs an explanation.
    var note: String? {
        if case .lab(let result) = entry.content, analyte == .neutrophilCount {
            result.neutrophilExplanation
        } else {
            nil
        }
    }

    var profile: String? {
        switch entry.content {
        case .noMeasurement(let kind, _): kind.vital == .glucose ? nil : kind.vital?.traits.profile
        case .vital(.glucose, _, _): nil
        case .vital(let vital, _, _): vital.traits.profile
        case .bloodPressure: "bp"
        case .weight: "bodyweight"
        case .neutrophils, .lab, .medication, .symptom, .mascc, .note: nil
        }
    }

    var category: (code: String, display: String)? {
        switch entry.content {
        case .vital(.glucose, _, _), .noMeasurement(.glucose, _): ("laboratory", "Laboratory")
        case .vital, .bloodPressure, .weight, .noMeasurement: ("vital-signs", "Vital Signs")
        case .neutrophils, .lab: ("laboratory", "Laboratory")
        case .symptom, .mascc: ("survey", "Survey")
        case .medication, .note: nil
        }
    }

    var codings: [Coding] {
        switch entry.content {
        case .noMeasurement(let kind, _): kind.codings
        case .vital(.heartRate, _, _): [("8867-4", "Heart rate")]
        // It is unknown whether a pulse oximeter or a laboratory measured it.
        case .vital(.oxygenSaturation, _, _): [("2708-6", "Oxygen saturation in Arterial blood")]
        // A meter reports that its drop came from a finger; the method of a typed value is unknown.
        case .vital(.glucose, _, .finger) where entry.source != .typed:
            [("41653-7", "Glucose [Mass/volume] in Capillary blood by Glucometer")]
        case .vital(.glucose, _, _): [("2339-0", "Glucose [Mass/volume] in Blood")]
        case .vital: [("8310-5", "Body temperature")]
        case .bloodPressure: [("85354-9", "Blood pressure panel with all children optional")]
        case .weight: [("29463-7", "Body weight")]
        case .neutrophils: [("26499-4", "Neutrophils [#/volume] in Blood")]
        case .lab: analyte.map { [$0.coding] } ?? []
        case .symptom(let rating) where rating.symptom == .pain:
            [("72514-3", "Pain severity - 0-10 verbal numeric rating [Score] - Reported")]
        case .symptom, .medication, .mascc: []
        case .note: [("48767-8", "Annotation comment [Interpretation] Narrative")]
        }
    }

    func writeValue(_ json: inout JSONWriter) {
        switch entry.content {
        case .vital(let vital, let value, _): json.quantity(value, vital.unit, vital.unitText)
        case .bloodPressure: break
        case .neutrophils(let count): json.quantity(VitalValue(whole: count.perMicrolitre), "/uL", "/µL")
        case .weight(let weight): json.quantity(weight, "kg", "kg")
        case .lab(let result):
            guard let analyte else { break }
            let computed = result.neutrophilsPerMicrolitre.map { VitalValue(whole: $0) }
            guard let value = result[analyte] ?? (analyte == .neutrophilCount ? computed : nil) else { break }
            json.quantity(value, analyte.unit, analyte.unit == "/uL" ? "/µL" : analyte.unit)
        case .symptom(let rating):
            json.key("valueInteger")
            json.integer(rating.severity)
        case .noMeasurement(_, let reason): json.absence(reason)
        case .medication, .mascc: break
        case .note(let text): json.member("valueString", text)
        }
    }

    func writeComponents(_ json: inout JSONWriter) {
        guard case .bloodPressure(let pressure) = entry.content else { return }
        let parts: [(Coding, Int?)] = [
            (("8480-6", "Systolic blood pressure"), pressure.systolic),
            (("8462-4", "Diastolic blood pressure"), pressure.diastolic),
            (("8478-0", "Mean blood pressure"), pressure.mean),
        ]
        json.key("component")
        json.beginArray()
        for (coding, number) in parts {
            guard let number else { continue }
            component(coding, VitalValue(whole: number), "mm[Hg]", "mmHg", &json)
        }
        if let pulse = pressure.pulse {
            component(("8867-4", "Heart rate"), VitalValue(whole: pulse), "/min", "/min", &json)
        }
        json.endArray()
    }

    private func component(
        _ coding: Coding, _ value: VitalValue, _ unit: String, _ words: String, _ json: inout JSONWriter
    ) {
        json.beginObject()
        json.code([coding], nil)
        json.quantity(value, unit, words)
        json.endObject()
    }
}

/// The texts in resources by which an import recognises Bedside's own exports.
enum FHIRText {
    /// The source of an entry.
    static func source(of entry: RecordEntry) -> String {
        entry.source != .typed ? handedOver : entry.origin == nil ? typed : importedEntry
    }

    static let handedOver = "Handed over by a sensor"
    static let noticed = "The sensor noticed: "
    static let unknownTime = "It is unknown when it was measured."
    static let typed = "Manual entry"
    static let importedEntry = "Imported entry"
    static let imported = "Imported from "
    static let takenBack = "taken back"
    static let replaces = "replaces urn:uuid:"
    static let severity = ", severity 0-10"
    static let antipyretic = "antipyretic"
}

extension JSONWriter {
    /// Writes that a time is unknown, instead of its element.
    fileprivate mutating func unknownTime(_ key: String) {
        self.key(key)
        beginObject()
        list("extension") { json in
            json.member("url", "http://hl7.org/fhir/StructureDefinition/data-absent-reason")
            json.member("valueCode", "unknown")
        }
        endObject()
    }
}

extension RecordEntry.Kind {
    /// The codes of a measurement without a value.
    fileprivate var codings: [ManualForm.Coding] {
        switch self {
        case .heartRate: [("8867-4", "Heart rate")]
        case .oxygenSaturation: [("2708-6", "Oxygen saturation in Arterial blood")]
        case .bodyTemperature: [("8310-5", "Body temperature")]
        case .bloodPressure: [("85354-9", "Blood pressure panel with all children optional")]
        case .weight: [("29463-7", "Body weight")]
        case .glucose: [("2339-0", "Glucose [Mass/volume] in Blood")]
        case .neutrophils, .lab, .medication, .symptom, .mascc, .note: []
        }
    }
}

extension LabAnalyte {
    /// Its LOINC code.
    fileprivate var coding: ManualForm.Coding {
        switch self {
        case .whiteCells: ("26464-8", "Leukocytes [#/volume] in Blood")
        case .haemoglobin: ("718-7", "Hemoglobin [Mass/volume] in Blood")
        case .platelets: ("26515-7", "Platelets [#/volume] in Blood")
        case .neutrophils: ("26511-6", "Neutrophils/100 leukocytes in Blood")
        case .lymphocytes: ("26478-8", "Lymphocytes/100 leukocytes in Blood")
        case .monocytes: ("26485-3", "Monocytes/100 leukocytes in Blood")
        case .eosinophils: ("26450-7", "Eosinophils/100 leukocytes in Blood")
        case .basophils: ("30180-4", "Basophils/100 leukocytes in Blood")
        case .blasts: ("26446-5", "Blasts/100 leukocytes in Blood")
        case .neutrophilCount: ("26499-4", "Neutrophils [#/volume] in Blood")
        }
    }
}

extension JSONWriter {
    fileprivate mutating func code(_ codings: [ManualForm.Coding], _ text: String?) {
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

    fileprivate mutating func quantity(_ value: VitalValue, _ unit: String, _ words: String) {
        key("valueQuantity")
        beginObject()
        key("value")
        hundredths(value.hundredths)
        member("unit", words)
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
