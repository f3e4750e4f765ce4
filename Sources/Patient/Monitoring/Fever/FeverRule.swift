import Vitals

/// The fever rule for one source of body temperature, by its settings: Bedside's, or that of NeutroFeverGuard.
///
/// A value of bounded size; the work for a sample does not depend on the number of earlier ones. Time is the moment of
/// arrival on the monotonic clock, or the estimate for a late value. Skin temperature is never evaluated. Readings that
/// the sensor reports as questionable count, because missing a fever is worse than a false one.
struct FeverRule: Codable, Hashable, Sendable {
    private var single = SingleReadingRule()
    private var sustained = SustainedRule()
    private var ending = FeverEnding()
    private var neutroFeverGuard = NeutroFeverGuardRule()
    private var newest: MonotonicTime?

    /// Returns the rule's verdict on each of its conditions after a new sample.
    mutating func evaluate(_ sample: Sample, settings: MonitorSettings.Fever) -> FeverVerdict {
        guard sample.site != .skin else { return .notEvaluated }
        // An overtaken sample counts at the newest one's time, because time does not go back.
        let time = max(sample.moment.monotonic, newest ?? .distantPast)
        let gap = newest.map { time.since($0) }
        newest = time
        switch settings.rule {
        case .bedside:
            let isOver = ending.isOver(after: sample.value, at: time, gap: gap, settings: settings)
            return FeverVerdict(
                single: single.evaluate(sample, at: time, isOver: isOver, settings: settings),
                sustained: sustained.evaluate(sample.value, at: time, isOver: isOver, settings: settings),
                singleLimit: settings.threshold)
        case .neutroFeverGuard:
            let limit = neutroFeverGuard.evaluate(sample.value, at: time)
            return FeverVerdict(
                single: limit == nil ? .unmet : .met, sustained: .unmet,
                singleLimit: limit ?? NeutroFeverGuardRule.singleLimit)
        }
    }

    /// The progress of the rule for sustained fever, or why it cannot evaluate; `nil` if there is nothing to report.
    func progress(at now: Moment, settings: MonitorSettings.Fever) -> FeverProgress? {
        guard settings.rule == .bedside, let newest else { return nil }
        return sustained.progress(at: max(now.monotonic, newest), settings: settings)
    }

    /// Handles a lost or new link: the values after a new subscription do not show that a sensor streams.
    mutating func linkChanged() {
        single.linkChanged()
    }

    /// Whether its parts are consistent; another program may have sent it.
    var isCoherent: Bool { sustained.isCoherent }

    /// Resumes an episode of one condition from the log.
    mutating func resume(_ kind: AlarmKind) {
        switch kind {
        case .feverSingle: single.resume()
        case .feverSustained: sustained.resume()
        default: break
        }
    }

    /// Forgets an episode of one condition that the user has declared over.
    mutating func clear(_ kind: AlarmKind) {
        switch kind {
        case .feverSingle:
            single.clear()
            neutroFeverGuard = NeutroFeverGuardRule()
        case .feverSustained: sustained = SustainedRule()
        default: break
        }
    }
}

/// The fever rule's verdicts on its two conditions.
struct FeverVerdict: Hashable, Sendable {
    /// A single confirmed reading; with NeutroFeverGuard's rule, the verdict of that rule.
    var single: AlarmVerdict
    /// Sustained for an hour.
    var sustained: AlarmVerdict
    /// The limit of ``single``.
    var singleLimit: VitalValue?

    /// The verdict for a sample that is not evaluated.
    static let notEvaluated = FeverVerdict(single: .indeterminate(nil), sustained: .indeterminate(nil))
}

/// Decides when a fever has ended: no temperature of 37.8 °C or more for 30 minutes.
///
/// The half hour counts from the last sample of at least that temperature, or, after a gap in the samples, from the
/// first cooler one, because the gap is unknown. Only a cooler sample ends a fever; silence never does.
struct FeverEnding: Codable, Hashable, Sendable {
    private var coolSince: MonotonicTime?
    private var wasCool = false

