import Vitals

@testable import Monitoring

/// A monitor whose program ends and starts again, with the store between its runs: the log and the readings.
struct RestartedWard {
    var state: MonitorState
    /// What the log holds, as the store gives it back.
    private(set) var log: [AlarmLogEntry] = []
    /// What is recorded.
    private(set) var readings: [Reading] = []
    /// The number of the run.
    private(set) var run: Int64 = 1
    /// The offset of this run's monotonic clock from the first run's, because it restarts with the computer.
    private var offset: Int64 = 0
    private let settings: MonitorSettings

    init(settings: MonitorSettings = .withoutLimits) {
        self.settings = settings
        state = MonitorState(settings: settings, start: Ward.moment(0))
    }

    /// A number of seconds after the start, by the clocks of the present run.
    func moment(_ seconds: Double) -> Moment {
        var moment = Ward.moment(seconds)
        moment.monotonicNanoseconds -= offset
        return moment
    }

    /// Applies an input, and records it with its effects.
    @discardableResult
    mutating func apply(_ input: MonitorInput) -> [Effect] {
        if case .event(let event) = input, case .reading(let reading) = event.kind { readings.append(reading) }
        let effects = state.apply(input)
        for effect in effects {
            guard var entry = AlarmLogEntry(effect) else { continue }
            entry.run = run
            log.append(entry)
        }
        return effects
    }

    /// Ends the program and starts it again.
    ///
    /// - Parameters:
    ///   - seconds: When it starts.
    ///   - end: When it ended.
    ///   - isKilled: Whether it was killed, so that the store says what was interrupted only at the next start.
    ///   - losing: How many of the newest entries of the log were not written yet.
    @discardableResult
    mutating func restart(at seconds: Double, end: Double, isKilled: Bool = true, losing: Int = 0) -> [Effect] {
        log.removeLast(min(losing, log.count))
        var open: [Int: AlarmLogEntry] = [:]
        for entry in log where entry.run == run {
            guard case .change(let change) = entry.content else { continue }
            open[change.id] = entry.isEndOfEpisode == true || change.state == .unanswered ? nil : entry
        }
        var interruptions = open.sorted { $0.key < $1.key }.map { interrupted($0.value, at: moment(end)) }
        if !isKilled { interruptions = state.interruptions(at: moment(end)) }
        for var entry in interruptions {
            entry.run = run
            log.append(entry)
        }
        run += 1
        offset += 4_000_000_000_000
        state = MonitorState(settings: settings, start: moment(seconds))
        var alarms = OutstandingAlarms(log)
        let patient = log.last { entry in
            if case .action(let action) = entry.content { action.word == "new_patient" } else { false }
        }
        let readings = readings.filter { reading in
            patient.map { $0.moment.wallMilliseconds < reading.moment.wallMilliseconds } ?? true
        }
        alarms.complete { sensor, vital, since in
            let values: [VitalValue] = readings.compactMap { reading in
                guard reading.sensor == sensor, reading.vital == vital, reading.moment.wallMilliseconds >= since,
                    case .measured(let value, _) = reading.plausibleOutcome
                else { return nil }
                return value
            }
            return values.last.map {
                .init(lowest: values.min() ?? $0, highest: values.max() ?? $0, newest: $0)
            }
        }
        let start = alarms.feverStart(at: moment(seconds), settings.fever)
        let earlier = EarlierRun(
            alarms, temperatures: readings.filter { $0.moment.wallMilliseconds >= start }, settings: settings.fever,
            at: moment(seconds))
        return apply(.earlierRun(earlier, at: moment(seconds)))
    }

    private func interrupted(_ entry: AlarmLogEntry, at moment: Moment) -> AlarmLogEntry {
        guard case .change(var change) = entry.content else { return entry }
        change.state = .interrupted
        return AlarmLogEntry(moment: moment, content: .change(change))
    }

    /// A sensor sends values of one vital, one each `step` seconds.
    mutating func stream(
        _ vital: Vital, _ hundredths: Int, from sensor: SensorIdentity, at seconds: ClosedRange<Int>,
        every step: Int = 10
    ) {
        for second in stride(from: seconds.lowerBound, through: seconds.upperBound, by: step) {
            let moment = moment(Double(second))
            let reading = Reading(
                sensor: sensor, vital: vital, outcome: .measured(VitalValue(hundredths: hundredths), .good),
                moment: moment)
            apply(.event(MonitorEvent(moment: moment, kind: .reading(reading))))
        }
    }

    /// Somebody does something.
    mutating func act(_ action: PatientWish, at seconds: Double) { apply(.wish(action, at: moment(seconds))) }

    /// The alarms that are not pending as short text, the worst first, then those over and unanswered.
    var alarms: [String] {
        state.alarms.filter { $0.phase != .pending }.map(\.summary)
            + state.latchedAlarms.map { "\($0.summary) latched" }
    }

    /// The states in the log of one kind of alarm.
    func states(of kind: AlarmKind) -> [String] {
        log.compactMap { entry in
            guard case .change(let change) = entry.content, change.kind == kind else { return nil }
            return "\(entry.run) #\(change.id) \(change.state.rawValue)"
        }
    }
}
