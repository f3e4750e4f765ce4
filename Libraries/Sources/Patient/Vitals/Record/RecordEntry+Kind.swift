extension RecordEntry {
    /// The kind of an entry; the raw value is its name in the store and in exports.
    public enum Kind: String, CaseIterable, Codable, Hashable, Sendable {
        /// A body temperature.
        case bodyTemperature = "body_temperature"
        /// A heart rate, counted or read from another device.
        case heartRate = "heart_rate"
        /// An oxygen saturation, read from another device.
        case oxygenSaturation = "spo2"
        /// A blood pressure.
        case bloodPressure = "blood_pressure"
        /// A glucose concentration of a drop of blood.
        case glucose
        /// A body weight.
        case weight
        /// An absolute neutrophil count.
        case neutrophils
        /// A blood count.
        case lab
        /// A medication that was given.
        case medication
        /// A symptom, as the patient rates it.
        case symptom
        /// A risk index of a fever with neutropenia.
        case mascc
        /// A calibration of a glucose sensor.
        case calibration
        /// Words.
        case note

        /// The kind of a vital's value; `nil` for vitals that cannot be entered.
        public init?(_ vital: Vital) {
            guard let kind = Self.allCases.first(where: { $0.vital == vital }) else { return nil }
            self = kind
        }

        /// The vital, if it is a vital's value.
        public var vital: Vital? { traits.vital }
    }

    /// Its kind; `nil` for a value of a vital that cannot be entered.
    public var kind: Kind? { content.kind }
}

extension RecordEntry.Content {
    /// Its kind; `nil` for a value of a vital that cannot be entered.
    public var kind: RecordEntry.Kind? {
        switch self {
        case .vital(let vital, _, _): RecordEntry.Kind(vital)
        case .bloodPressure: .bloodPressure
        case .neutrophils: .neutrophils
        case .weight: .weight
        case .lab: .lab
        case .medication: .medication
        case .symptom: .symptom
        case .mascc: .mascc
        case .calibration: .calibration
        case .note: .note
        case .noMeasurement(let kind, _): kind
        }
    }
}

extension RecordEntry.Kind {
    /// What distinguishes a kind from others, in one place.
    public struct Traits: Sendable {
        /// The kind in plain text: "oxygen saturation".
        public let text: String
        /// The kind in at most five letters: "SpO₂".
        public let shortText: String
        /// The vital, if it is a vital's value.
        public var vital: Vital?
        /// The name of its lines.
        public var event: String
        /// The word for a valid entry in lines; `nil` for words.
        public var state: String? = "measured"
        /// Among which entries it is listed.
        public let group: Group
        /// The category of its FHIR resource; `nil` where it has none.
        public var category: Category?
        /// Its FHIR resource.
        public var resource = Resource.observation
        /// The last part of the address of its FHIR profile.
        public var profile: String?
        /// Its LOINC code, unless its fields have their own.
        public var code: EntryField.Code?
        /// The name of the list in lines that its fields are elements of; `nil` where they are members.
        public var list: String?
        /// Whether somebody types it; otherwise it follows from an answer to a question.
        public var isTyped = true
        /// How many characters can be typed.
        public var typedLimit = 48
        /// Whether entries of the last two weeks matter, and not only those that trends reach.
        public var reachesFar = true
        /// What a person reads of a content that is impossible as a whole.
        public var complaint = ""
        /// Whether the parts of a content fit each other.
        public var isPossible: @Sendable (RecordEntry.Content) -> Bool = { _ in true }
        /// How the entry is summed up in plain text, where that is more than its fields.
        public var summary: @Sendable (RecordEntry.Content) -> String? = { _ in nil }
        /// What people read beside the entry where it is shown alone.
        public var details: @Sendable (RecordEntry.Content) -> String? = { _ in nil }
        /// The fields.
        public let fields: [EntryField]
        /// Makes the content of the values of its fields; `nil` where one is missing.
        public let make: @Sendable (EntryField.Values) -> RecordEntry.Content?
    }

    /// Entries that are listed together.
    public enum Group: Hashable, Sendable {
        case labs, medication, symptoms, vitals, notes
    }

    /// A category of FHIR Observations; the raw value is its code.
    public enum Category: String, Hashable, Sendable {
        case vitalSigns = "vital-signs"
        case laboratory
        case survey
    }

