import Monitoring
import Vitals

extension WardDecoder {
    /// An entry of the record, as `bedside watch --json` prints it.
    ///
    /// Impossible values are not refused, because a user has entered them and sees them at the bed.
    ///
    /// - Parameters:
    ///   - fields: The object.
    ///   - monotonic: When it was entered, by the bed's monotonic clock, in nanoseconds; 0 if that has no meaning.
    static func entry(_ fields: WardFields, enteredAt monotonic: Int64) throws(WardMessageError) -> RecordEntry {
        let enteredAt = Moment(monotonicNanoseconds: monotonic, wallMilliseconds: try fields.time("entered"))
        let taken = enteredAt.advanced(by: .milliseconds(try fields.time("t") - enteredAt.wallMilliseconds))
        var entry = RecordEntry(
            try content(fields, taken: taken), from: try source(fields), try facts(fields, monotonic), taken: taken,
            enteredAt: enteredAt)
        if let retracted = try fields.timeIfPresent("retracted") {
            entry.retract(at: Moment(monotonicNanoseconds: monotonic, wallMilliseconds: retracted))
        }
        if let corrected = try fields.timeIfPresent("corrects") {
            let clock = try fields.integer("corrects_monotonic_ns", in: -(1 << 62)...(1 << 62)) ?? 0
            entry.correction = .init(of: Moment(monotonicNanoseconds: clock, wallMilliseconds: corrected))
        }
        if let key = try fields.text("import_key", limit: ImportOrigin.keyLimit) {
            entry.origin = ImportOrigin(key: key, source: "", enteredAt: try fields.timeIfPresent("entered_there"))
        }
        return entry
    }

    private static func source(_ fields: WardFields) throws(WardMessageError) -> RecordEntry.Source {
        if try fields.flag("manual") { return .typed }
        guard let sensor = try fields.object("sensor") else { throw WardMessageError("sensor is missing") }
        return .sensor(try identity(sensor))
    }

    private static func facts(_ fields: WardFields, _ monotonic: Int64) throws(WardMessageError) -> EntryFacts {
        let confirmed = try fields.timeIfPresent("confirmed").map {
            EntryFacts.Confirmation.given(Moment(monotonicNanoseconds: monotonic, wallMilliseconds: $0))
        }
        return EntryFacts(
            deviceTime: try deviceTime(fields),
            sequence: try fields.integer("sequence", in: WardBounds.counts).map(Int.init),
            isTimeKnown: try !fields.flag("time_unknown"),
            quality: try fields.text("quality", limit: 32) == nil ? .good : quality(fields),
            remark: try fields.text("remark", limit: EntryFacts.remarkLimit),
            user: try fields.integer("user", in: WardBounds.users).map(Int.init),
            confirmation: try fields.flag(EntryFacts.unconfirmed) ? .awaited : confirmed)
    }

    private static func content(
        _ fields: WardFields, taken: Moment
    ) throws(WardMessageError) -> RecordEntry.Content {
        let kind = try kind(of: fields)
        // A reason that is unknown here is an unusable value.
        if let reason = try fields.text("reason", limit: 32) {
            return .noMeasurement(kind, AbsenceReason(rawValue: reason) ?? .unusable)
        }
        var values = EntryField.Values(taken: taken.wallMilliseconds)
        if let list = kind.traits.list {
            for element in try fields.objects(list, atMost: kind.fields.count) {
                let name = try element.text("analyte", limit: 32)
                // One of a newer version is left out.
                guard let field = kind.fields.first(where: { $0.name == name && !$0.isDerived }) else { continue }
                values[field.name] = try element.required("value", element.entryValue("value", field))
            }
        } else {
            // The names of people do not leave the bed.
            for field in kind.fields where !field.isDerived && field.role != .person {
                let value = try fields.entryValue(field.name, field)
                values[field.name] = field.isRequired ? try fields.required(field.name, value) : value
            }
        }
        return try fields.required(kind.rawValue, kind.content(values))
    }

    /// The kind that a line is about; notes stay at the bed.
    private static func kind(of fields: WardFields) throws(WardMessageError) -> RecordEntry.Kind {
        let event = try fields.required("event", fields.text("event", limit: 32))
        let vital = try fields.word("vital", Vital.self)
        let kind = RecordEntry.Kind.allCases.first {
            $0.traits.event == event && $0.vital == vital && $0.traits.group != .notes
        }
        guard let kind else { throw WardMessageError("it is no entry that leaves a bed") }
        return kind
    }
}

extension WardFields {
    /// The value of an entry's field; `nil` where it is missing.
    fileprivate func entryValue(_ key: String, _ field: EntryField) throws(WardMessageError) -> EntryField.Value? {
        switch field.form {
        case .hundredths: try parts(key, of: 100).map { .number($0) }
        case .thousandths: try parts(key, of: 1000).map { .number($0) }
        // Ten times what is possible here, because another version may have other ranges.
        case .whole(let range): try integer(key, in: 0...Int64(range.upperBound) * 10).map { .number(Int($0)) }
        case .word(let words):
            if let word = try text(key, limit: 32) {
                // A site of a newer version is unknown here; a word that gives others their meaning must be known.
                words.contains(word) || field.isRequired || field.role == .unit
                    ? .text(try oneOf(words, key, word)) : nil
            } else {
                nil
            }
        case .text(let limit): try text(key, limit: limit).map { .text($0) }
        case .flag: .flag(try flag(key))
        }
    }

    private func oneOf(_ words: [String], _ key: String, _ word: String) throws(WardMessageError) -> String {
        guard words.contains(word) else { throw WardMessageError("\(key) is not one of the known words") }
        return word
    }
}
