import JSON
import Monitoring
import Vitals

extension FHIREncoder {
    /// An alarm that entered a state, as an Observation.
    ///
    /// R4 has no resource for alarms; codes and components are those of IHE's alarm messages (``AlarmEventCodes``).
    ///
    /// - Parameter number: The entry's number in the log.
    func alarm(_ entry: AlarmLogEntry, _ change: AlarmLogEntry.Change, number: Int64) -> [UInt8] {
        let identity = FHIRIdentifier.text(of: entry, number: number)
        let episode = FHIRIdentifier.text(ofEpisode: change, run: entry.run)
        var json = JSONWriter()
        json.beginObject()
        json.member("fullUrl", "urn:uuid:\(identity)")
        json.key("resource")
        json.beginObject()
        json.member("resourceType", "Observation")
        if isSimulated { json.simulatedMeta(profile: nil) }
        json.key("identifier")
        json.beginArray()
        // All changes of an episode share the second one.
        for value in [identity, episode] {
            json.beginObject()
            json.member("system", FHIRText.identifierSystem)
            json.member("value", "urn:uuid:\(value)")
            json.endObject()
        }
        json.endArray()
        json.member("status", "final")
        json.deviceCode(AlarmEventCodes.event.code, AlarmEventCodes.event.name, text: change.title)
        writeSubject(&json)
        json.time("effectiveDateTime", entry.moment.wallMilliseconds)
        json.member("valueString", change.text)
        if let sensor = change.sensor {
            json.key("device")
            json.beginObject()
            json.member("reference", "urn:uuid:\(FHIRIdentifier.text(of: sensor))")
            json.endObject()
        }
        json.key("component")
        json.beginArray()
        for attribute in AlarmEventCodes(change).attributes {
            json.beginObject()
            json.deviceCode(attribute.code, attribute.name, text: nil)
            json.member("valueString", attribute.value)
            json.endObject()
        }
        writeValue(of: change, &json)
        json.endArray()
        json.endObject()
        if isTransaction { json.request("Observation", FHIRText.identifierSystem, "urn:uuid:\(identity)") }
        json.endObject()
        return json.bytes
    }

    /// Writes the value that raised the alarm, with the limit that it crossed, as a component.
    private func writeValue(of change: AlarmLogEntry.Change, _ json: inout JSONWriter) {
        guard let vital = change.vital, let value = change.value else { return }
        json.beginObject()
        json.key("code")
        json.beginObject()
        json.codings(vital.codings)
        json.endObject()
        json.quantity("valueQuantity", value, vital)
        if let limit = change.limit {
            json.list("referenceRange") { json in
                json.quantity(change.kind?.isWorseWhenLower == true ? "low" : "high", limit, vital)
            }
        }
        json.endObject()
    }
}

extension JSONWriter {
    /// Writes a code of ISO/IEEE 11073-10101.
    fileprivate mutating func deviceCode(_ code: String, _ name: String, text: String?) {
        key("code")
        beginObject()
        codings([Vital.Coding(system: "urn:iso:std:iso:11073:10101", code: code, display: name)])
        if let text { member("text", text) }
        endObject()
    }

    /// Writes the category of an Observation.
    mutating func category(_ code: String, _ display: String) {
        list("category") { json in
            let system = "http://terminology.hl7.org/CodeSystem/observation-category"
            json.codings([Vital.Coding(system: system, code: code, display: display)])
        }
    }

    /// Writes codings.
    mutating func codings(_ codings: [Vital.Coding]) {
        key("coding")
        beginArray()
        for coding in codings {
            beginObject()
            member("system", coding.system)
            member("code", coding.code)
            if let display = coding.display { member("display", display) }
            endObject()
        }
        endArray()
    }

    /// Writes a value of a vital.
    fileprivate mutating func quantity(_ key: String, _ value: VitalValue, _ vital: Vital) {
        self.key(key)
        verbatimNumber { bytes in
            bytes += "{\"value\":".utf8
            CSVField.append(value, to: &bytes)
            bytes += vital.quantityEnd.utf8
        }
    }
}
