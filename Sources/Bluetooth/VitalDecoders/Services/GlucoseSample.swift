/// A unit in which a glucose meter sends a concentration.
public enum GlucoseUnit: String, CaseIterable, Hashable, Sendable {
    /// Kilograms a litre.
    case kilogramsPerLitre = "kg/L"
    /// Moles a litre.
    case molesPerLitre = "mol/L"
}

/// A glucose concentration with its unit, fluid and location.
public struct GlucoseSample: Hashable, Sendable {
    /// The concentration, in ``unit``.
    public var concentration: MedicalShortFloat
    /// The unit of ``concentration``.
    public var unit: GlucoseUnit
    /// The fluid and its location.
    public var source: GlucoseSampleSource

    public init(concentration: MedicalShortFloat, unit: GlucoseUnit, source: GlucoseSampleSource) {
        self.concentration = concentration
        self.unit = unit
        self.source = source
    }

    /// The concentration in mg/dL for a mass and in mmol/L for an amount of substance, exactly; a special value is
    /// unchanged.
    public var clinicalConcentration: MedicalNumber {
        let shift = unit == .kilogramsPerLitre ? 5 : 3
        return concentration.value.map { DecimalNumber($0.mantissa, exponent: $0.exponent + shift) }
    }

    /// ``clinicalConcentration`` with its unit.
    var text: String {
        "\(clinicalConcentration) \(unit == .kilogramsPerLitre ? "mg/dL" : "mmol/L")"
    }
}

/// The sampled fluid and its location on the body: two numbers in one octet.
public struct GlucoseSampleSource: Hashable, Sendable {
    /// The octet as sent.
    public var rawValue: UInt8

    /// Creates a source from the transmitted octet.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Creates a source from its parts, using the low four bits of each.
    public init(fluid: GlucoseFluid, location: GlucoseSampleLocation) {
        rawValue = fluid.rawValue & 15 | location.rawValue << 4
    }

    /// The fluid (low four bits).
    public var fluid: GlucoseFluid { GlucoseFluid(rawValue: rawValue & 15) }

    /// The location (high four bits).
    public var location: GlucoseSampleLocation { GlucoseSampleLocation(rawValue: rawValue >> 4) }

    /// Whether the sample is a control solution instead of a patient's.
    public var isControlSolution: Bool { fluid == .controlSolution || location == .controlSolution }
}

/// The fluid in which glucose was measured.
public struct GlucoseFluid: AssignedNumber {
    /// The number on the wire.
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// A control solution, not a patient's sample.
    public static let controlSolution = GlucoseFluid(rawValue: 10)
    /// Interstitial fluid.
    public static let interstitialFluid = GlucoseFluid(rawValue: 9)

    /// The assigned numbers, with the names that `bedside decode` prints.
    public static let assigned: [(number: GlucoseFluid, name: String)] = [
        (.init(rawValue: 1), "capillary_whole_blood"), (.init(rawValue: 2), "capillary_plasma"),
        (.init(rawValue: 3), "venous_whole_blood"), (.init(rawValue: 4), "venous_plasma"),
        (.init(rawValue: 5), "arterial_whole_blood"), (.init(rawValue: 6), "arterial_plasma"),
        (.init(rawValue: 7), "undetermined_whole_blood"), (.init(rawValue: 8), "undetermined_plasma"),
        (interstitialFluid, "interstitial_fluid"), (controlSolution, "control_solution"),
    ]
}

/// The location of a glucose sample; only continuous monitors use subcutaneous tissue.
public struct GlucoseSampleLocation: AssignedNumber {
    /// The number on the wire.
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// A control solution, not a patient's sample.
    public static let controlSolution = GlucoseSampleLocation(rawValue: 4)
    /// A finger.
    public static let finger = GlucoseSampleLocation(rawValue: 1)

    /// The assigned numbers, with the names that `bedside decode` prints.
    public static let assigned: [(number: GlucoseSampleLocation, name: String)] = [
        (.init(rawValue: 1), "finger"), (.init(rawValue: 2), "alternate_site_test"), (.init(rawValue: 3), "earlobe"),
        (controlSolution, "control_solution"), (.init(rawValue: 5), "subcutaneous_tissue"),
        (.init(rawValue: 15), "not_available"),
    ]
}