    /// Records a sample and returns whether a fever would have ended.
    mutating func isOver(
        after value: VitalValue, at time: MonotonicTime, gap: Duration?, settings: MonitorSettings.Fever
    ) -> Bool {
        guard value < settings.clearBelow else {
            coolSince = time
            wasCool = false
            return false
        }
        let isUnbroken = gap.map { $0 <= settings.largestGap } ?? false
        let since = wasCool || isUnbroken ? coolSince ?? time : time
        coolSince = since
        wasCool = true
        return time.since(since) >= settings.clearDuration
    }
}

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

/// The second step of the fever rule: 38.0 °C or more, sustained for an hour.
///
/// The samples of a source without a long gap must span the hour; enough of its minutes must have samples, and nearly
/// all of those a median of 38.0 °C or more. So a single sample makes no fever, and a single dip hides none.
struct SustainedRule: Codable, Hashable, Sendable {
    private var minutes = TemperatureMinutes()
    private var isMet = false
    /// Whether it has begun to count; only a sample at the threshold begins it.
    private var isSuspected = false

    /// Returns the rule's verdict after a sample.
    ///
    /// - Parameter isOver: Whether a fever would have ended by now.
    mutating func evaluate(
        _ value: VitalValue, at time: MonotonicTime, isOver: Bool, settings: MonitorSettings.Fever
    ) -> AlarmVerdict {
        minutes.enter(value, at: time, settings: settings)
        if isMet, !isOver { return .met }
        let tally = minutes.tally(at: time, settings: settings)
        // With unusual settings most of the window may still be warm when the fever has ended: that is not a new one.
        isMet = tally.isWarm && !isOver
        isSuspected = tally.warmMinutes > 0 && (isSuspected || value >= settings.sustainedThreshold)
        if isMet { return .met }
        // The progress reports too few samples; they neither raise nor end an alarm.
        guard isSuspected else { return .unmet }
        return .suspected(.init(count: tally.warmMinutes, wanted: settings.windowMinutes))
    }

    /// Whether its parts are consistent.
    var isCoherent: Bool { minutes.isCoherent }

    /// Resumes an episode of an earlier run.
    mutating func resume() {
        isMet = true
        isSuspected = true
    }

    /// The progress of the rule, or why it cannot evaluate; `nil` if it can.
    func progress(at now: MonotonicTime, settings: MonitorSettings.Fever) -> FeverProgress? {
        guard !isMet else { return nil }
        let tally = minutes.tally(at: now, settings: settings)
        let window = settings.windowMinutes
        if isSuspected, tally.warmMinutes > 0, !tally.isSpanned || tally.suffices {
            return .warm(minutes: tally.warmMinutes, of: window)
        }
        return tally.suffices ? nil : .insufficientData(minutes: tally.minutes, of: window)
    }
}

/// The first step of the fever rule: a confirmed reading of 38.3 °C or more.
///
/// A streaming sensor must confirm it, by consecutive readings or by the median of three; special values such as NaN in
/// between neither count nor restart the sequence, because the rule is about valid samples. A measurement on request
/// counts alone, because no other may follow.
struct SingleReadingRule: Codable, Hashable, Sendable {
    /// Samples closer together than this with equal values count as one.
    private static let sameSample = Duration.milliseconds(250)
    /// The greatest configurable number of consecutive readings.
    private static let longestRow = 60

    /// Whether the newest counted samples reached the threshold, the newest in the lowest bit.
    private var row: UInt64 = 0
    private var lastCounted: MonotonicTime?
    private var lastSample: MonotonicTime?
    private var pace = MeasurementPace()
    private var isMet = false

    /// Returns the rule's verdict after a sample.
    ///
    /// - Parameter isOver: Whether a fever would have ended by now.
    mutating func evaluate(
        _ sample: Sample, at time: MonotonicTime, isOver: Bool, settings: MonitorSettings.Fever
    ) -> AlarmVerdict {
        let isSpot = pace.isSpot(sample, at: time, interval: settings.spotInterval)
        let gap = lastSample.map { time.since($0) }
        lastSample = time
        if isMet {
            guard isOver else { return .met }
            clear()
        }
        if let gap, gap >= settings.confirmationGap { row = 0 }
        let isHot = sample.value >= settings.threshold
        count(isHot, at: time)
        let confirmations = confirmations(settings)
        guard isHot && isSpot || confirmations.count >= confirmations.wanted else {
            return confirmations.count == 0 ? .unmet : .suspected(confirmations)
        }
        isMet = true
        row = 0
        return .met
    }

