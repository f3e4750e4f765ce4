/// A value of Glucose Measurement Context (2A34): the circumstances of a measurement, as the meter knows them.
///
/// Source: Glucose Service 1.0.1, section 3.2; GATT Specification Supplement, Glucose Measurement Context.
public struct GlucoseMeasurementContext: CharacteristicValue {
    /// The number of the measurement that it belongs to.
    public var sequenceNumber: UInt16
    /// Flags that are reserved for future use, when sent.
    public var extendedFlags: UInt8?
    /// The carbohydrate intake, when sent.
    public var carbohydrate: Carbohydrate?
    /// The relation to a meal, when sent.
    public var meal: GlucoseMeal?
    /// The tester and the patient's health, when sent.
    public var testerAndHealth: GlucoseTesterAndHealth?
    /// Exercise, when sent.
    public var exercise: Exercise?
    /// Medication, when sent.
    public var medication: Medication?
    /// Glycated haemoglobin in percent, when sent.
    public var hba1c: MedicalShortFloat?

    /// Carbohydrate intake.
    public struct Carbohydrate: Hashable, Sendable {
        /// The occasion.
        public var occasion: GlucoseCarbohydrateOccasion
        /// Kilograms.
        public var kilograms: MedicalShortFloat

        public init(occasion: GlucoseCarbohydrateOccasion, kilograms: MedicalShortFloat) {
            self.occasion = occasion
            self.kilograms = kilograms
        }
    }

    /// Exercise.
    public struct Exercise: Hashable, Sendable {
        /// Seconds; 65535 for a duration that is too long for the field.
        public var rawDuration: UInt16
        /// Percent.
        public var intensity: UInt8

        public init(rawDuration: UInt16, intensity: UInt8) {
            self.rawDuration = rawDuration
            self.intensity = intensity
        }

        /// Whether the duration is too long for the field.
        public var isOverrun: Bool { rawDuration == .max }
    }

    /// Medication.
    public struct Medication: Hashable, Sendable {
        /// The kind.
        public var kind: GlucoseMedicationKind
        /// The amount in kilograms or litres.
        public var amount: MedicalShortFloat
        /// Whether ``amount`` is in litres instead of kilograms.
        public var isInLitres: Bool

        public init(kind: GlucoseMedicationKind, amount: MedicalShortFloat, isInLitres: Bool) {
            self.kind = kind
            self.amount = amount
            self.isInLitres = isInLitres
        }

        /// The name of the unit of ``amount``.
        public var unitName: String { isInLitres ? "litre" : "kg" }
    }

    public init(
        sequenceNumber: UInt16, extendedFlags: UInt8? = nil, carbohydrate: Carbohydrate? = nil,
        meal: GlucoseMeal? = nil, testerAndHealth: GlucoseTesterAndHealth? = nil, exercise: Exercise? = nil,
        medication: Medication? = nil, hba1c: MedicalShortFloat? = nil
    ) {
        self.sequenceNumber = sequenceNumber
        self.extendedFlags = extendedFlags
        self.carbohydrate = carbohydrate
        self.meal = meal
        self.testerAndHealth = testerAndHealth
        self.exercise = exercise
        self.medication = medication
        self.hba1c = hba1c
    }

