import Vitals

/// The single-reading fever rule for one source of body temperature: a confirmed reading of 38.3 °C or more.
///
/// A sensor that streams must reach the threshold in three readings in a row; specials such as NaN in between neither
/// count nor start the row anew, because the rule is about valid samples. A thermometer's reading counts alone when no
/// other came from it in the minute before: it is a spot measurement, and nothing may follow it.
///
/// The episode ends when every temperature has been below 37.8 °C for 30 minutes, by the first and the last of at least
/// two readings; between the two temperatures it stays, so that it does not flap. Skin temperature is never judged.
/// Readings that the sensor itself calls questionable count: leaving a fever out is worse than naming one too many.
struct FeverRule: Hashable, Sendable {
    /// Samples closer together than this, in nanoseconds, count as one.
    private static let sameSample: Int64 = 250_000_000

    private var inARow = 0
    /// When a sample last counted as a confirmation.
    private var lastCounted: Int64?
    private var lastSample: Int64?
    private var firstCool: Int64?
    private(set) var isMet = false

    /// What the rule says about a new sample.
    mutating func judge(_ sample: Sample, settings: MonitorSettings.Fever) -> AlarmVerdict {
        guard sample.site != .skin else { return .unjudgeable(nil) }
        let moment = sample.moment.monotonicNanoseconds
        let gap = lastSample.map { moment.subtractingSaturated($0) }
        lastSample = moment
        return isMet
            ? judgeEnd(sample, at: moment, settings: settings)
            : judgeBeginning(sample, at: moment, gap: gap, settings: settings)
    }

    /// Forgets the episode: the user has declared it over.
    mutating func clear() {
        inARow = 0
        firstCool = nil
        isMet = false
    }

    private mutating func judgeBeginning(
        _ sample: Sample, at moment: Int64, gap: Int64?, settings: MonitorSettings.Fever
    ) -> AlarmVerdict {
        guard sample.value >= settings.threshold else {
            inARow = 0
            return .unmet
        }
        if let gap, gap >= settings.confirmationGap.nanoseconds { inARow = 0 }
        // BlueZ tells each listener of a value once for every program that subscribes to it; none confirms itself.
        if inARow == 0 || lastCounted.map({ moment.subtractingSaturated($0) >= Self.sameSample }) ?? true {
            inARow += 1
            lastCounted = moment
        }
        let isSpot = sample.sensor.kind == .thermometer && (gap.map { $0 > settings.spotInterval.nanoseconds } ?? true)
        guard isSpot || inARow >= settings.confirmationCount else {
            return .suspected(.init(count: inARow, wanted: settings.confirmationCount))
        }
        isMet = true
        firstCool = nil
        return .met
    }

    private mutating func judgeEnd(
        _ sample: Sample, at moment: Int64, settings: MonitorSettings.Fever
    ) -> AlarmVerdict {
        guard sample.value < settings.clearBelow else {
            firstCool = nil
            return .met
        }
        let coolSince = firstCool ?? moment
        firstCool = coolSince
        guard moment.subtractingSaturated(coolSince) >= settings.clearDuration.nanoseconds else { return .met }
        clear()
        return .unmet
    }
}
