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
        let (content, kind) = (entry.content, entry.kind)
        begin(kind?.traits.event ?? "reading", entry.taken, entry.sensor)
        if entry.source == .typed { flag("manual", true) }
        text("vital", content.vital?.rawValue)
        if entry.isRetracted {
            text("state", "entered_in_error")
        } else {
            text("state", entry.absence == nil ? kind.map(\.traits.state) ?? "measured" : "no_measurement")
        }
        if let reason = entry.absence {
            text("unit", content.vital?.unit)
            text("reason", reason.rawValue)
            if entry.facts.quality.isQuestionable { write(entry.facts.quality) }
        } else {
            write(content, entry.facts.quality)
        }
        write(entry.facts)
        if entry.facts.confirmation == .awaited { flag(EntryFacts.unconfirmed, true) }
        wallTime("entered", entry.enteredAt)
        if let confirmedAt = entry.confirmedAt { wallTime("confirmed", confirmedAt) }
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

    /// Writes the fields of a content, and the quality behind the value of a vital, which always has one.
    private mutating func write(_ content: RecordEntry.Content, _ quality: Reading.Quality) {
        let fields = content.fields
        let list = content.kind?.traits.list
        if let list {
            json.key(list)
            json.beginArray()
            for field in fields where !field.isDerived {
                guard let value = field.value(content) else { continue }
                json.beginObject()
                text("analyte", field.name)
                write(value, as: "value", field.form)
                text("unit", field.unit)
                json.endObject()
            }
            json.endArray()
        }
        // Numbers in the same unit have it behind the last of them.
        let unit = list == nil ? fields.lazy.compactMap(\.unit).first : nil
        let last = fields.lastIndex { $0.unit == unit }
        for (place, field) in fields.enumerated() where list == nil || field.isDerived {
            if let value = field.value(content) { write(value, as: field.name, field.form) }
            guard let unit, place == last else { continue }
            text("unit", unit)
            if content.vital != nil { write(quality) }
        }
        if content.vital == nil, quality.isQuestionable { write(quality) }
    }

    private mutating func write(_ value: EntryField.Value, as name: String, _ form: EntryField.Form) {
        switch value {
        case .number(let number):
            json.key(name)
            switch form {
            case .hundredths: json.hundredths(number)
            case .thousandths: json.thousandths(number)
            case .whole, .word, .text, .flag: json.integer(number)
            }
        case .text(let words): text(name, words)
        case .flag(let isTrue): flag(name, isTrue)
        }
    }

    private mutating func write(_ facts: EntryFacts) {
        text("device_time", facts.deviceTime?.text)
        number("sequence", facts.sequence)
        if !facts.isTimeKnown { flag("time_unknown", true) }
        text("remark", facts.remark)
        number("user", facts.user)
    }

    private mutating func write(_ quality: Reading.Quality) {
        text("quality", quality.word)
        text("equipment", quality.equipmentWord)
        text("doubt", quality.doubtWord)
    }
}