    /// A FHIR resource.
    public enum Resource: Hashable, Sendable {
        /// An Observation with its value.
        case observation
        /// An Observation whose fields are components.
        case components
        /// An Observation for each of its fields.
        case observations
        /// A MedicationAdministration.
        case administration
        /// A QuestionnaireResponse with the fields that have a question.
        case response
    }

    /// The kinds that somebody types.
    public static let typed = allCases.filter(\.traits.isTyped)

    /// The kinds that are forms with questions.
    public static let forms = Set(allCases.filter { $0.traits.resource == .response })

    /// The traits.
    public var traits: Traits { Self.table[ordinal] }

    /// The fields of its content.
    public var fields: [EntryField] { traits.fields }

    /// The content of the values of its fields; `nil` where one is missing.
    public func content(_ values: EntryField.Values) -> RecordEntry.Content? { traits.make(values) }

    static let notEnterable = "no body has such a value, or it cannot be entered by hand"

    /// In the order of the cases.
    private static let table = allCases.map { $0.describe() }
    private var ordinal: Int { Self.ordinals[self] ?? 0 }
    private static let ordinals = Dictionary(uniqueKeysWithValues: zip(allCases, 0...))

    private func describe() -> Traits {
        switch self {
        case .bodyTemperature:
            Self.measurement(of: .bodyTemperature, "body temperature", "Temp", "bodytemp", Self.temperatureCode)
        case .heartRate: Self.measurement(of: .heartRate, "heart rate", "HR", "heartrate", Self.heartRateCode)
        case .oxygenSaturation:
            // It is unknown whether a pulse oximeter or a laboratory measured it.
            Self.measurement(
                of: .oxygenSaturation, "oxygen saturation", "SpO₂", "oxygensat",
                .init("2708-6", "Oxygen saturation in Arterial blood", or: ["59408-5"]))
        case .glucose:
            Self.measurement(
                of: .glucose, "glucose", "Gluc", nil,
                .init(
                    "2339-0", "Glucose [Mass/volume] in Blood",
                    or: ["2345-7", "41653-7", "15074-8", "14743-9", "14749-6", "2340-8"]))
        case .bloodPressure: Self.bloodPressureTraits
        case .weight: Self.weightTraits
        case .neutrophils: Self.neutrophilTraits
        case .lab: Self.labTraits
        case .medication: Self.medicationTraits
        case .symptom: Self.symptomTraits
        case .mascc: MASCCIndex.traits
        case .calibration: GlucoseCalibration.traits
        case .note: Self.noteTraits
        }
    }

    private static let heartRateCode = EntryField.Code("8867-4", "Heart rate", or: ["8889-8"])
    private static let temperatureCode = EntryField.Code(
        "8310-5", "Body temperature", or: ["8331-1", "8332-9", "8333-7", "8328-7"])

    // MARK: Values of vitals

    /// The fields of a vital's value.
    static func fields(of vital: Vital) -> [EntryField] {
        [
            EntryField(
                "value", .hundredths(vital.measurable), unit: vital.unit, role: .value, isRequired: true,
                complaint: notEnterable, quantity: vital.rawValue
            ) { if case .vital(_, let value, _) = $0 { .number(value.hundredths) } else { nil } },
            EntryField("site", .word(BodySite.allCases.map(\.rawValue))) {
                if case .vital(_, _, let site) = $0 { site.map { .text($0.rawValue) } } else { nil }
            },
        ]
    }

    private static func measurement(
        of vital: Vital, _ text: String, _ shortText: String, _ profile: String?, _ code: EntryField.Code
    ) -> Traits {
        Traits(
            text: text, shortText: shortText, vital: vital, event: "reading", group: .vitals,
            category: vital == .glucose ? .laboratory : .vitalSigns, profile: profile, code: code, reachesFar: false,
            complaint: notEnterable, fields: fields(of: vital)
        ) { values in
            values.number("value").map {
                .vital(
                    vital, VitalValue(hundredths: $0), site: values.text("site").flatMap { BodySite(rawValue: $0) })
            }
        }
    }

    // MARK: Blood pressure and weight

