import Base
import Vitals

/// The times of bursts, and what suppresses them: a pause, a snooze, a planned silence, the sound switched off.
struct SoundSchedule: Codable, Hashable, Sendable {
    /// The shortest time between two bursts of the same priority, for any number of causes.
    private static let shortestGap = Duration.milliseconds(2500)
    /// The longest time that an alarm which no burst has announced waits for the next regular one.
    private static let longestWait = Duration.seconds(30)

    /// Until when the sound of all alarms is paused.
    private(set) var pausedUntil: Moment?
    /// Until when kinds of alarms are snoozed.
    private(set) var snoozes: [SnoozeKey: Moment] = [:]
    /// Whether a planned silence is in force, during which another screen sounds.
    private(set) var isSilent = false
    /// The highest priority that needs a sound, even while the sound is paused or off.
    private(set) var wanted: AlarmPriority?
    /// When the next action is due.
    private(set) var deadline: MonotonicTime?

    private var lastBurst: MonotonicTime?
    private var lastPriority: AlarmPriority?
    private var nextBurst: MonotonicTime?
    /// When an immediate burst is due: for a new cause, or the end of an answer.
    private var nextCall: MonotonicTime?
    /// The new alarms that no burst of their priority has announced yet.
    private var unheard: Set<Alarm.ID> = []
    /// Whether the sound was paused or off at the last update.
    private var wasSilenced = false
    private var reminder = SoundReminder()
    /// Whether a burst is due soon, though no alarm is new.
    private var isResuming = false
    private var isChanged = false

    mutating func pause(until moment: Moment) {
        pausedUntil = moment
        isChanged = true
    }

    /// Ends the pause; `false` without one.
    mutating func endPause() -> Bool {
        guard pausedUntil != nil else { return false }
        pausedUntil = nil
        isChanged = true
        return true
    }

    /// Begins or ends a planned silence.
    mutating func setSilent(_ isSilent: Bool) {
        if isSilent == self.isSilent { return }
        self.isSilent = isSilent
        isChanged = true
    }

    /// Restarts the sound for changed settings or another patient.
    mutating func resume() {
        isResuming = true
        isChanged = true
    }

    /// Plans the next burst again, because other intervals apply; no burst is due because of that.
    mutating func reschedule() {
        isChanged = true
    }

    mutating func snooze(_ key: SnoozeKey, until moment: Moment) {
        snoozes[key] = moment
        isChanged = true
    }

    /// Ends a snooze; `false` without one.
    mutating func endSnooze(_ key: SnoozeKey, board: inout AlarmBoard) -> Bool {
        guard snoozes.removeValue(forKey: key) != nil else { return false }
        board.news.awaken(board.alarms.filter { $0.snoozeKey == key }.map(\.id))
        isChanged = true
        return true
    }

    /// Determines what has become due, and the sound of the alarms.
    mutating func settle(
        _ board: inout AlarmBoard, settings: MonitorSettings.AlarmSignals, pattern: SoundPattern, now: Moment
    ) -> [Effect] {
        let time = now.monotonic
        guard board.news.isChanged || isChanged || deadline.map({ $0 <= time }) ?? false else { return [] }
        var effects = expire(&board, now)
        let (newest, newsEffects) = takeNews(&board, now)
        effects += newsEffects
        let before = wanted
        wanted = loudest(board)
        let isUnheard = board.alarms.contains { $0.priority == wanted && isAudible($0) && unheard.contains($0.id) }
        let gap = gap(board, pattern)
        plan(before: before, newest: newest, isUnheard: isUnheard, gap: gap, settings, now)
        if let nextBurst, nextBurst <= time, let wanted {
            effects.append(.soundBurst(wanted, now))
            lastBurst = time
            lastPriority = wanted
            nextCall = nil
            let announced = board.alarms.filter { $0.priority == wanted && isAudible($0) }
            unheard.subtract(announced.map(\.id))
            self.nextBurst = regularBurst(gap, time)
        }
        if reminder.isDue(at: time) { effects.append(.soundReminder(now)) }
        isChanged = false
        isResuming = false
        findDeadline()
        return effects
    }

    /// Ends the pause and the snoozes whose time is over.
    private mutating func expire(_ board: inout AlarmBoard, _ now: Moment) -> [Effect] {
        var effects: [Effect] = []
        if let pausedUntil, pausedUntil <= now, endPause() {
            effects.append(.action(ActionRecord(moment: now, actor: .program, kind: .audioPauseEnded(by: nil))))
        }
        guard !snoozes.isEmpty else { return effects }
        let over = snoozes.filter { $0.value <= now }.keys.sorted { $0.text < $1.text }
        for key in over where endSnooze(key, board: &board) {
            effects.append(.action(ActionRecord(moment: now, actor: .program, kind: .snoozeEnded(key))))
        }
        return effects
    }

    /// Records new causes, which end a pause.
    ///
    /// - Returns: The highest priority of alarms that are new or need attention again, and the effects.
    private mutating func takeNews(
        _ board: inout AlarmBoard, _ now: Moment
    ) -> (newest: AlarmPriority?, effects: [Effect]) {
        let news = board.news.take()
        if !unheard.isEmpty { unheard.formIntersection(board.alarms.map(\.id)) }
        if news.fresh.isEmpty, news.awakened.isEmpty { return (nil, []) }
        var newest: AlarmPriority?
        var effects: [Effect] = []
        for alarm in board.alarms where isAudible(alarm) {
            let isNew = news.fresh.contains(alarm.id)
            guard isNew || news.awakened.contains(alarm.id) else { continue }
            newest = max(newest ?? alarm.priority, alarm.priority)
            unheard.insert(alarm.id)
            if isNew, endPause() {
                let kind = ActionRecord.Kind.audioPauseEnded(by: alarm.id)
                effects.append(.action(ActionRecord(moment: now, actor: .program, kind: kind)))
            }
        }
        return (newest, effects)
    }

