import Base
import Vitals

/// The state that earlier runs left in the store: the alarms about the patient, and the state of the fever rules from
/// the recorded temperatures.
public struct EarlierRun: Codable, Hashable, Sendable {
    /// The outstanding alarms of the log.
    let alarms: OutstandingAlarms
    /// The fever rules, one for each sensor.
    let fevers: [Fever]

    /// A fever rule at the end of the earlier run.
    struct Fever: Codable, Hashable, Sendable {
        var sensor: SensorIdentity
        /// The rule, before ``last``.
        var rule: FeverRule
        /// The newest temperature; `nil` if none is left in the store.
        var last: Sample?
    }

    /// Evaluates recorded temperatures again by the fever rules, with the same code as live ones.
    ///
    /// - Parameters:
    ///   - alarms: The outstanding alarms of the log.
    ///   - temperatures: Recorded body temperatures since ``OutstandingAlarms/feverStart(at:_:)``.
    ///   - settings: The rules.
    ///   - now: The present, by both clocks; recorded times are converted by the wall clock.
    public init(
        _ alarms: OutstandingAlarms, temperatures: [Reading], settings: MonitorSettings.Fever, at now: Moment
    ) {
        self.alarms = alarms
        let episodes = alarms.remaining { $0.mayContinue(at: now, settings) }.going.filter { episode in
            episode.condition.kind.isFever && !episode.change.isOfEntry
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
            // Without an episode that may continue, temperatures older than the time that ends a fever do not matter.
            let isRecent = samples.last.map { now.since($0.moment) < clearDuration } ?? false
            guard isRecent || !own.isEmpty, let sensor = samples.last?.sensor ?? own.first?.change.sensor else {
                return nil
            }
            var marks = own.map { (moment: Moment($0.start, asOf: now), kind: $0.condition.kind, isBeginning: true) }
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
    /// Creates the rule's state after samples.
    ///
    /// - Parameter marks: When the log reports a condition as met or declared over.
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
    /// A time of an earlier run, converted to the present monotonic clock by the offset of the two clocks at `now`; not
    /// later than `now`.
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
    /// How far the wall clock may be set back between two runs before the time between them is unknown, in
    /// milliseconds.
    private static let correction: Int64 = 60_000

    /// Whether it may still continue: Bedside was off for less than the time that ends a fever; for typed values, less
    /// than the validity of a temperature.
    func mayContinue(at now: Moment, _ settings: MonitorSettings.Fever) -> Bool {
        let limit =
            change.isOfEntry ? Vital.bodyTemperature.traits.validity : settings.clearDuration
        let away = now.wallMilliseconds.subtractingSaturated(knownUntil.wallMilliseconds)
        return away >= -Self.correction && away < limit.nanoseconds / 1_000_000
    }
}

extension OutstandingAlarms {
    /// The longest period whose recorded temperatures are evaluated again, in milliseconds: twelve hours.
    private static let longest: Int64 = 12 * 3_600_000

    /// The time from which recorded temperatures matter to the fever rules, in milliseconds since 1970 (UTC).
    ///
    /// The period before the present, or before the measurement was lost during a fever that may still continue, must
    /// be as long as the rules need.
    public func feverStart(at now: Moment, _ settings: MonitorSettings.Fever) -> Int64 {
        let lost = remaining { $0.mayContinue(at: now, settings) }.going
            .filter { $0.condition.kind.isFever && $0.change.state == .suspended }.map(\.last.wallMilliseconds).min()
        let window = Duration.seconds(settings.windowMinutes * 60) + settings.clearDuration + settings.largestGap
        let present = now.wallMilliseconds
        return max(
            present.subtractingSaturated(Self.longest),
            min(present, lost ?? present).subtractingSaturated(window.nanoseconds / 1_000_000))
    }
}
