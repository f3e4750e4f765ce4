import Vitals

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
