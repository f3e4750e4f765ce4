import Vitals

extension Vital {
    /// Whether a fall to a value, or a rise to it, is judged: that of glucose only below 120 and above 160 mg/dL, as the
    /// programs for transmitters have it.
    func isChangeJudged(at value: VitalValue, isFall: Bool) -> Bool {
        guard self == .glucose else { return true }
        return isFall ? value <= VitalValue(whole: 120) : value >= VitalValue(whole: 160)
    }
}

/// All limits of one vital.
public struct VitalLimits: Codable, Hashable, Sendable {
    /// Below this it is dangerous.
    public var severeLow: AlarmLimit
    /// Below this it is too low.
    public var low: AlarmLimit
    /// Above this it is too high.
    public var high: AlarmLimit
    /// Above this it is dangerous.
    public var severeHigh: AlarmLimit
    /// How far a value must be back within a limit before the alarm begins to clear, in the vital's unit.
    public var hysteresis: VitalValue
    /// For how long the value must stay back before the alarm ends.
    public var minimumHold = Duration.seconds(5)
    /// How fast it may fall.
    public var fall: ChangeLimit
    /// How fast it may rise.
    public var rise: ChangeLimit
    /// For how long it may be exactly the same before the sensor may be displaced; `nil` when off.
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
    ///   - flatLine: For how long it may be exactly the same; `nil` for ever.
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

    /// The limits with every alarm of them off.
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
    /// The limits of the vitals that have some; skin temperature has none, because it says too little about the patient.
    ///
    /// The usual ones are those that makers of bedside monitors ship for adults. Limits of change are off, because no
    /// number for them is well founded. A rate that does not change for five minutes raises an alarm (a pacemaker
    /// causes that, too: switch it off for such a patient).
    public struct Limits: Codable, Hashable, Sendable {
        /// Of the heart rate: 50 to 120, severe 40 and 140.
        public var heartRate = Limits.adultRate
        /// Of the pulse rate: 50 to 120, severe 40 and 140.
        public var pulseRate = Limits.adultRate
        /// Of the oxygen saturation: not below 90 for 15 seconds, nor below 85 at all.
        public var oxygenSaturation = VitalLimits(
            severeLow: AlarmLimit(VitalValue(whole: 85), .high),
            low: AlarmLimit(VitalValue(whole: 90), .medium, delay: .seconds(15)),
            hysteresis: VitalValue(whole: 1),
            fall: ChangeLimit(nil, within: .seconds(60), .medium))
        /// Of the body temperature: 35.5 to 38.0, in addition to the fever rules; skin is never evaluated.
        ///
        /// The delay ignores a single outlier of a streaming sensor; a spot thermometer's value raises its alarm after
        /// it.
        public var bodyTemperature = VitalLimits(
            low: AlarmLimit(VitalValue(hundredths: 3550), .medium, delay: .seconds(10)),
            high: AlarmLimit(VitalValue(hundredths: 3800), .medium, delay: .seconds(10)),
            hysteresis: VitalValue(hundredths: 10),
            fall: ChangeLimit(nil, within: .seconds(600), .medium),
            rise: ChangeLimit(nil, within: .seconds(600), .medium))

        /// Of glucose: 70 to 170, severe 50 and 250 mg/dL, as the programs for transmitters have them.
        ///
        /// One value in five minutes needs no delay. A fall or a rise of 10 mg/dL counts where it leads to trouble
        /// (`Vital.isChangeJudged`).
        public var glucose = VitalLimits(
            severeLow: AlarmLimit(VitalValue(whole: 50), .high), low: AlarmLimit(VitalValue(whole: 70), .medium),
            high: AlarmLimit(VitalValue(whole: 170), .medium), severeHigh: AlarmLimit(VitalValue(whole: 250), .high),
            hysteresis: VitalValue(whole: 5), fall: ChangeLimit(VitalValue(whole: 10), within: .seconds(360), .medium),
            rise: ChangeLimit(VitalValue(whole: 10), within: .seconds(360), .medium))
        /// Whether raw estimates of glucose raise alarms, too, which nobody has calibrated.
        public var judgesGlucoseEstimates = false

        public init() {}

        /// The vitals that have limits.
        public static let vitals: [Vital] = [.heartRate, .pulseRate, .oxygenSaturation, .bodyTemperature, .glucose]

        /// The limits of a vital; `nil` for one that has none.
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
                case .skinTemperature: nil
                }
            }
            set {
                switch vital {
                case .heartRate: heartRate = newValue ?? heartRate.off
                case .pulseRate: pulseRate = newValue ?? pulseRate.off
                case .oxygenSaturation: oxygenSaturation = newValue ?? oxygenSaturation.off
                case .bodyTemperature: bodyTemperature = newValue ?? bodyTemperature.off
                case .glucose: glucose = newValue ?? glucose.off
                case .skinTemperature: break
                }
            }
        }

        /// Every limit off.
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