    public init(from reader: inout OctetReader<some FieldLog>) throws(MalformedValueError) {
        let flags = try reader.uint8("flags")
        reader.explain(
            FlagText.describe(
                flags,
                [
                    (0, "carbohydrate"), (1, "meal"), (2, "tester and health"), (3, "exercise"), (4, "medication"),
                    (5, "medication in litres"), (6, "HbA1c"), (7, "extended flags"),
                ]))
        sequenceNumber = try reader.uint16("sequence number")
        extendedFlags = flags & 1 << 7 == 0 ? nil : try reader.uint8("extended flags", .announced)
        carbohydrate = flags & 1 << 0 == 0 ? nil : try Self.carbohydrate(from: &reader)
        meal = nil
        testerAndHealth = nil
        hba1c = nil
        if flags & 1 << 1 != 0 {
            meal = try reader.assigned("meal", .announced)
        }
        if flags & 1 << 2 != 0 {
            let both = GlucoseTesterAndHealth(rawValue: try reader.uint8("tester and health", .announced))
            reader.explain("\(both.tester.name), \(both.health.name)")
            testerAndHealth = both
        }
        exercise = flags & 1 << 3 == 0 ? nil : try Self.exercise(from: &reader)
        medication =
            flags & 1 << 4 == 0 ? nil : try Self.medication(isInLitres: flags & 1 << 5 != 0, from: &reader)
        if flags & 1 << 6 != 0 {
            let percent = try reader.shortFloat("HbA1c", .announced)
            reader.explain("\(percent) %")
            hba1c = percent
        }
    }

    private static func carbohydrate(from reader: inout OctetReader<some FieldLog>) throws(MalformedValueError)
        -> Carbohydrate
    {
        let occasion: GlucoseCarbohydrateOccasion = try reader.assigned("carbohydrate ID", .announced)
        let kilograms = try reader.shortFloat("carbohydrate", .announced)
        reader.explain("\(kilograms) kg")
        return Carbohydrate(occasion: occasion, kilograms: kilograms)
    }

    private static func exercise(from reader: inout OctetReader<some FieldLog>) throws(MalformedValueError) -> Exercise
    {
        let duration = try reader.uint16("exercise duration", .announced)
        reader.explain(duration == .max ? "overrun" : "\(duration) s")
        let intensity = try reader.uint8("exercise intensity", .announced)
        reader.explain("\(intensity) %")
        return Exercise(rawDuration: duration, intensity: intensity)
    }

    private static func medication(
        isInLitres: Bool, from reader: inout OctetReader<some FieldLog>
    ) throws(MalformedValueError) -> Medication {
        let kind: GlucoseMedicationKind = try reader.assigned("medication ID", .announced)
        let amount = try reader.shortFloat("medication", .announced)
        let medication = Medication(kind: kind, amount: amount, isInLitres: isInLitres)
        reader.explain("\(amount) \(medication.unitName)")
        return medication
    }

    /// Writes the fields in the order of the specification.
    public func encode(to writer: inout OctetWriter) {
        var flags: UInt8 = 0
        if carbohydrate != nil { flags |= 1 << 0 }
        if meal != nil { flags |= 1 << 1 }
        if testerAndHealth != nil { flags |= 1 << 2 }
        if exercise != nil { flags |= 1 << 3 }
        if medication != nil { flags |= 1 << 4 }
        if medication?.isInLitres == true { flags |= 1 << 5 }
        if hba1c != nil { flags |= 1 << 6 }
        if extendedFlags != nil { flags |= 1 << 7 }
        writer.uint8(flags)
        writer.uint16(sequenceNumber)
        if let extendedFlags { writer.uint8(extendedFlags) }
        if let carbohydrate {
            writer.uint8(carbohydrate.occasion.rawValue)
            writer.shortFloat(carbohydrate.kilograms)
        }
        if let meal { writer.uint8(meal.rawValue) }
        if let testerAndHealth { writer.uint8(testerAndHealth.rawValue) }
        if let exercise {
            writer.uint16(exercise.rawDuration)
            writer.uint8(exercise.intensity)
        }
        if let medication {
            writer.uint8(medication.kind.rawValue)
            writer.shortFloat(medication.amount)
        }
        if let hba1c { writer.shortFloat(hba1c) }
    }

