import Vitals

/// The sound of alarms that other monitors evaluate: the bursts, pauses and reminders of this monitor's own alarms.
public struct RemoteAlarmSound: Sendable {
    /// An unanswered alarm.
    public struct Cause: Hashable, Sendable {
        /// Identifies its episode, so that a new one sounds at once.
        public var episode: String
        /// How soon a response is needed.
        public var priority: AlarmPriority

        public init(episode: String, priority: AlarmPriority) {
            (self.episode, self.priority) = (episode, priority)
        }
    }

    private let settings: MonitorSettings.AlarmSignals
    private var board = AlarmBoard()
    private var schedule = SoundSchedule()
    private var numbers: [String: Int] = [:]
    private var newestNumber = 0

    /// Creates the sound of no alarm.
    ///
    /// - Parameter settings: When bursts begin, and whether there are any.
    public init(_ settings: MonitorSettings.AlarmSignals) {
        self.settings = settings
    }

    /// The present sound, and what suppresses it.
    public var signal: AlarmSignal {
        AlarmSignal(
            priority: schedule.wanted, pausedUntil: schedule.pausedUntil, isOff: settings.isSoundOff, snoozes: [])
    }

    /// When ``settle(_:at:)`` is needed next, even if nothing changes.
    public var nextDeadline: MonotonicTime? { schedule.deadline }

    /// Determines the present sounds.
    ///
    /// - Parameters:
    ///   - causes: All unanswered alarms; a new one, or one that has become worse, sounds at once.
    ///   - now: The present moment.
    /// - Returns: Bursts and reminders.
    public mutating func settle(_ causes: [Cause], at now: Moment) -> [Effect] {
        let before = board.alarms
        let episodes = Set(causes.map(\.episode))
        numbers = numbers.filter { episodes.contains($0.key) }
        board.alarms = causes.sorted { $0.priority > $1.priority }.map { alarm($0, at: now) }
        for alarm in board.alarms {
            let known = before.first { $0.id == alarm.id }
            if known.map({ $0.priority < alarm.priority }) ?? true { board.news.begin(alarm.id) }
        }
        if before.map(\.id) != board.alarms.map(\.id) || !board.news.fresh.isEmpty { board.news.change() }
        return schedule.settle(&board, settings: settings, pattern: settings.pattern, now: now).filter { effect in
            switch effect {
            case .soundBurst, .soundReminder: true
            default: false
            }
        }
    }

    /// Pauses the sound, for the time in the settings, or ends the pause.
    public mutating func togglePause(at now: Moment) {
        if !schedule.endPause() { schedule.pause(until: now.advanced(by: settings.audioPause)) }
    }

    private mutating func alarm(_ cause: Cause, at now: Moment) -> Alarm {
        if numbers[cause.episode] == nil {
            newestNumber += 1
            numbers[cause.episode] = newestNumber
        }
        // Only its priority matters, and that it is active; each alarm has a separate condition.
        let number = numbers[cause.episode] ?? 0
        var alarm = Alarm(
            id: number, key: AlarmKey(.sensor(number), kind: .high), evidence: AlarmEvidence(priority: cause.priority),
            since: now)
        alarm.phase = .active
        return alarm
    }
}
