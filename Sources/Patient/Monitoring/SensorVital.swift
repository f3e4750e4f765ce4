import Base
import Vitals

/// The state of one vital from one sensor.
public struct SensorVital: Codable, Hashable, Sendable {
    public let vital: Vital
    /// The condition of the vital from this sensor.
    public private(set) var condition: VitalCondition = .neverSeen {
        didSet { standing = Standing(condition) }
    }
    /// The standing of the condition.
    private(set) var standing = Standing(.neverSeen)
    /// When it last reported a value or an absence.
    public internal(set) var lastReading: Moment?
    /// The last late values; they are never current.
    public private(set) var late: LateSeries?
    /// When it last sent late values or the program was not listening: silence counts from then.
    private var silenceCountsFrom: Moment?
    /// The interval, in nanoseconds, used for freshness: learned, within sensible bounds.
    private(set) var intervalNanoseconds: Int64
    /// Whether it is measured on request only, as by an ear thermometer, so that silence afterwards is normal.
    ///
    /// The intervals show which thermometers stream, or the thermometer announces it; no other kind measures on
    /// request.
    private(set) var isOnRequest = false
    /// The interval, in nanoseconds, that a thermometer announced; `nil` for none.
    private var announced: Int64?
    /// The fever rule's state; used for body temperature only.
    var fever = FeverRule()
    /// The state of the limit rules.
    var watch = ValueWatch()
    /// The strength of the pulse; used for the perfusion index only.
    var pulse = PulseStrength()
    private var arrivals = ArrivalInterval()
    /// Whether its values arrive several times each.
    private(set) var copies = ValueCopies()

    init(vital: Vital, limits: FreshnessLimits) {
        self.vital = vital
        intervalNanoseconds = limits.interval(of: vital, learned: nil)
    }

    /// Its last value, current or not.
    public var lastSample: Sample? { condition.lastSample }

    /// The interval at which it usually sends, learned or assumed.
    public var interval: Duration { .nanoseconds(intervalNanoseconds) }

    /// Records how often the sensor measures, as it announces.
    mutating func announce(_ interval: AnnouncedInterval, limits: FreshnessLimits) {
        announced = interval.isOnRequest ? nil : Duration.seconds(interval.seconds).nanoseconds
        intervalNanoseconds = limits.interval(of: vital, learned: arrivals.median, announced: announced)
    }

    /// Handles a reading; `outcome` is the reading's, after implausible values were turned into absences.
    mutating func receive(
        _ reading: Reading, from sensor: SensorIdentity, outcome: Reading.Outcome, at moment: Moment,
        limits: FreshnessLimits
    ) {
        copies.arrived(outcome, at: moment.monotonic)
        arrivals.arrived(at: moment.monotonic)
        intervalNanoseconds = limits.interval(of: vital, learned: arrivals.median, announced: announced)
        isOnRequest =
            reading.sensor.kind == .thermometer && !limits.isPace(arrivals.median)
            && !limits.keeps(announced, learned: arrivals.median)
        lastReading = moment
        switch outcome {
        case .measured(let value, let quality):
            condition = .measured(
                Sample(
                    value: value, quality: quality, moment: moment, sensor: sensor, site: reading.site,
                    calibration: reading.calibration))
        case .noMeasurement(let reason):
            let absence = condition.absence
            condition = .noMeasurement(
                Absence(
                    reason: reason, since: absence?.reason == reason ? absence?.since ?? moment : moment,
                    sensor: sensor, last: lastSample))
        }
    }

    /// Handles a late reading, which does not change the present.
    mutating func receiveLate(
        _ reading: Reading, _ interval: LateInterval, outcome: Reading.Outcome, limits: FreshnessLimits
    ) {
        if lastReading == nil { isOnRequest = reading.sensor.kind == .thermometer && !limits.isPace(arrivals.median) }
        guard case .measured(let value, let quality) = outcome, quality.countsInFigures else { return }
        let sample = Sample(
            value: value, quality: quality, moment: interval.estimate, sensor: reading.sensor, site: reading.site,
            calibration: reading.calibration)
        guard let series = late, series.arrived >= lastReading ?? series.arrived else {
            late = LateSeries(sample, interval, arrived: reading.moment)
            return
        }
        late?.append(sample, interval, arrived: reading.moment)
    }

    /// Counts silence from this moment on, because the program was not listening before.
    mutating func listens(from moment: Moment) {
        silenceCountsFrom = max(silenceCountsFrom ?? moment, moment)
    }