    private static var bloodPressureTraits: Traits {
        let complaint = "no body has such a blood pressure"
        func pressure(
            _ name: String, _ range: ClosedRange<Int>, _ code: EntryField.Code, isRequired: Bool = true,
            _ part: @escaping @Sendable (BloodPressure) -> Int?
        ) -> EntryField {
            EntryField(
                name, .whole(range), unit: "mm[Hg]", isRequired: isRequired, code: code, complaint: complaint,
                quantity: "\(name)_pressure"
            ) { if case .bloodPressure(let pressure) = $0 { part(pressure).map { .number($0) } } else { nil } }
        }
        let rates = Vital.heartRate.measurable
        return Traits(
            text: "blood pressure", shortText: "BP", event: Self.bloodPressure.rawValue, group: .vitals,
            category: .vitalSigns, resource: .components, profile: "bp",
            code: .init("85354-9", "Blood pressure panel with all children optional", or: ["55284-4"]),
            reachesFar: false, complaint: complaint,
            isPossible: {
                guard case .bloodPressure(let pressure) = $0 else { return false }
                return BloodPressure.isPossible(pressure.systolic, pressure.diastolic)
                    && pressure.mean.map { (pressure.diastolic...pressure.systolic).contains($0) } ?? true
            },
            fields: [
                pressure("systolic", BloodPressure.systolics, .init("8480-6", "Systolic blood pressure")) {
                    $0.systolic
                },
                pressure("diastolic", BloodPressure.diastolics, .init("8462-4", "Diastolic blood pressure")) {
                    $0.diastolic
                },
                pressure(
                    "mean", BloodPressure.diastolics.lowerBound...BloodPressure.systolics.upperBound,
                    .init("8478-0", "Mean blood pressure"), isRequired: false
                ) { $0.mean },
                EntryField(
                    "pulse_rate", .whole(rates.lowerBound / 100...rates.upperBound / 100), unit: Vital.heartRate.unit,
                    code: heartRateCode, complaint: complaint, quantity: Vital.heartRate.rawValue
                ) { if case .bloodPressure(let pressure) = $0 { pressure.pulse.map { .number($0) } } else { nil } },
            ]
        ) { values in
            guard let systolic = values.number("systolic"), let diastolic = values.number("diastolic") else {
                return nil
            }
            return .bloodPressure(
                BloodPressure(
                    systolic: systolic, diastolic: diastolic, mean: values.number("mean"),
                    pulse: values.number("pulse_rate")))
        }
    }

    private static var weightTraits: Traits {
        Traits(
            text: "weight", shortText: "Wt", event: Self.weight.rawValue, group: .vitals, category: .vitalSigns,
            profile: "bodyweight", code: .init("29463-7", "Body weight", or: ["3141-9"]),
            complaint: "no body has such a weight",
            fields: [
                EntryField(
                    "value", .hundredths(RecordEntry.weights), unit: "kg", role: .value, isRequired: true,
                    complaint: "no body has such a weight", quantity: Self.weight.rawValue
                ) { if case .weight(let weight) = $0 { .number(weight.hundredths) } else { nil } }
            ]
        ) { values in values.number("value").map { .weight(VitalValue(hundredths: $0)) } }
    }

    // MARK: Blood counts

    static let countCode = EntryField.Code("26499-4", "Neutrophils [#/volume] in Blood", or: ["751-8"])

    private static var neutrophilTraits: Traits {
        let complaint = "no blood has such a count, or it is too old to say anything"
        return Traits(
            text: "neutrophil count (ANC)", shortText: "ANC", event: Self.neutrophils.rawValue, group: .labs,
            category: .laboratory, code: countCode, complaint: complaint,
            fields: [
                EntryField(
                    "value", .whole(0...NeutrophilCount.greatest), unit: "/uL", role: .value, isRequired: true,
                    complaint: complaint, quantity: Self.neutrophils.rawValue
                ) { if case .neutrophils(let count) = $0 { .number(count.perMicrolitre) } else { nil } }
            ]
        ) { values in
            values.number("value").map {
                .neutrophils(NeutrophilCount(perMicrolitre: $0, sampledAt: values.taken))
            }
        }
    }

