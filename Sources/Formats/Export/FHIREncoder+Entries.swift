import JSON
import Monitoring
import Vitals

extension FHIREncoder {
    /// An entry of the Bundle for a manual entry: an Observation without a device, with the note "Manual entry".
    ///
    /// Sources: <https://hl7.org/fhir/R4/bp.html>, <https://hl7.org/fhir/R4/observation-definitions.html>. Notes have
    /// the code 48767-8 (annotation comment), as IHE uses it.
    func entry(_ recorded: RecordedEntry) -> [UInt8] {
        let entry = recorded.entry
        var json = JSONWriter()
        json.beginObject()
        var identifier: [UInt8] = []
        FHIRIdentifier.append(
            FHIRIdentifier.mixed([
                entry.enteredAt.wallMilliseconds, entry.enteredAt.monotonicNanoseconds, recorded.run,
            ]), to: &identifier)
        json.member("fullUrl", "urn:uuid:\(String(decoding: identifier, as: UTF8.self))")
        json.key("resource")
        json.beginObject()
        json.member("resourceType", "Observation")
        let form = ManualForm(entry)
        if isSimulated {
            json.simulatedMeta(profile: form.profile)
        } else if let profile = form.profile {
            json.key("meta")
            json.beginObject()
            json.profile(profile)
            json.endObject()
        }
        json.member("status", entry.isRetracted ? "entered-in-error" : "final")
        if let category = form.category {
            json.list("category") { json in
                json.list("coding") { json in
                    json.member("system", "http://terminology.hl7.org/CodeSystem/observation-category")
                    json.member("code", category.code)
                    json.member("display", category.display)
                }
            }
        }
        json.code(form.codings)
        json.key("subject")
        json.beginObject()
        if let patient { json.member("reference", patient) } else { json.member("display", "Unassigned bed") }
        json.endObject()
        json.time("effectiveDateTime", entry.taken)
        json.time("issued", entry.enteredAt)
        json.list("performer") { $0.member("display", "Manual entry") }
        form.writeValue(&json)
        json.list("note") { $0.member("text", "Manual entry") }
        if let site = entry.site {
            json.key("bodySite")
            json.beginObject()
            json.member("text", site.text)
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

    init(_ entry: RecordEntry) { self.entry = entry }

    var profile: String? {
        switch entry.content {
        case .vital(.glucose, _, _): nil
        case .vital(let vital, _, _): vital.profile
        case .bloodPressure: "bp"
        case .weight: "bodyweight"
        case .neutrophils, .note: nil
        }
    }

    var category: (code: String, display: String)? {
        switch entry.content {
        case .vital(.glucose, _, _): ("laboratory", "Laboratory")
        case .vital, .bloodPressure, .weight: ("vital-signs", "Vital Signs")
        case .neutrophils: ("laboratory", "Laboratory")
        case .note: nil
        }
    }

    var codings: [Coding] {
        switch entry.content {
        case .vital(.heartRate, _, _): [("8867-4", "Heart rate")]
        // It is unknown whether a pulse oximeter or a laboratory measured it.
        case .vital(.oxygenSaturation, _, _): [("2708-6", "Oxygen saturation in Arterial blood")]
        // A meter says that its drop came from a finger; of what was typed nobody knows how it was measured.
        case .vital(.glucose, _, .finger) where entry.source != .typed:
            [("41653-7", "Glucose [Mass/volume] in Capillary blood by Glucometer")]
        case .vital(.glucose, _, _): [("2339-0", "Glucose [Mass/volume] in Blood")]
        case .vital: [("8310-5", "Body temperature")]
        case .bloodPressure: [("85354-9", "Blood pressure panel with all children optional")]
        case .weight: [("29463-7", "Body weight")]
        case .neutrophils: [("26499-4", "Neutrophils [#/volume] in Blood")]
        case .note: [("48767-8", "Annotation comment [Interpretation] Narrative")]
        }
    }

    func writeValue(_ json: inout JSONWriter) {
        switch entry.content {
        case .vital(let vital, let value, _): json.quantity(value, vital.unit, vital.unitText)
        case .bloodPressure: break
        case .neutrophils(let count): json.quantity(VitalValue(whole: count.perMicrolitre), "/uL", "/µL")
        case .weight(let weight): json.quantity(weight, "kg", "kg")
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
        json.code([coding])
        json.quantity(value, unit, words)
        json.endObject()
    }
}

extension JSONWriter {
    fileprivate mutating func code(_ codings: [ManualForm.Coding]) {
        key("code")
        beginObject()
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

    fileprivate mutating func time(_ key: String, _ moment: Moment) {
        self.key(key)
        verbatimString { bytes in
            var time = TimestampText()
            time.append(moment.wallMilliseconds, to: &bytes)
        }
    }
}
