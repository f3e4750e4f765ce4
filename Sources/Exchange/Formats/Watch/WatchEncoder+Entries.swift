import Monitoring
import Vitals

extension WatchEncoder {
    /// Writes the line of an entry of the patient's record, or of its retraction.
    ///
    /// Values of vitals are lines `reading` like those of streaming sensors; other entries have their own event. Typed
    /// entries have `"manual":true`; transferred ones have the sensor's time and number. The state of a retracted entry
    /// is `entered_in_error` instead of `measured`.
    mutating func write(_ entry: RecordEntry) {
        begin(entry)
        end()
    }

    /// Writes the line of a stored entry.
    public mutating func write(_ recorded: RecordedEntry) {
        begin(recorded.entry)
        json.key("run")
        json.integer(recorded.run)
        json.key("monotonic_ns")
        json.integer(recorded.entry.taken.monotonicNanoseconds)
        end()
    }

    /// Writes the object of an entry, without its end.
    package mutating func begin(_ entry: RecordEntry) {
        let state = entry.isRetracted ? "entered_in_error" : entry.absence == nil ? "measured" : "no_measurement"
        func begin(_ event: String) {
            self.begin(event, entry.taken, entry.sensor)
            if entry.source == .typed { flag("manual", true) }
        }
        switch entry.content {
        case .vital(let vital, let value, let site):
            begin("reading")
            text("vital", vital.rawValue)
            text("state", state)
            json.key("value")
            json.hundredths(value.hundredths)
            text("unit", vital.unit)
            quality(of: entry)
            text("site", site?.rawValue)
        case .bloodPressure(let pressure):
            begin("blood_pressure")
            text("state", state)
            number("systolic", pressure.systolic)
            number("diastolic", pressure.diastolic)
            number("mean", pressure.mean)
            text("unit", "mm[Hg]")
            number("pulse_rate", pressure.pulse)
            if entry.facts.quality.isQuestionable { quality(of: entry) }
        case .neutrophils(let count):
            begin("neutrophils")
            text("state", state)
            number("value", count.perMicrolitre)
            text("unit", "/uL")
        case .weight(let weight):
            begin("weight")
            text("state", state)
            json.key("value")
            json.hundredths(weight.hundredths)
            text("unit", "kg")
            if entry.facts.quality.isQuestionable { quality(of: entry) }
        case .lab(let result):
            begin("lab")
            text("state", state)
            json.key("values")
            json.beginArray()
            for value in result.values {
                json.beginObject()
                text("analyte", value.analyte.rawValue)
                json.key("value")
                json.hundredths(value.value.hundredths)
                text("unit", value.analyte.unit)
                json.endObject()
            }
            json.endArray()
            number("neutrophils_per_ul", result.neutrophilsPerMicrolitre)
            text("neutrophils_source", result.neutrophilExplanation)
        case .medication(let medication):
            begin("medication")
            text("state", entry.isRetracted ? state : "given")
            text("name", medication.name)
            if let dose = medication.dose {
                json.key("dose")
                json.thousandths(dose.thousandths)
                text("unit", dose.unit.rawValue)
            }
            flag("antipyretic", medication.isAntipyretic)
        case .symptom(let rating):
            begin("symptom")
            text("state", state)
            text("symptom", rating.symptom.text)
            number("severity", rating.severity)
            text("grade", rating.grade.rawValue)
        case .mascc(let index):
            begin("mascc")
            text("state", state)
            number("score", index.score)
            flag("high_risk", index.isHighRisk)
            for item in MASCCIndex.Item.allCases { text(item.rawValue, index.answer(to: item)) }
            text("by", index.assessedBy.isEmpty ? nil : index.assessedBy)
        case .noMeasurement(let kind, let reason):
            begin(kind.vital == nil ? kind.rawValue : "reading")
            text("vital", kind.vital?.rawValue)
            text("state", state)
            text("unit", kind.vital?.unit)
            text("reason", reason.rawValue)
        case .note(let words):
            begin("note")
            if entry.isRetracted { text("state", state) }
            text("text", words)
        }
        write(entry.facts)
        wallTime("entered", entry.enteredAt)
        if let origin = entry.origin {
            text("imported_from", origin.source)
            text("import_key", origin.key)
            if let enteredAt = origin.enteredAt {
                wallTime("entered_there", Moment(monotonicNanoseconds: 0, wallMilliseconds: enteredAt))
            }
        }
        if let retractedAt = entry.retractedAt { wallTime("retracted", retractedAt) }
        if !entry.retractionReason.isEmpty { text("retraction_reason", entry.retractionReason) }
        if let correction = entry.correction {
            wallTime("corrects", correction.corrected)
            if !correction.reason.isEmpty { text("correction_reason", correction.reason) }
        }
    }

    private mutating func write(_ facts: EntryFacts) {
        text("device_time", facts.deviceTime.map(WatchText.text(of:)))
        number("sequence", facts.sequence)
        if !facts.isTimeKnown { flag("time_unknown", true) }
        text("remark", facts.remark)
        number("user", facts.user)
    }

    private mutating func quality(of entry: RecordEntry) {
        text("quality", entry.facts.quality.word)
        text("equipment", entry.facts.quality.equipmentWord)
        text("doubt", entry.facts.quality.doubtWord)
    }
}
