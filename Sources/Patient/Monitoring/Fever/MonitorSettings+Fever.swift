import Vitals

extension MonitorSettings {
    /// When a body temperature counts as fever, after the definition of the Infectious Diseases Society of America: one
    /// temperature of 38.3 °C or more, or 38.0 °C or more sustained for an hour; compared in exact hundredths.
    public struct Fever: Codable, Hashable, Sendable {
        /// The rule in use.
        public var rule = FeverRuleName.bedside
        /// The temperature at which a confirmed reading is fever: 38.3 °C.
        public var threshold = VitalValue(hundredths: 3830)
        /// What confirms a reading of a sensor that streams.
        public var confirmation = FeverConfirmation.inARow
        /// How many readings in a row must reach the threshold when the sensor streams; 1 to 60.
        public var confirmationCount = 3
        /// Readings further apart than this are not "in a row".
        public var confirmationGap = Duration.seconds(10 * 60)
        /// A thermometer whose values come within this time of each other streams.
        public var spotInterval = Duration.seconds(60)
        /// The temperature at which a sustained one is fever: 38.0 °C.
        public var sustainedThreshold = VitalValue(hundredths: 3800)
        /// For how long it must last; whole minutes from 10 to 240.
        public var sustainedDuration = Duration.seconds(60 * 60)
        /// The longest time between two samples that still belong together.
        public var largestGap = Duration.seconds(10 * 60)
        /// How many of a hundred minutes must have samples; with fewer, nothing is evaluated.
        public var coverage = 80
        /// How many of a hundred minutes with samples must have a median of ``sustainedThreshold`` or more.
        public var warmShare = 95
        /// Only temperatures below this, 37.8 °C, let an episode end.
        public var clearBelow = VitalValue(hundredths: 3780)
        /// For how long every temperature must be below ``clearBelow`` until the episode ends.
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

/// The fever rules, by the names that they have in the configuration.
public enum FeverRuleName: String, CaseIterable, Codable, Hashable, Sendable {
    /// A confirmed single reading, or an hour with enough samples.
    case bedside
    /// The rule of the app NeutroFeverGuard, with its faults.
    case neutroFeverGuard = "neutrofeverguard"
}

/// What confirms a single reading of a sensor that streams, by the names in the configuration.
public enum FeverConfirmation: String, CaseIterable, Codable, Hashable, Sendable {
    /// Some readings in a row that all reach the threshold.
    case inARow = "in-a-row"
    /// The median of the newest three readings, which forgives one that does not.
    case medianOfThree = "median-of-three"
}
