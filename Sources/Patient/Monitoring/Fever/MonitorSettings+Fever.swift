import Vitals

extension MonitorSettings {
    /// When a body temperature counts as fever, by the definition of the Infectious Diseases Society of America: one
    /// temperature of 38.3 °C or more, or 38.0 °C or more sustained for an hour; compared in exact hundredths.
    public struct Fever: Codable, Hashable, Sendable {
        /// The rule in use.
        public var rule = FeverRuleName.bedside
        /// The temperature at which a confirmed reading is fever: 38.3 °C.
        public var threshold = VitalValue(hundredths: 3830)
        /// How a reading of a streaming sensor is confirmed.
        public var confirmation = FeverConfirmation.inARow
        /// The number of consecutive readings that must reach the threshold for a streaming sensor; 1 to 60.
        public var confirmationCount = 3
        /// Readings further apart than this are not consecutive.
        public var confirmationGap = Duration.seconds(10 * 60)
        /// A thermometer whose values arrive within this time of each other streams.
        public var spotInterval = Duration.seconds(60)
        /// The temperature at which a sustained one is fever: 38.0 °C.
        public var sustainedThreshold = VitalValue(hundredths: 3800)
        /// How long it must last; whole minutes from 10 to 240.
        public var sustainedDuration = Duration.seconds(60 * 60)
        /// The longest time between two samples that still belong together.
        public var largestGap = Duration.seconds(10 * 60)
        /// The percentage of minutes that must have samples; with fewer, nothing is evaluated.
        public var coverage = 80
        /// The percentage of minutes with samples whose median must be ``sustainedThreshold`` or more.
        public var warmShare = 95
        /// Only temperatures below this, 37.8 °C, let an episode end.
        public var clearBelow = VitalValue(hundredths: 3780)
        /// How long every temperature must be below ``clearBelow`` until the episode ends.
        public var clearDuration = Duration.seconds(30 * 60)
        /// The neutrophil count at the start; it expires like one entered later.
        public var neutrophils: NeutrophilCount?
        /// The time after which an unacknowledged fever alerts again.
        public var alertAgainAfter = Duration.seconds(15 * 60)

        public init() {}

        /// The temperatures at which the rule's verdict changes; rounding must not cross them.
        public var limits: [VitalValue] {
            switch rule {
            case .bedside: [threshold, sustainedThreshold]
            case .neutroFeverGuard: [NeutroFeverGuardRule.singleLimit, NeutroFeverGuardRule.sustainedLimit]
            }
        }

        /// The length of the sustained rule's window in minutes, within bounds that keep its memory small.
        var windowMinutes: Int { Int(sustainedDuration.components.seconds.clamped(to: 600...14_400) / 60) }
        /// ``coverage`` and ``warmShare`` as valid percentages.
        var percentages: (coverage: Int, warmShare: Int) {
            (coverage.clamped(to: 1...100), warmShare.clamped(to: 1...100))
        }
    }
}

/// The fever rules, by their names in the configuration.
public enum FeverRuleName: String, CaseIterable, Codable, Hashable, Sendable {
    /// A confirmed single reading, or an hour with enough samples.
    case bedside
    /// The rule of the app NeutroFeverGuard, with its faults.
    case neutroFeverGuard = "neutrofeverguard"
}

/// How a single reading of a streaming sensor is confirmed, by the names in the configuration.
public enum FeverConfirmation: String, CaseIterable, Codable, Hashable, Sendable {
    /// Several consecutive readings that all reach the threshold.
    case inARow = "in-a-row"
    /// The median of the newest three readings, which tolerates one that does not reach it.
    case medianOfThree = "median-of-three"
}