    private static var labTraits: Traits {
        let complaint = "no blood has such a count"
        let analytes = LabAnalyte.allCases.map { analyte in
            EntryField(
                analyte.rawValue, .hundredths(analyte.possible), unit: analyte.unit, code: analyte.code,
                complaint: complaint, quantity: analyte.quantityName
            ) { if case .lab(let result) = $0 { result[analyte].map { .number($0.hundredths) } } else { nil } }
        }
        let count = EntryField(
            "neutrophils_per_ul", .whole(0...NeutrophilCount.greatest), unit: "/uL", role: .value, isDerived: true,
            code: countCode,
            quantityOf: {
                guard case .lab(let result) = $0, case .computed = result.neutrophilSource else { return nil }
                return LabAnalyte.computedCountName
            }
        ) { if case .lab(let result) = $0 { result.neutrophilsPerMicrolitre.map { .number($0) } } else { nil } }
        return Traits(
            text: "blood count", shortText: "Lab", event: Self.lab.rawValue, group: .labs, category: .laboratory,
            resource: .observations, list: "values", typedLimit: 200, complaint: complaint,
            isPossible: { if case .lab(let result) = $0 { result.isPossible } else { false } },
            details: { if case .lab(let result) = $0 { "ANC: \(result.neutrophilExplanation)" } else { nil } },
            fields: analytes + [
                count,
                EntryField("neutrophils_source", .text(limit: 400), isDerived: true) {
                    if case .lab(let result) = $0 { .text(result.neutrophilExplanation) } else { nil }
                },
            ]
        ) { values in
            var result = LabResult()
            for analyte in LabAnalyte.allCases {
                result[analyte] = values.number(analyte.rawValue).map { VitalValue(hundredths: $0) }
            }
            return .lab(result)
        }
    }

    // MARK: Care

    private static var medicationTraits: Traits {
        Traits(
            text: "medication", shortText: "Med", event: Self.medication.rawValue, state: "given", group: .medication,
            resource: .administration, typedLimit: 100,
            fields: [
                words("name", limit: Medication.nameLimit, "medication") {
                    if case .medication(let medication) = $0 { medication.name } else { nil }
                },
                EntryField(
                    "dose", .thousandths(Medication.Dose.possible), complaint: "no medication has such a dose"
                ) {
                    if case .medication(let medication) = $0 {
                        medication.dose.map { .number($0.thousandths) }
                    } else {
                        nil
                    }
                },
                EntryField("unit", .word(Medication.Unit.allCases.map(\.rawValue)), role: .unit) {
                    guard case .medication(let medication) = $0 else { return nil }
                    return medication.dose.map { .text($0.unit.rawValue) }
                },
                EntryField("antipyretic", .flag) {
                    if case .medication(let medication) = $0 { .flag(medication.isAntipyretic) } else { nil }
                },
            ]
        ) { values in
            guard let name = values.text("name"), !name.isEmpty else { return nil }
            let unit = values.text("unit").flatMap { Medication.Unit(rawValue: $0) }
            let dose = values.number("dose").flatMap { number in
                unit.map { Medication.Dose(thousandths: number, unit: $0) }
            }
            return .medication(Medication(name, dose: dose, isAntipyretic: values.flag("antipyretic")))
        }
    }

    private static var symptomTraits: Traits {
        Traits(
            text: "symptom", shortText: "Sympt", event: Self.symptom.rawValue, group: .symptoms, category: .survey,
            typedLimit: 100,
            fields: [
                words("symptom", limit: Symptom.textLimit, "symptom") {
                    if case .symptom(let rating) = $0 { rating.symptom.text } else { nil }
                },
                EntryField(
                    "severity", .whole(SymptomRating.severities), role: .value, isRequired: true,
                    complaint: "a symptom is rated from 0 to 10",
                    quantityOf: { if case .symptom(let rating) = $0 { rating.symptom.quantityName } else { nil } }
                ) { if case .symptom(let rating) = $0 { .number(rating.severity) } else { nil } },
                EntryField("grade", .word(SymptomRating.Grade.allCases.map(\.rawValue)), isDerived: true) {
                    if case .symptom(let rating) = $0 { .text(rating.grade.rawValue) } else { nil }
                },
            ]
        ) { values in
            guard let name = values.text("symptom"), let severity = values.number("severity") else { return nil }
            return .symptom(SymptomRating(Symptom(name), severity: severity))
        }
    }

    private static var noteTraits: Traits {
        Traits(
            text: "note", shortText: "Note", event: Self.note.rawValue, state: nil, group: .notes,
            code: .init("48767-8", "Annotation comment [Interpretation] Narrative"),
            typedLimit: RecordEntry.noteLimit + 20,
            fields: [
                words("text", limit: RecordEntry.noteLimit, "note") {
                    if case .note(let text) = $0 { text } else { nil }
                }
            ]
        ) { values in values.text("text").map { .note($0) } }
    }

    /// A field of text that represents the entry.
    private static func words(
        _ name: String, limit: Int, _ what: String, _ text: @escaping @Sendable (RecordEntry.Content) -> String?
    ) -> EntryField {
        EntryField(
            name, .text(limit: limit), role: .words, isRequired: true,
            complaint: "a \(what) has 1 to \(limit) characters that can be shown"
        ) { text($0).map { .text($0) } }
    }
}