    /// Marks its value as lost, because no more reports arrive.
    mutating func lose() {
        condition = lastSample.map { .lost($0) } ?? .neverSeen
    }

    /// Renames its sensor, also in earlier values.
    mutating func rename(_ sensor: SensorIdentity) {
        condition = condition.renamed(sensor)
    }

    /// Handles a lost or new link: the interval of arrivals is interrupted.
    mutating func linkChanged() {
        arrivals.interrupted()
        fever.linkChanged()
    }

    /// Resets the rules for another patient.
    mutating func forgetPatient() {
        fever = FeverRule()
        watch = ValueWatch()
        pulse = PulseStrength()
    }

    /// Updates the condition for the time and the state of the link.
    mutating func refresh(now: Moment, link: SensorState.Link, sensor: SensorIdentity, limits: FreshnessLimits) {
        switch link {
        case .notWanted(let since):
            condition = .notConnected(last: lastSample, since: since)
        case .lost(let since):
            // A vital that the sensor never reported has nothing to lose.
            guard lastReading != nil else { condition = .neverSeen; return }
            condition = .noMeasurement(Absence(reason: .linkLost, since: since, sensor: sensor, last: lastSample))
        case .up(let since):
            let reference = max(lastReading ?? since, since)
            let heard = max(reference, silenceCountsFrom ?? reference)
            let silence = now.monotonic.nanoseconds(since: heard.monotonic)
            guard isOnRequest || silence < limits.lostAfter(interval: intervalNanoseconds) else {
                if condition.absence?.reason != .silent {
                    condition = .noMeasurement(
                        Absence(reason: .silent, since: reference, sensor: sensor, last: lastSample))
                }
                return
            }
            refreshByAge(now: now, subscribed: since, limits: limits)
        case .unknown:
            refreshByAge(now: now, subscribed: nil, limits: limits)
        }
    }

    /// When time alone will next change the condition.
    func nextChange(link: SensorState.Link, limits: FreshnessLimits) -> MonotonicTime? {
        let lostAfter = limits.lostAfter(interval: intervalNanoseconds)
        var change: MonotonicTime?
        switch link {
        case .notWanted, .lost: return nil
        case .unknown: break
        case .up(let since):
            guard condition.absence?.reason != .silent else { return nil }
            if isOnRequest { break }
            let heard = max(lastReading ?? since, since, silenceCountsFrom ?? since)
            change = heard.monotonic.advanced(byNanoseconds: lostAfter)
        }
        switch condition {
        case .measured(let sample):
            let stale = sample.moment.monotonic.advanced(
                byNanoseconds: limits.staleAfter(interval: intervalNanoseconds))
            return min(change ?? stale, stale)
        case .stale(let sample):
            let lost = sample.moment.monotonic.advanced(byNanoseconds: lostAfter)
            return min(change ?? lost, lost)
        case .neverSeen, .lost, .noMeasurement, .notConnected:
            return change
        }
    }

    private mutating func refreshByAge(now: Moment, subscribed: Moment?, limits: FreshnessLimits) {
        switch condition {
        case .measured(let sample), .stale(let sample), .lost(let sample):
            condition = aged(sample, now: now, subscribed: subscribed, limits: limits)
        case .noMeasurement(let absence) where absence.reason == .silent || absence.reason == .linkLost:
            condition = reconnected(last: absence.last, now: now, subscribed: subscribed, limits: limits)
        case .notConnected(let last, _):
            condition = reconnected(last: last, now: now, subscribed: subscribed, limits: limits)
        case .neverSeen, .noMeasurement:
            break
        }
    }

    /// After a reconnection the last value is the last known one, unless the sensor had withdrawn it.
    private func reconnected(
        last: Sample?, now: Moment, subscribed: Moment?, limits: FreshnessLimits
    ) -> VitalCondition {
        guard let last else { return .neverSeen }
        guard last.moment == lastReading else { return .lost(last) }
        return aged(last, now: now, subscribed: subscribed, limits: limits)
    }

    private func aged(_ sample: Sample, now: Moment, subscribed: Moment?, limits: FreshnessLimits) -> VitalCondition {
        let age = now.monotonic.nanoseconds(since: sample.moment.monotonic)
        if age >= limits.lostAfter(interval: intervalNanoseconds) { return .lost(sample) }
        // A value from before the link was lost is not current again just because the link is back.
        let isFromBefore = subscribed.map { sample.moment < $0 } ?? false
        if isFromBefore || age >= limits.staleAfter(interval: intervalNanoseconds) { return .stale(sample) }
        return .measured(sample)
    }
}

