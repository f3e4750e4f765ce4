import Vitals

/// The rule of the app NeutroFeverGuard (Stanford CS342, 2025), unchanged, for comparison.
///
/// Fever means: the newest temperature is 101.0 °F or more, or else all temperatures of the last hour are 100.4 °F or
/// more. Each temperature is evaluated anew: so a single reading of 100.4 °F is fever, one dip hides an hour of it, and
/// a spike is forgotten with the next normal reading.
///
/// For the hour it is enough to know when a temperature below 100.4 °F last arrived.
struct NeutroFeverGuardRule: Codable, Hashable, Sendable {
    /// 101.0 °F in °C, to the nearest hundredth.
    static let singleLimit = VitalValue(hundredths: 3833)
    /// 100.4 °F in °C, exactly.
    static let sustainedLimit = VitalValue(hundredths: 3800)
    private static let window = Duration.seconds(3600)

    private var lastBelow: MonotonicTime?

    /// The limit that a temperature reaches, or `nil` for no fever.
    mutating func evaluate(_ value: VitalValue, at time: MonotonicTime) -> VitalValue? {
        if value < Self.sustainedLimit { lastBelow = time }
        if value >= Self.singleLimit { return Self.singleLimit }
        let isClean = lastBelow.map { time.since($0) > Self.window } ?? true
        return isClean ? Self.sustainedLimit : nil
    }
}
