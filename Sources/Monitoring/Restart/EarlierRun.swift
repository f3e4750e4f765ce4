import SaturatingArithmetic
import Vitals

/// What earlier runs of the program leave to the next one, out of the store: the alarms about the patient, and what the
/// fever rules remember of the temperatures that were recorded.
public struct EarlierRun: Codable, Hashable, Sendable {
    /// What the log leaves.
    let alarms: OutstandingAlarms
    /// The fever rules, one for each sensor.
    let fevers: [Fever]

    /// A fever rule as it was when the program ended.
    struct Fever: Codable, Hashable, Sendable {
        var sensor: SensorIdentity
        /// The rule, before ``last``.
        var rule: FeverRule
        /// The newest temperature; `nil` when none is in the store any more.
        var last: Sample?
    }

    /// Lets the fever rules judge recorded temperatures again, by the code that judges live ones.
    ///
    /// - Parameters:
    ///   - alarms: What the log leaves.
    ///   - temperatures: Body temperatures as they were recorded since ``OutstandingAlarms/feverStart(at:_:)``.
    ///   - settings: The rules.
    ///   - now: The present, by both clocks; recorded times are brought to it by the wall clock.
    public init(
        _ alarms: OutstandingAlarms, temperatures: [Reading], settings: MonitorSettings.Fever, at now: Moment
    ) {
        self.alarms = alarms
        let episodes = alarms.remaining { $0.mayContinue(at: now, settings) }.going.filter { episode in
            episode.change.kind.isFever && episode.change.sensor?.kind != .manual
        }
        var samples: [String: [Sample]] = [:]
        for episode in episodes { episode.change.sensor.map { samples[$0.address] = [] } }
        for reading in temperatures {
            let moment = (reading.late?.estimate ?? reading.moment).wallMilliseconds
            guard reading.vital == .bodyTemperature, moment <= now.wallMilliseconds,
                case .measured(let value, let quality) = reading.outcome
            else { continue }
            samples[reading.sensor.address, default: []].append(
                Sample(
                    value: value, quality: quality, moment: Moment(wallMilliseconds: moment, asOf: now),
                    sensor: reading.sensor, site: reading.site))
        }
        let clearDuration = settings.clearDuration
        fevers = samples.sorted { $0.key < $1.key }.compactMap { address, samples in
            let samples = samples.sorted { $0.moment < $1.moment }
            let own = episodes.filter { $0.change.sensor?.address == address }
            // What is older than a fever needs to be over says nothing about the present without an episode that may.
            let isRecent = samples.last.map { now.since($0.moment) < clearDuration } ?? false
            guard isRecent || !own.isEmpty, let sensor = samples.last?.sensor ?? own.first?.change.sensor else {
                return nil
            }
            var marks = own.map { (moment: Moment($0.start, asOf: now), kind: $0.change.kind, isBeginning: true) }
            for (condition, moment) in alarms.cleared where condition.source == .sensor(address: address) {
                marks.append((Moment(moment, asOf: now), condition.kind, false))
            }
            return Fever(
                sensor: sensor,
                rule: FeverRule(samples.dropLast(), marks.sorted { $0.moment < $1.moment }, settings: settings),
                last: samples.last)
        }
    }
}

extension FeverRule {
    /// Makes the rule as it is after samples.
    ///
    /// - Parameter marks: When a condition was found to be met, or declared over, by the log.
    fileprivate init(
        _ samples: some Sequence<Sample>, _ marks: [(moment: Moment, kind: AlarmKind, isBeginning: Bool)],
        settings: MonitorSettings.Fever
    ) {
        self.init()
        var marks = marks[...]
        for sample in samples {
            while let mark = marks.first, mark.moment <= sample.moment {
                apply(mark)
                marks.removeFirst()
            }
            _ = evaluate(sample, settings: settings)
        }
        marks.forEach { apply($0) }
    }

    private mutating func apply(_ mark: (moment: Moment, kind: AlarmKind, isBeginning: Bool)) {
        if mark.isBeginning { resume(mark.kind) } else { clear(mark.kind) }
    }
}

extension Moment {
    /// A time of an earlier run, brought to the present monotonic clock by the distance of the two clocks at `now`; no
    /// later than that.
    init(wallMilliseconds: Int64, asOf now: Moment) {
        let age = max(0, now.wallMilliseconds.subtractingSaturated(wallMilliseconds))
        self.init(
            monotonicNanoseconds: now.monotonicNanoseconds.subtractingSaturated(age.multipliedSaturated(by: 1_000_000)),
            wallMilliseconds: wallMilliseconds)
    }

    init(_ earlier: Moment, asOf now: Moment) {
        self.init(wallMilliseconds: earlier.wallMilliseconds, asOf: now)
    }
}

extension OutstandingAlarms.Episode {
    /// How far the wall clock may have been put back between two runs without making the time between them unknown, in
    /// milliseconds.
    private static let correction: Int64 = 60_000

    /// Whether it may still go on: Bedside has been away for less time than a fever needs to be over; for what was
    /// typed, for less than a temperature counts.
    func mayContinue(at now: Moment, _ settings: MonitorSettings.Fever) -> Bool {
        let limit =
            change.sensor?.kind == .manual ? ManualRecord.validity(of: .bodyTemperature) : settings.clearDuration
        let away = now.wallMilliseconds.subtractingSaturated(knownUntil.wallMilliseconds)
        return away >= -Self.correction && away < limit.nanoseconds / 1_000_000
    }
}

extension OutstandingAlarms {
    /// The longest time of which recorded temperatures are judged again, in milliseconds: twelve hours.
    private static let longest: Int64 = 12 * 3_600_000

    /// From when on recorded temperatures matter to the fever rules, in milliseconds since 1970 (UTC).
    ///
    /// Before the present, or before the measurement was lost during a fever that may still go on, there must be as much as
    /// the rules look back on.
    public func feverStart(at now: Moment, _ settings: MonitorSettings.Fever) -> Int64 {
        let lost = remaining { $0.mayContinue(at: now, settings) }.going
            .filter { $0.change.kind.isFever && $0.change.state == .suspended }.map(\.last.wallMilliseconds).min()
        let window = Duration.seconds(settings.windowMinutes * 60) + settings.clearDuration + settings.largestGap
        let present = now.wallMilliseconds
        return max(
            present.subtractingSaturated(Self.longest),
            min(present, lost ?? present).subtractingSaturated(window.nanoseconds / 1_000_000))
    }
}
