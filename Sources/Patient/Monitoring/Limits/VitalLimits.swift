import Vitals

extension Vital {
    /// Whether a fall or rise to a value is evaluated: for glucose only below 120 and above 160 mg/dL, as in the
    /// programs for transmitters.
    func isChangeJudged(at value: VitalValue, isFall: Bool) -> Bool {
        guard self == .glucose else { return true }
        return isFall ? value <= VitalValue(whole: 120) : value >= VitalValue(whole: 160)
    }
}

public struct VitalLimits: Codable, Hashable, Sendable {
    /// The limit below which a value is dangerous.
    public var severeLow: AlarmLimit
    /// The limit below which a value is too low.
    public var low: AlarmLimit
    /// The limit above which a value is too high.
    public var high: AlarmLimit
    /// The limit above which a value is dangerous.
    public var severeHigh: AlarmLimit
    /// How far a value must be back within a limit before the alarm begins to clear, in the vital's unit.
    public var hysteresis: VitalValue
    /// How long the value must stay back before the alarm ends.
    public var minimumHold = Duration.seconds(5)
    /// How fast it may fall.
    public var fall: ChangeLimit
    /// How fast it may rise.
    public var rise: ChangeLimit
    /// How long it may be unchanged before the sensor may be displaced; `nil` if off.
    public var flatLine: Duration?

    /// Creates limits; omitted ones are off.
    ///
    /// - Parameters:
    ///   - severeLow: The limit below which a value is far too low.
    ///   - low: The limit below which a value is too low.
    ///   - high: The limit above which a value is too high.
    ///   - severeHigh: The limit above which a value is far too high.
    ///   - hysteresis: How far a value must be back within a limit before the alarm begins to clear.
    ///   - fall: How far it may fall within a time.
    ///   - rise: How far it may rise within a time.
    ///   - flatLine: How long it may be unchanged; `nil` for no limit.
    public init(
        severeLow: AlarmLimit = AlarmLimit(nil, .high), low: AlarmLimit = AlarmLimit(nil, .medium),
        high: AlarmLimit = AlarmLimit(nil, .medium), severeHigh: AlarmLimit = AlarmLimit(nil, .high),
        hysteresis: VitalValue, fall: ChangeLimit = ChangeLimit(nil, within: .seconds(60), .medium),
        rise: ChangeLimit = ChangeLimit(nil, within: .seconds(60), .medium), flatLine: Duration? = nil
    ) {
        self.severeLow = severeLow
        self.low = low
        self.high = high
        self.severeHigh = severeHigh
        self.hysteresis = hysteresis
        self.fall = fall
        self.rise = rise
        self.flatLine = flatLine
    }

    /// One of the limits.
    public subscript(kind: LimitKind) -> AlarmLimit {
        get {
            switch kind {
            case .severeLow: severeLow
            case .low: low
            case .high: high
            case .severeHigh: severeHigh
            }
        }
        set {
            switch kind {
            case .severeLow: severeLow = newValue
            case .low: low = newValue
            case .high: high = newValue
            case .severeHigh: severeHigh = newValue
            }
        }
    }

    /// The limits with all their alarms off.
    public var off: VitalLimits {
        var limits = self
        for kind in LimitKind.allCases { limits[kind].value = nil }
        limits.fall.amount = nil
        limits.rise.amount = nil
        limits.flatLine = nil
        return limits
    }
}

extension MonitorSettings {
    /// The limits of the vitals that have some by their traits.
    ///
    /// The defaults are those of bedside monitors for adults. Limits of change are off, because no number for them is
    /// well founded. A rate that does not change for five minutes raises an alarm (a pacemaker causes that, too: switch
    /// it off for such a patient).
    public struct Limits: Codable, Hashable, Sendable {
        /// Heart rate: 50 to 120, severe 40 and 140.
        public var heartRate = Limits.adultRate
        /// Pulse rate: 50 to 120, severe 40 and 140.
        public var pulseRate = Limits.adultRate
        /// Oxygen saturation: not below 90 for 15 seconds, nor below 85 at all.
        public var oxygenSaturation = VitalLimits(
            severeLow: AlarmLimit(VitalValue(whole: 85), .high),
            low: AlarmLimit(VitalValue(whole: 90), .medium, delay: .seconds(15)),
            hysteresis: VitalValue(whole: 1),
            fall: ChangeLimit(nil, within: .seconds(60), .medium))
        /// Body temperature: 35.5 to 38.0, in addition to the fever rules; skin is never evaluated.
        ///
        /// The delay ignores a single outlier of a streaming sensor; a spot thermometer's value raises its alarm after
        /// it.
        public var bodyTemperature = VitalLimits(
            low: AlarmLimit(VitalValue(hundredths: 3550), .medium, delay: .seconds(10)),
            high: AlarmLimit(VitalValue(hundredths: 3800), .medium, delay: .seconds(10)),
            hysteresis: VitalValue(hundredths: 10),
            fall: ChangeLimit(nil, within: .seconds(600), .medium),
            rise: ChangeLimit(nil, within: .seconds(600), .medium))

        /// Glucose: 70 to 170, severe 50 and 250 mg/dL, as in the programs for transmitters.
        ///
        /// One value in five minutes needs no delay. A fall or rise of 10 mg/dL counts only towards a dangerous value
        /// (`Vital.isChangeJudged`).
        public var glucose = VitalLimits(
            severeLow: AlarmLimit(VitalValue(whole: 50), .high), low: AlarmLimit(VitalValue(whole: 70), .medium),
            high: AlarmLimit(VitalValue(whole: 170), .medium), severeHigh: AlarmLimit(VitalValue(whole: 250), .high),
            hysteresis: VitalValue(whole: 5), fall: ChangeLimit(VitalValue(whole: 10), within: .seconds(360), .medium),
            rise: ChangeLimit(VitalValue(whole: 10), within: .seconds(360), .medium))
        /// Whether uncalibrated raw estimates of glucose raise alarms, too.
        public var judgesGlucoseEstimates = false

        public init() {}

        /// The vitals with limits.
        public static let vitals = Vital.allCases.filter { $0.traits.limits != nil }

        /// The limits of a vital; `nil` for one without limits.
        ///
        /// Setting `nil` switches all of them off.
        public subscript(vital: Vital) -> VitalLimits? {
            get {
                switch vital {
                case .heartRate: heartRate
                case .pulseRate: pulseRate
                case .oxygenSaturation: oxygenSaturation
                case .bodyTemperature: bodyTemperature
                case .glucose: glucose
                default: nil
                }
            }
            set {
                switch vital {
                case .heartRate: heartRate = newValue ?? heartRate.off
                case .pulseRate: pulseRate = newValue ?? pulseRate.off
                case .oxygenSaturation: oxygenSaturation = newValue ?? oxygenSaturation.off
                case .bodyTemperature: bodyTemperature = newValue ?? bodyTemperature.off
                case .glucose: glucose = newValue ?? glucose.off
                default: break
                }
            }
        }

        public static var off: Limits {
            var limits = Limits()
            for vital in vitals { limits[vital] = nil }
            return limits
        }

        private static let adultRate = VitalLimits(
            severeLow: AlarmLimit(VitalValue(whole: 40), .high), low: AlarmLimit(VitalValue(whole: 50), .medium),
            high: AlarmLimit(VitalValue(whole: 120), .medium), severeHigh: AlarmLimit(VitalValue(whole: 140), .high),
            hysteresis: VitalValue(whole: 2), rise: ChangeLimit(nil, within: .seconds(30), .medium),
            flatLine: .seconds(300))
    }
}