    /// The fields as `bedside decode` prints them.
    public var fields: [Field] {
        let duration = exercise.map { $0.isOverrun ? FieldValue.text("overrun") : FieldValue($0.rawDuration) }
        return [
            Field("sequence_number", FieldValue(sequenceNumber)),
            Field("extended_flags", FieldValue(extendedFlags)),
            Field("carbohydrate_id", FieldValue(carbohydrate?.occasion.rawValue)),
            Field("carbohydrate_kg", FieldValue(carbohydrate?.kilograms)),
            Field("meal", FieldValue(meal?.rawValue)),
            Field("tester", FieldValue(testerAndHealth?.tester.rawValue)),
            Field("health", FieldValue(testerAndHealth?.health.rawValue)),
            Field("exercise_duration_s", duration ?? .absent),
            Field("exercise_intensity_percent", FieldValue(exercise?.intensity)),
            Field("medication_id", FieldValue(medication?.kind.rawValue)),
            Field("medication", FieldValue(medication?.amount)),
            Field("medication_unit", FieldValue(medication?.unitName)),
            Field("hba1c_percent", FieldValue(hba1c)),
        ]
    }
}

/// The occasion on which carbohydrate was taken.
public struct GlucoseCarbohydrateOccasion: AssignedNumber {
    /// The number on the wire.
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The assigned numbers, with the names that `bedside decode` prints.
    public static let assigned: [(number: GlucoseCarbohydrateOccasion, name: String)] = [
        (.init(rawValue: 1), "breakfast"), (.init(rawValue: 2), "lunch"), (.init(rawValue: 3), "dinner"),
        (.init(rawValue: 4), "snack"), (.init(rawValue: 5), "drink"), (.init(rawValue: 6), "supper"),
        (.init(rawValue: 7), "brunch"),
    ]
}

/// The relation of a measurement to a meal.
public struct GlucoseMeal: AssignedNumber {
    /// The number on the wire.
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The assigned numbers, with the names that `bedside decode` prints.
    public static let assigned: [(number: GlucoseMeal, name: String)] = [
        (.init(rawValue: 1), "before"), (.init(rawValue: 2), "after"), (.init(rawValue: 3), "fasting"),
        (.init(rawValue: 4), "casual"), (.init(rawValue: 5), "bedtime"),
    ]
}

/// The tester and the patient's health: two numbers in one octet.
public struct GlucoseTesterAndHealth: Hashable, Sendable {
    /// The octet as sent.
    public var rawValue: UInt8

    /// Creates a value from the transmitted octet.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The tester (low four bits).
    public var tester: GlucoseTester { GlucoseTester(rawValue: rawValue & 15) }

    /// The patient's health (high four bits).
    public var health: GlucoseHealth { GlucoseHealth(rawValue: rawValue >> 4) }
}

/// The person who measured.
public struct GlucoseTester: AssignedNumber {
    /// The number on the wire.
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The assigned numbers, with the names that `bedside decode` prints.
    public static let assigned: [(number: GlucoseTester, name: String)] = [
        (.init(rawValue: 1), "self"), (.init(rawValue: 2), "health_care_professional"),
        (.init(rawValue: 3), "lab_test"),
        (.init(rawValue: 15), "not_available"),
    ]
}

/// The patient's health at the time of a measurement.
public struct GlucoseHealth: AssignedNumber {
    /// The number on the wire.
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The assigned numbers, with the names that `bedside decode` prints.
    public static let assigned: [(number: GlucoseHealth, name: String)] = [
        (.init(rawValue: 1), "minor_issues"), (.init(rawValue: 2), "major_issues"),
        (.init(rawValue: 3), "during_menses"),
        (.init(rawValue: 4), "under_stress"), (.init(rawValue: 5), "no_issues"), (.init(rawValue: 15), "not_available"),
    ]
}

/// A kind of insulin.
public struct GlucoseMedicationKind: AssignedNumber {
    /// The number on the wire.
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The assigned numbers, with the names that `bedside decode` prints.
    public static let assigned: [(number: GlucoseMedicationKind, name: String)] = [
        (.init(rawValue: 1), "rapid_acting_insulin"), (.init(rawValue: 2), "short_acting_insulin"),
        (.init(rawValue: 3), "intermediate_acting_insulin"), (.init(rawValue: 4), "long_acting_insulin"),
        (.init(rawValue: 5), "pre_mixed_insulin"),
    ]
}