    /// Recalculates when the next burst and the next reminder are due.
    ///
    /// Only a pause, a snooze, a planned silence, an acknowledgement, care or the setting stops further bursts; low
    /// priority sounds once if the settings have no interval for it.
    private mutating func plan(
        before: AlarmPriority?, newest: AlarmPriority?, isUnheard: Bool, gap: Duration?,
        _ settings: MonitorSettings.AlarmSignals, _ now: Moment
    ) {
        let time = now.monotonic
        let isSilenced = pausedUntil != nil || settings.isSoundOff || isSilent
        let hasPauseEnded = wasSilenced && !isSilenced
        wasSilenced = isSilenced
        reminder.plan(
            // Nothing reminds during a planned silence: another screen sounds.
            every: isSilenced && !isSilent ? settings.reminder.map { max(Self.shortestGap, $0).nanoseconds } : nil,
            isWanted: wanted != nil, at: time)
        guard let wanted, !isSilenced else {
            nextBurst = nil
            nextCall = nil
            return
        }
        let isNewlyWanted = before == nil && wanted > lastPriority ?? .low
        if hasPauseEnded || isNewlyWanted || before.map({ wanted > $0 }) ?? false {
            nextCall = time
        } else if before == nil || isResuming || newest == wanted
            || isUnheard && gap.map({ $0 > Self.longestWait }) ?? true
        {
            nextCall = min(nextCall ?? .distantFuture, soonest(time))
        } else if before.map({ wanted < $0 }) ?? false {
            nextCall = nil
        }
        nextBurst = [nextCall, regularBurst(gap, time)].compactMap { $0 }.min()
    }

    /// When the next regular burst is due; `nil` for a single burst.
    private func regularBurst(_ gap: Duration?, _ time: MonotonicTime) -> MonotonicTime? {
        guard let gap else { return nil }
        return max(time, lastBurst?.advanced(by: max(Self.shortestGap, gap)) ?? time)
    }

    /// The earliest moment for a burst after the last one.
    private func soonest(_ time: MonotonicTime) -> MonotonicTime {
        max(time, lastBurst?.advanced(by: Self.shortestGap) ?? time)
    }

    /// The interval of the sounding alarms, the shortest of several; `nil` for a single burst.
    private func gap(_ board: borrowing AlarmBoard, _ pattern: SoundPattern) -> Duration? {
        var shortest: Duration?
        for alarm in board.alarms where alarm.priority == wanted && isAudible(alarm) {
            guard let gap = pattern.gap(of: alarm) else { continue }
            shortest = min(shortest ?? gap, gap)
        }
        return shortest
    }

    private func loudest(_ board: borrowing AlarmBoard) -> AlarmPriority? {
        worstAudible(board)?.priority
    }

    /// The worst alarm that needs a sound.
    func worstAudible(_ board: borrowing AlarmBoard) -> Alarm? {
        // The alarms are in order, pending ones last.
        board.alarms.first { isAudible($0) }
    }

    private func isAudible(_ alarm: Alarm) -> Bool {
        alarm.wantsAttention && (snoozes.isEmpty || snoozes[alarm.snoozeKey] == nil)
    }

    private mutating func findDeadline() {
        let times = [nextBurst, reminder.next, pausedUntil?.monotonic].compactMap { $0 }
        deadline = (times + snoozes.values.map(\.monotonic)).min()
    }
}

extension Alarm {
    /// The key of a snooze that silences it.
    public var snoozeKey: SnoozeKey { SnoozeKey(kind: kind, vital: vital) }
}

/// The times of the tone that reminds of alarms whose sound is paused or off.
struct SoundReminder: Codable, Hashable, Sendable {
    /// When the next tone is due.
    private(set) var next: MonotonicTime?

    /// The start of the interval to the next tone: the last tone, or when a reminder was first needed.
    private var counted: MonotonicTime?
    /// Since when no reminder has been needed.
    private var quietSince: MonotonicTime?
    /// The interval in nanoseconds.
    private var pause: Int64?

    /// Recalculates when the next tone is due.
    ///
    /// - Parameters:
    ///   - pause: The nanoseconds from one tone to the next; `nil` for none.
    ///   - isWanted: Whether an alarm needs a sound; a short interruption does not restart the interval.
    mutating func plan(every pause: Int64?, isWanted: Bool, at time: MonotonicTime) {
        next = nil
        self.pause = pause
        guard let pause else {
            counted = nil
            quietSince = nil
            return
        }
        guard isWanted else {
            quietSince = quietSince ?? time
            return
        }
        if let quietSince, time.nanoseconds(since: quietSince) >= pause { counted = nil }
        quietSince = nil
        let start = counted ?? time
        counted = start
        next = max(time, start.advanced(byNanoseconds: pause))
    }

    /// Whether a tone is due; if so, the next one is planned.
    mutating func isDue(at time: MonotonicTime) -> Bool {
        guard let next, next <= time, let pause else { return false }
        counted = time
        self.next = time.advanced(byNanoseconds: pause)
        return true
    }
}
