import SaturatingArithmetic

/// A unit of glucose concentration; values are kept in milligrams per decilitre.
public enum GlucoseConcentrationUnit: String, CaseIterable, Codable, Hashable, Sendable {
    /// Milligrams per decilitre.
    case milligramsPerDecilitre = "mg/dL"
    /// Millimoles per litre.
    case millimolesPerLitre = "mmol/L"

    /// The mass of a millimole of glucose, in tenths of a milligram per decilitre and litre: 18.016 g/mol.
    private static let thousandthsPerMillimole = 18_016

    /// Hundredths of mg/dL of hundredths of mmol/L, rounded half up.
    public static func milligrams(hundredthsOfMillimoles value: Int) -> Int {
        value.multipliedSaturated(by: thousandthsPerMillimole).addingSaturated(500) / 1000
    }

    /// Tenths of mmol/L of a value, rounded half up.
    public static func tenthsOfMillimoles(_ value: VitalValue) -> Int {
        (value.hundredths.multipliedSaturated(by: 100).addingSaturated(thousandthsPerMillimole / 2))
            / thousandthsPerMillimole
    }
}