/// Learns the interval at which a sensor usually sends, from the times of arrival.
///
/// The interval is the median of the last five gaps between arrivals, so that one outlier does not change it. Arrivals
/// within a quarter of a second count as one: a sensor may send twice in one radio event.
struct ArrivalInterval: Codable, Hashable, Sendable {
    private static let depth = 5
    private static let sameArrival: Int64 = 250_000_000

    /// The last gaps in nanoseconds in lanes 0 to 4, as a ring buffer.
    ///
    /// A vector, because it is stored inline.
    private var gaps = SIMD8<Int64>(repeating: 0)
    private var count = 0
    private var next = 0
    private var lastArrival: MonotonicTime?

    /// The median gap in nanoseconds; `nil` before the second arrival.
    private(set) var median: Int64?

    /// Records an arrival.
    mutating func arrived(at time: MonotonicTime) {
        guard let lastArrival else {
            self.lastArrival = time
            return
        }
        let gap = time.nanoseconds(since: lastArrival)
        guard gap >= Self.sameArrival else { return }
        self.lastArrival = time
        gaps[next] = gap
        next = (next + 1) % Self.depth
        count = min(count + 1, Self.depth)
        median = lowerMedian()
    }

    /// Forgets the last arrival: the next gap is not the sensor's interval, because the link was lost in between.
    mutating func interrupted() {
        lastArrival = nil
    }

    private func lowerMedian() -> Int64 {
        var sorted = gaps
        for index in 1..<max(1, count) {
            var place = index
            while place > 0, sorted[place - 1] > sorted[place] {
                let lower = sorted[place]
                sorted[place] = sorted[place - 1]
                sorted[place - 1] = lower
                place -= 1
            }
        }
        return sorted[(count - 1) / 2]
    }
}

/// Consecutive late values of one sensor and vital, without a current one between them.
public struct LateSeries: Codable, Hashable, Sendable {
    /// The earliest possible time of measurement.
    public private(set) var from: Moment
    /// The latest possible time of measurement.
    public private(set) var to: Moment
    /// When the newest of them arrived.
    public private(set) var arrived: Moment
    /// The number of values.
    public private(set) var count = 1
    /// The one measured last; its moment is the estimate.
    public private(set) var last: Sample
    public private(set) var highest: VitalValue
    public private(set) var lowest: VitalValue

    init(_ sample: Sample, _ interval: LateInterval, arrived: Moment) {
        (from, to, self.arrived) = (interval.from, interval.to, arrived)
        (last, highest, lowest) = (sample, sample.value, sample.value)
    }

    mutating func append(_ sample: Sample, _ interval: LateInterval, arrived: Moment) {
        (from, to, self.arrived) = (min(from, interval.from), max(to, interval.to), max(self.arrived, arrived))
        count = count.addingSaturated(1)
        if sample.moment >= last.moment { last = sample }
        (highest, lowest) = (max(highest, sample.value), min(lowest, sample.value))
    }
}

/// Recognises that each value of a sensor arrives several times, because BlueZ signals it once for every subscribed
/// program, and those copies could not be removed earlier.
///
/// A value that equals the previous one within 50 ms adds nothing, whether it is a copy or the sensor repeated it.
struct ValueCopies: Codable, Hashable, Sendable {
    private static let longestPause = Duration.milliseconds(50)
    /// The number of successive values that must agree before ``areExpected`` changes.
    private static let certainty = 3

    /// Whether the newest outcome repeats the previous one.
    private(set) var isRepeat = false
    /// Whether values arrive several times each.
    private(set) var areExpected = false
    private var last: Reading.Outcome?
    private var lastArrival = MonotonicTime(nanoseconds: 0)
    private var isRepeated = false
    private var agreeing = 0

    /// Records an outcome.
    mutating func arrived(_ outcome: Reading.Outcome, at time: MonotonicTime) {
        defer { (last, lastArrival) = (outcome, time) }
        isRepeat = outcome == last && time.since(lastArrival) <= Self.longestPause
        guard !isRepeat else {
            isRepeated = true
            return
        }
        // The value before is complete.
        agreeing = isRepeated == areExpected || last == nil ? 0 : agreeing + 1
        isRepeated = false
        guard agreeing >= Self.certainty else { return }
        areExpected.toggle()
        agreeing = 0
    }
}
