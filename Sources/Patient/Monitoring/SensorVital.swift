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
    /// The intervals show which thermometers stream; no other kind measures on request.
    private(set) var isOnRequest = false
    /// The fever rule's state; used for body temperature only.
    var fever = FeverRule()
    /// The state of the limit rules.
    var watch = ValueWatch()
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

    /// Handles a reading; `outcome` is the reading's, after implausible values were turned into absences.
    mutating func receive(
        _ reading: Reading, from sensor: SensorIdentity, outcome: Reading.Outcome, at moment: Moment,
        limits: FreshnessLimits
    ) {
        copies.arrived(outcome, at: moment.monotonic)
        arrivals.arrived(at: moment.monotonic)
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

    /// Handles a late reading, which does not change the present.
    mutating func receiveLate(
        _ reading: Reading, _ interval: LateInterval, outcome: Reading.Outcome, limits: FreshnessLimits
    ) {
        if lastReading == nil { isOnRequest = reading.sensor.kind == .thermometer && !limits.isPace(arrivals.median) }
        guard case .measured(let value, let quality) = outcome, quality.countsInFigures else { return }
        let sample = Sample(
            value: value, quality: quality, moment: interval.estimate, sensor: reading.sensor, site: reading.site)
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
