import Base

/// A unit of glucose concentration; values are stored in milligrams per decilitre.
///
/// The raw value is the word in the configuration.
public enum GlucoseConcentrationUnit: String, CaseIterable, Codable, Hashable, Sendable {
    case milligramsPerDecilitre = "mg/dl"
    case millimolesPerLitre = "mmol/l"

    /// The printed unit.
    public var text: String {
        switch self {
        case .milligramsPerDecilitre: "mg/dL"
        case .millimolesPerLitre: "mmol/L"
        }
    }

    /// The mass of a millimole of glucose, in tenths of a milligram per decilitre and litre: 18.016 g/mol.
    private static let thousandthsPerMillimole = 18_016

    /// Converts hundredths of mmol/L to hundredths of mg/dL, rounded half up.
    public static func milligrams(hundredthsOfMillimoles value: Int) -> Int {
        value.multipliedSaturated(by: thousandthsPerMillimole).addingSaturated(500) / 1000
    }

    /// Converts a value in mg/dL to hundredths of mmol/L, rounded half up.
    public static func hundredthsOfMillimoles(_ value: VitalValue) -> Int {
        let scaled = value.hundredths.multipliedSaturated(by: 1000)
        return scaled.addingSaturated(thousandthsPerMillimole / 2) / thousandthsPerMillimole
    }
}
