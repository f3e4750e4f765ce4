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
