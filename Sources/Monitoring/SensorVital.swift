import SaturatingArithmetic
import Vitals

/// What one sensor says about one vital.
public struct SensorVital: Codable, Hashable, Sendable {
    /// Which vital.
    public let vital: Vital
    /// What is known about it from this sensor.
    public private(set) var condition: VitalCondition = .neverSeen {
        didSet { standing = Standing(condition) }
    }
    /// What the condition amounts to.
    private(set) var standing = Standing(.neverSeen)
    /// When it last gave a value or an absence.
    public internal(set) var lastReading: Moment?
    /// The late values that came last; they are never current.
    public private(set) var late: LateSeries?
    /// When there was nobody to hear it, or it sent late values, last: silence counts from then on.
    private var silenceCountsFrom: Moment?
    /// The interval, in nanoseconds, that freshness is reckoned with: learned, within sensible bounds.
    private(set) var intervalNanoseconds: Int64
    /// Whether it comes on request only, as from an ear thermometer, so that silence afterwards means nothing.
    ///
    /// Which thermometers stream is seen from their pace; no other kind measures on request.
    private(set) var isOnRequest = false
    /// The fever rule's memory; used for body temperature only.
    var fever = FeverRule()
    /// What the limits remember.
    var watch = ValueWatch()
    private var arrivals = ArrivalInterval()
    /// Whether its values come several times each.
    private(set) var copies = ValueCopies()

    init(vital: Vital, limits: FreshnessLimits) {
        self.vital = vital
        intervalNanoseconds = limits.interval(of: vital, learned: nil)
    }

    /// The last value that it gave, current or not.
    public var lastSample: Sample? { condition.lastSample }

    /// The interval at which it usually sends, as far as learned.
    public var interval: Duration { .nanoseconds(intervalNanoseconds) }

    /// Takes a reading in; `outcome` is the reading's, after implausible values were turned into absences.
    mutating func receive(
        _ reading: Reading, from sensor: SensorIdentity, outcome: Reading.Outcome, at moment: Moment,
        limits: FreshnessLimits
    ) {
        copies.arrived(outcome, at: moment.monotonicNanoseconds)
        arrivals.arrived(at: moment.monotonicNanoseconds)
        intervalNanoseconds = limits.interval(of: vital, learned: arrivals.median)
        isOnRequest = reading.sensor.kind == .thermometer && !limits.isPace(arrivals.median)
        lastReading = moment
        switch outcome {
        case .measured(let value, let quality):
            condition = .measured(
                Sample(value: value, quality: quality, moment: moment, sensor: sensor, site: reading.site))
        case .noMeasurement(let reason):
            let absence = condition.absence
            condition = .noMeasurement(
                Absence(
                    reason: reason, since: absence?.reason == reason ? absence?.since ?? moment : moment,
                    sensor: sensor, last: lastSample))
        }
    }

    /// Takes a late reading in, which says nothing of now but that something came.
    mutating func receiveLate(
        _ reading: Reading, _ interval: LateInterval, outcome: Reading.Outcome, limits: FreshnessLimits
    ) {
        if lastReading == nil { isOnRequest = reading.sensor.kind == .thermometer && !limits.isPace(arrivals.median) }
        guard case .measured(let value, let quality) = outcome else { return }
        let sample = Sample(
            value: value, quality: quality, moment: interval.estimate, sensor: reading.sensor, site: reading.site)
        guard let series = late, series.arrived >= lastReading ?? series.arrived else {
            late = LateSeries(sample, interval, arrived: reading.moment)
            return
        }
        late?.append(sample, interval, arrived: reading.moment)
    }

    /// Whoever stood still could hear nothing: it is silent if nothing comes from now on.
    mutating func listens(from moment: Moment) {
        silenceCountsFrom = max(silenceCountsFrom ?? moment, moment)
    }

    /// Lets its value be a thing of the past, because nobody tells of it any more.
    mutating func lose() {
        condition = lastSample.map { .lost($0) } ?? .neverSeen
    }

    /// Its sensor goes by another name, also in what was said before.
    mutating func rename(_ sensor: SensorIdentity) {
        condition = condition.renamed(sensor)
    }

    /// The link went or came: the pace of arrivals is interrupted.
    mutating func linkChanged() {
        arrivals.interrupted()
        fever.linkChanged()
    }

    /// Forgets what the rules remember: another patient.
    mutating func forgetPatient() {
        fever = FeverRule()
        watch = ValueWatch()
    }

    /// Lets time and the state of the link act on the condition.
    mutating func refresh(now: Moment, link: SensorState.Link, sensor: SensorIdentity, limits: FreshnessLimits) {
        switch link {
        case .notWanted(let since):
            condition = .notConnected(last: lastSample, since: since)
        case .lost(let since):
            // A vital that the sensor never spoke of has nothing to lose.
            guard lastReading != nil else { condition = .neverSeen; return }
            condition = .noMeasurement(Absence(reason: .linkLost, since: since, sensor: sensor, last: lastSample))
        case .up(let since):
            let reference = max(lastReading ?? since, since)
            let silence = age(of: max(reference, silenceCountsFrom ?? reference), now)
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

    /// When time alone will change the condition next, in nanoseconds of the monotonic clock.
    func nextChange(link: SensorState.Link, limits: FreshnessLimits) -> Int64? {
        let lostAfter = limits.lostAfter(interval: intervalNanoseconds)
        var change: Int64?
        switch link {
        case .notWanted, .lost: return nil
        case .unknown: break
        case .up(let since):
            guard condition.absence?.reason != .silent else { return nil }
            if isOnRequest { break }
            let heard = max(lastReading ?? since, since, silenceCountsFrom ?? since)
            change = heard.monotonicNanoseconds.addingSaturated(lostAfter)
        }
        switch condition {
        case .measured(let sample):
            let stale = sample.moment.monotonicNanoseconds.addingSaturated(
                limits.staleAfter(interval: intervalNanoseconds))
            return min(change ?? stale, stale)
        case .stale(let sample):
            let lost = sample.moment.monotonicNanoseconds.addingSaturated(lostAfter)
            return min(change ?? lost, lost)
        case .neverSeen, .lost, .noMeasurement, .notConnected:
            return change
        }
    }

    private func age(of moment: Moment, _ now: Moment) -> Int64 {
        now.monotonicNanoseconds.subtractingSaturated(moment.monotonicNanoseconds)
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

    /// After a reconnect the last value is the last that is known, unless the sensor had taken it back.
    private func reconnected(
        last: Sample?, now: Moment, subscribed: Moment?, limits: FreshnessLimits
    ) -> VitalCondition {
        guard let last else { return .neverSeen }
        guard last.moment == lastReading else { return .lost(last) }
        return aged(last, now: now, subscribed: subscribed, limits: limits)
    }

    private func aged(_ sample: Sample, now: Moment, subscribed: Moment?, limits: FreshnessLimits) -> VitalCondition {
        let age = age(of: sample.moment, now)
        if age >= limits.lostAfter(interval: intervalNanoseconds) { return .lost(sample) }
        // A value from before the link was lost is not current again merely because the link is back.
        let isFromBefore = subscribed.map { sample.moment < $0 } ?? false
        if isFromBefore || age >= limits.staleAfter(interval: intervalNanoseconds) { return .stale(sample) }
        return .measured(sample)
    }
}
