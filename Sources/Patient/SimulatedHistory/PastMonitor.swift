import Base
import Monitoring
import Vitals

/// A monitor of an invented past: it evaluates as the live one does, and keeps what that would have recorded.
struct PastMonitor {
    private var state: MonitorState
    private let start: Moment
    private var contents: [RecordedContent] = []
    /// When somebody answers the alarms; `nil` while there are none.
    private var answersAt: Moment?

    /// How long the computer had been on when the program started, in nanoseconds.
    private static let bootTime: Int64 = 40 * 60_000_000_000
    /// How long it takes until somebody answers an alarm.
    private static let answerTime = Duration.seconds(260)

    /// Starts at a wall time, as after an earlier run with its entries.
    init(start wall: Int64, after earlier: RecordedRun?, entries: [RecordEntry]) {
        start = Moment(monotonicNanoseconds: Self.bootTime, wallMilliseconds: wall)
        var settings = MonitorSettings()
        // A few values a minute stand for the stream of a sensor, so a minute without one is no silence.
        settings.freshness.shortestInterval = .seconds(60)
        settings.freshness.longestInterval = .seconds(60)
        settings.freshness.assumedInterval = .seconds(60)
        settings.freshness.assumedTemperatureInterval = .seconds(60)
        state = MonitorState(settings: settings, start: start)
        guard let earlier else { return }
        let restarted = ActionRecord(moment: start, actor: .program, kind: .restarted)
        keep([.action(restarted)])
        apply(.memory(earlier.memory, at: start))
        apply(.recordEntries(entries, at: start))
    }

    /// Applies what happens at a wall time.
    mutating func apply(_ action: PastStep.Action, at wall: Int64) {
        let moment = start.advanced(by: .milliseconds(wall - start.wallMilliseconds))
        func event(_ kind: MonitorEvent.Kind) -> MonitorInput { .event(MonitorEvent(moment: moment, kind: kind)) }
        switch action {
        case .connected(let sensor): apply(event(.connection(sensor, ConnectionState(phase: .ready))))
        case .disconnected(let sensor):
            apply(.recorded(.disconnected(sensor), at: moment))
            apply(event(.connection(sensor, ConnectionState(phase: .disconnected, reason: .user))))
        case .linkLost(let sensor):
            apply(event(.connection(sensor, ConnectionState(phase: .waiting, reason: .linkLost, attempt: 1))))
        case .measured(let sensor, let vital, let value, let site):
            receive(Reading(sensor: sensor, vital: vital, outcome: .measured(value, .good), moment: moment, site: site))
        case .missing(let sensor, let vital, let reason):
            receive(Reading(sensor: sensor, vital: vital, outcome: .noMeasurement(reason), moment: moment))
        case .entered(let content): apply(.wish(.enter(RecordEntry(content, enteredAt: moment)), at: moment))
        }
    }

    private mutating func receive(_ reading: Reading) {
        contents.append(.reading(reading))
        apply(.event(MonitorEvent(moment: reading.moment, kind: .reading(reading))))
    }

    private mutating func apply(_ input: MonitorInput) {
        if let answer = answersAt, answer <= input.moment {
            answersAt = nil
            keep(state.apply(.wish(.acknowledgeAll, at: answer)))
        }
        keep(state.apply(input))
    }

    /// Keeps what the store would keep of effects.
    private mutating func keep(_ effects: [Effect]) {
        for effect in effects {
            switch effect {
            case .reading(let reading): contents.append(.reading(reading))
            case .entry(let entry): contents.append(.entry(entry, patient: 1))
            case .alarm(let alarm, let moment) where alarm.state == .active && answersAt == nil:
                answersAt = moment.advanced(by: Self.answerTime)
                fallthrough
            default: if let entry = AlarmLogEntry(effect) { contents.append(.alarmLog(entry)) }
            }
        }
    }

    /// Ends the run at a wall time.
    mutating func end(at wall: Int64) -> RecordedRun {
        let end = start.advanced(by: .milliseconds(wall - start.wallMilliseconds))
        apply(.event(MonitorEvent(moment: end, kind: .tick)))
        return RecordedRun(start: start, end: end, contents: contents, memory: state.memory)
    }
}
