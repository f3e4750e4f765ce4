import JSON
import Vitals

/// The column `details` of an entry: a JSON object whose form depends on the kind.
///
/// ```json
/// {"white_cells":120000,"neutrophils":3500}
/// {"dose":500000,"unit":"mg","antipyretic":true}
/// {"quality":"questionable","user":2}
/// {"typed":"5.8 mmol/L"}
/// {"kind":"glucose","absence":"equipment"}
/// {"burden":"mild","hypotension":"no","copd":"no","tumour":"yes","dehydration":"no","outpatient":"yes","under60":"yes"}
/// ```
///
/// A sensor's value that is unusable is stored as a note with its `kind` and `absence`; a doubtful one has `quality`.
/// A typed text that differs from the printed one is in `typed`.
/// Laboratory values are in hundredths of the unit of the analyte, doses in thousandths of theirs.
enum EntryDetails {
    /// The text of the column; `nil` for kinds without details.
    static func text(of entry: RecordEntry) -> String? {
        var json = JSONWriter(capacity: 128)
        var isEmpty = false
        json.beginObject()
        switch entry.content {
        case .lab(let result):
            for value in result.values {
                json.key(value.analyte.rawValue)
                json.integer(value.value.hundredths)
            }
        case .medication(let medication):
            if let dose = medication.dose {
                json.key("dose")
                json.integer(dose.thousandths)
                json.key("unit")
                json.string(dose.unit.rawValue)
            }
            json.key("antipyretic")
            json.bool(medication.isAntipyretic)
        case .mascc(let index):
            for item in MASCCIndex.Item.allCases {
                json.key(item.rawValue)
                json.string(index.answer(to: item))
            }
            if !index.assessedBy.isEmpty {
                json.key("by")
                json.string(index.assessedBy)
            }
        case .noMeasurement(let kind, let reason):
            json.key("kind")
            json.string(kind.rawValue)
            json.key("absence")
            json.string(reason.rawValue)
        case .vital, .bloodPressure, .neutrophils, .weight, .symptom, .note: isEmpty = true
        }
        if entry.facts.quality.isQuestionable {
            isEmpty = false
            json.key("quality")
            json.string(entry.facts.quality.rawValue)
        }
        if let user = entry.facts.user {
            isEmpty = false
            json.key("user")
            json.integer(user)
        }
        if let typed = entry.typed {
            isEmpty = false
            json.key("typed")
            json.string(typed)
        }
        json.endObject()
        return isEmpty ? nil : String(decoding: json.bytes, as: UTF8.self)
    }

    /// The kind and the reason of a value that is unusable; `nil` for any other entry.
    ///
    /// The reason of a newer version is read as an unusable value.
    static func absence(_ text: String?) -> (kind: RecordEntry.Kind, reason: AbsenceReason)? {
        guard let details = text.flatMap(parsed), let word = details["absence"]?.text,
            let kind = details["kind"]?.text.flatMap({ RecordEntry.Kind(rawValue: $0) })
        else { return nil }
        return (kind, AbsenceReason(rawValue: word) ?? .unusable)
    }

    /// The quality of the value of a column; that of a newer version is read as questionable.
    static func quality(_ text: String?) -> Reading.Quality {
        text.flatMap(parsed)?["quality"]?.text.map { Reading.Quality(rawValue: $0) ?? .questionable } ?? .good
    }

    /// The number of the person on the device; `nil` where a column does not say so.
    static func user(_ text: String?) -> Int? {
        text.flatMap(parsed)?["user"]?.whole.flatMap { EntryFacts.users.contains($0) ? $0 : nil }
    }

    /// How the content was typed; `nil` where a column does not say so.
    static func typed(_ text: String?) -> String? { text.flatMap(parsed)?["typed"]?.text }

    /// The blood count of a column; `nil` for impossible numbers.
    static func labResult(_ text: String) -> LabResult? {
        guard let members = parsed(text)?.members else { return nil }
        var result = LabResult()
        for member in members {
            // An analyte of a newer version is left out.
            guard let analyte = LabAnalyte(rawValue: member.name), let value = member.value.whole else { continue }
            result[analyte] = VitalValue(hundredths: value)
        }
        return result.isPossible ? result : nil
    }

    /// The medication of a name and a column.
    static func medication(named name: String, _ text: String?) -> Medication? {
        let details = text.flatMap(parsed)
        var dose: Medication.Dose?
        if let amount = details?["dose"]?.whole, Medication.Dose.possible.contains(amount),
            let unit = details?["unit"]?.text.flatMap({ Medication.Unit(rawValue: $0) })
        {
            dose = Medication.Dose(thousandths: amount, unit: unit)
        }
        return name.isEmpty ? nil : Medication(name, dose: dose, isAntipyretic: details?["antipyretic"]?.boolean)
    }

    /// The risk index of a column; `nil` unless every item has an answer.
    static func masccIndex(_ text: String) -> MASCCIndex? {
        guard let details = parsed(text),
            let burden = details["burden"]?.text.flatMap({ MASCCIndex.Burden(rawValue: $0) })
        else { return nil }
        func answer(_ item: MASCCIndex.Item) -> Bool? {
            switch details[item.rawValue]?.text {
            case "yes": true
            case "no": false
            default: nil
            }
        }
        guard let hypotension = answer(.hypotension), let copd = answer(.copd), let tumour = answer(.tumour),
            let dehydration = answer(.dehydration), let outpatient = answer(.outpatient),
            let under60 = answer(.under60)
        else { return nil }
        return MASCCIndex(
            burden: burden, hasHypotension: hypotension, hasPulmonaryDisease: copd,
            hasSolidTumourOrNoFungalInfection: tumour, isDehydrated: dehydration, isOutpatient: outpatient,
            isUnder60: under60, assessedBy: details["by"]?.text ?? "")
    }

    private static func parsed(_ text: String) -> JSON5Value? {
        try? JSON5Parser.parse(Array(text.utf8), .json)
    }
}
