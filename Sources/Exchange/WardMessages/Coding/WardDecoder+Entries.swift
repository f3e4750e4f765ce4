import Monitoring
import Vitals

extension WardDecoder {
    private enum EntryWord: String {
        case reading, neutrophils, weight, lab, medication, symptom, mascc
        case bloodPressure = "blood_pressure"
    }

    /// An entry of the record, in the form of `bedside watch --json`.
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
            try content(fields, taken: taken), from: try source(fields), try facts(fields), taken: taken,
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

    private static func facts(_ fields: WardFields) throws(WardMessageError) -> EntryFacts {
        EntryFacts(
            deviceTime: try deviceTime(fields),
            sequence: try fields.integer("sequence", in: WardBounds.counts).map(Int.init),
            isTimeKnown: try !fields.flag("time_unknown"),
            quality: try fields.text("quality", limit: 32) == nil ? .good : quality(fields),
            remark: try fields.text("remark", limit: EntryFacts.remarkLimit),
            user: try fields.integer("user", in: WardBounds.users).map(Int.init))
    }

    private static func content(
        _ fields: WardFields, taken: Moment
    ) throws(WardMessageError) -> RecordEntry.Content {
        func number(_ key: String, in range: ClosedRange<Int64>) throws(WardMessageError) -> Int {
            Int(try fields.requiredInteger(key, in: range))
        }
        let event = try fields.requiredWord("event", EntryWord.self)
        if let reason = try fields.text("reason", limit: 32) { return try absence(of: event, reason, fields) }
        switch event {
        case .reading:
            let vital = try fields.requiredWord("vital", Vital.self)
            guard RecordEntry.Kind(vital) != nil else { throw WardMessageError("\(vital.text) is never entered") }
            return .vital(
                vital, try fields.required("value", fields.value("value")),
                site: BodySite(rawValue: try fields.text("site", limit: 32) ?? ""))
        case .bloodPressure:
            let range = WardBounds.pressures
            return .bloodPressure(
                BloodPressure(
                    systolic: try number("systolic", in: range), diastolic: try number("diastolic", in: range),
                    mean: try fields.integer("mean", in: range).map(Int.init),
                    pulse: try fields.integer("pulse_rate", in: range).map(Int.init)))
        case .neutrophils:
            return .neutrophils(
                NeutrophilCount(
                    perMicrolitre: try number("value", in: WardBounds.bloodCounts), sampledAt: taken.wallMilliseconds))
        case .weight: return .weight(try fields.required("value", fields.value("value")))
        case .lab: return .lab(try lab(fields))
        case .medication: return .medication(try medication(fields))
        case .symptom:
            return .symptom(
                SymptomRating(
                    Symptom(try fields.text("symptom", limit: Symptom.textLimit) ?? ""),
                    severity: try number("severity", in: 0...10)))
        case .mascc: return .mascc(try mascc(fields))
        }
    }

    /// A measurement without a usable value; an unknown reason is read as an unusable value.
    private static func absence(
        of event: EntryWord, _ reason: String, _ fields: WardFields
    ) throws(WardMessageError) -> RecordEntry.Content {
        let kind: RecordEntry.Kind? =
            switch event {
            case .reading: RecordEntry.Kind(try fields.requiredWord("vital", Vital.self))
            default: RecordEntry.Kind(rawValue: event.rawValue)
            }
        guard let kind else { throw WardMessageError("it is never handed over") }
        return .noMeasurement(kind, AbsenceReason(rawValue: reason) ?? .unusable)
    }

    private static func lab(_ fields: WardFields) throws(WardMessageError) -> LabResult {
        var result = LabResult()
        for value in try fields.objects("values", atMost: LabAnalyte.allCases.count) {
            // An analyte of a newer version is left out.
            guard let analyte = LabAnalyte(rawValue: try value.text("analyte", limit: 32) ?? "") else { continue }
            result[analyte] = VitalValue(hundredths: try value.required("value", value.parts("value", of: 100)))
        }
        return result
    }

    private static func medication(_ fields: WardFields) throws(WardMessageError) -> Medication {
        var dose: Medication.Dose?
        if let thousandths = try fields.parts("dose", of: 1000) {
            dose = .init(
                thousandths: thousandths, unit: try fields.requiredWord("unit", Medication.Unit.self))
        }
        return Medication(
            try fields.text("name", limit: Medication.nameLimit) ?? "", dose: dose,
            isAntipyretic: try fields.flag("antipyretic"))
    }

    private static func mascc(_ fields: WardFields) throws(WardMessageError) -> MASCCIndex {
        enum Answer: String { case yes, no }
        func isTrue(_ item: MASCCIndex.Item) throws(WardMessageError) -> Bool {
            try fields.requiredWord(item.rawValue, Answer.self) == .yes
        }
        return MASCCIndex(
            burden: try fields.requiredWord(MASCCIndex.Item.burden.rawValue, MASCCIndex.Burden.self),
            hasHypotension: try isTrue(.hypotension), hasPulmonaryDisease: try isTrue(.copd),
            hasSolidTumourOrNoFungalInfection: try isTrue(.tumour), isDehydrated: try isTrue(.dehydration),
            isOutpatient: try isTrue(.outpatient), isUnder60: try isTrue(.under60))
    }
}
