import Vitals

/// A physiological signal of many samples a second; the raw value is its name in every output.
///
/// All else that differs from kind to kind is in its ``traits``.
public enum WaveKind: String, CaseIterable, Codable, Hashable, Sendable {
    /// The electrocardiogram of one lead, in µV.
    case electrocardiogram = "ecg"
    /// The plethysmogram of an oximeter: light in the maker's own steps, which tell nothing from maker to maker.
    case plethysmogram = "pleth"
    /// The acceleration of the chest, three values a sample, in thousandths of g. It is not shown.
    case acceleration

    /// What is known of the kind.
    public var traits: WaveTraits {
        switch self {
        case .electrocardiogram:
            WaveTraits(
                text: "electrocardiogram", title: "ECG", vitals: [.heartRate], unit: .microvolts, channels: 1,
                nominalRate: 130, isShown: true, isGainFixed: true)
        case .plethysmogram:
            WaveTraits(
                text: "plethysmogram", title: "PLETH", vitals: [.oxygenSaturation, .pulseRate], unit: .steps,
                channels: 1, nominalRate: 100, isShown: true, isGainFixed: false)
        case .acceleration:
            WaveTraits(
                text: "acceleration", title: "ACC", vitals: [], unit: .milligravities, channels: 3,
                nominalRate: 25, isShown: false, isGainFixed: true)
        }
    }
}

/// What is known of a kind of wave: each fact once, for every module that shows, sends or stores it.
public struct WaveTraits: Hashable, Sendable {
    /// The name in a sentence: "electrocardiogram".
    public let text: String
    /// The name above its strip: "ECG".
    public let title: String
    /// The vitals that the same sensor takes from the same signal, the one beside whose number it is drawn first.
    public let vitals: [Vital]
    /// The unit of its samples.
    public let unit: Unit
    /// Values in a sample.
    public let channels: Int
    /// Samples a second of a usual sensor; the true number is measured.
    public let nominalRate: Double
    /// Whether it is drawn.
    public let isShown: Bool
    /// Whether the height of its drawing has a unit.
    public let isGainFixed: Bool

    /// The unit of a sample's values.
    public enum Unit: String, Hashable, Sendable {
        case microvolts = "uV"
        case milligravities = "m[g]"
        /// The sensor's own steps.
        case steps = "1"
    }
}