    /// Resumes an episode of an earlier run.
    mutating func resume() {
        isMet = true
        row = 0
    }

    /// Forgets an episode that the user has declared over.
    mutating func clear() {
        isMet = false
        row = 0
    }

    /// Handles a link that went or came.
    mutating func linkChanged() { pace = MeasurementPace() }

    private mutating func count(_ isHot: Bool, at time: MonotonicTime) {
        // BlueZ sends each value to every listener once for each subscribed program; copies do not confirm each other.
        let isAnother = lastCounted.map { time.since($0) >= Self.sameSample } ?? true
        guard isAnother || isHot != (row & 1 == 1) else { return }
        row = row << 1 | (isHot ? 1 : 0)
        lastCounted = time
    }

    /// The number of readings that confirm the fever, and the required number.
    private func confirmations(_ settings: MonitorSettings.Fever) -> Alarm.Confirmations {
        switch settings.confirmation {
        case .inARow:
            let wanted = settings.confirmationCount.clamped(to: 1...Self.longestRow)
            return Alarm.Confirmations(count: min((~row).trailingZeroBitCount, wanted), wanted: wanted)
        case .medianOfThree:
            // The median of three reaches the threshold when two of them do. A warm one followed by two cool ones no
            // longer counts.
            let count = (row & 0b111).nonzeroBitCount
            return Alarm.Confirmations(count: row & 0b11 == 0 ? 0 : count, wanted: 2)
        }
    }
}

/// Distinguishes measurements on request, as with an ear thermometer, from a streaming thermometer.
///
/// A thermometer streams if three final values arrived within a minute of each other; measuring both ears of a patient
/// is no stream. Intermediate values before a final one do not count.
struct MeasurementPace: Codable, Hashable, Sendable {
    /// A shorter distance means the same measurement sent twice.
    private static let sameMeasurement = Duration.milliseconds(250)

    private var lastFinal: MonotonicTime?
    /// The number of consecutive short gaps; only the last two matter.
    private var shortGaps = 0

    /// Whether a sample is a measurement that counts alone.
    mutating func isSpot(_ sample: Sample, at time: MonotonicTime, interval: Duration) -> Bool {
        // Each typed value is one measurement, however quickly they follow.
        if sample.sensor.kind == .manual { return true }
        guard sample.sensor.kind == .thermometer, sample.quality == .good else { return false }
        let gap = lastFinal.map { time.since($0) }
        if gap.map({ $0 >= Self.sameMeasurement }) ?? true {
            lastFinal = time
            shortGaps = gap.map { $0 <= interval } ?? false ? min(shortGaps + 1, 2) : 0
        }
        return shortGaps < 2
    }
}

/// The progress of the rule for sustained fever for a source of body temperature, while it has detected none.
public enum FeverProgress: Hashable, Sendable {
    /// The temperature was high for this many of the required minutes.
    case warm(minutes: Int, of: Int)
    /// There are too few samples to evaluate: this many of the required minutes have some.
    case insufficientData(minutes: Int, of: Int)

    /// Whether there are enough samples to evaluate.
    public var isEvaluated: Bool {
        if case .warm = self { true } else { false }
    }
}

extension MonitorState {
    /// The progress of the rule for sustained fever for the source of body temperature, or that it cannot evaluate;
    /// `nil` if there is nothing to report.
    public var feverProgress: FeverProgress? {
        guard let ordinal = self[.bodyTemperature].sourceOrdinal,
            let row = table.row(ordinal: ordinal),
            let place = table[row].place(of: .bodyTemperature)
        else { return nil }
        return table[row].vitals[place].fever.progress(at: now, settings: settings.fever)
    }
}
