import SaturatingArithmetic
import Vitals

/// When bursts of sound begin, and what keeps them from it: a pause, a snooze, the sound switched off.
struct SoundSchedule: Codable, Hashable, Sendable {
    /// No two bursts of the same priority begin closer together than this, in nanoseconds, however many causes come.
    private static let shortestGap: Int64 = 2_500_000_000

    /// Until when the sound of all alarms is paused.
    private(set) var pausedUntil: Moment?
    /// Until when kinds of alarms are snoozed.
    private(set) var snoozes: [SnoozeKey: Moment] = [:]
    /// The highest priority that wants to be heard, whether or not the sound is paused or off.
    private(set) var wanted: AlarmPriority?
    /// When something is to be done next, in nanoseconds of the monotonic clock.
    private(set) var deadline: Int64?

    private var lastBurst: Int64?
    private var lastPriority: AlarmPriority?
    private var nextBurst: Int64?
    private var nextReminder: Int64?
    /// Whether a pause has just ended, so that what wants to be heard is heard at once.
    private var isResuming = false
    private var isChanged = false

    mutating func pause(until moment: Moment) {
        pausedUntil = moment
        isChanged = true
    }

    /// Ends the pause; `false` when there was none.
    mutating func endPause() -> Bool {
        guard pausedUntil != nil else { return false }
        pausedUntil = nil
        isResuming = true
        isChanged = true
        return true
    }

    mutating func snooze(_ key: SnoozeKey, until moment: Moment) {
        snoozes[key] = moment
        isChanged = true
    }

    /// Ends a snooze; `false` when there was none.
    mutating func endSnooze(_ key: SnoozeKey, board: inout AlarmBoard) -> Bool {
        guard snoozes.removeValue(forKey: key) != nil else { return false }
        board.awakened += board.alarms.filter { $0.snoozeKey == key }.map(\.id)
        isChanged = true
        return true
    }

    /// Forgets pause and snoozes: another patient.
    mutating func forgetAnswers() {
        pausedUntil = nil
        snoozes = [:]
        isChanged = true
    }

    /// Works out what has become due, and what the alarms now want.
    mutating func settle(
        _ board: inout AlarmBoard, settings: MonitorSettings.AlarmSignals, now: Moment, effects: inout [Effect]
    ) {
        let time = now.monotonicNanoseconds
        guard board.isChanged || isChanged || deadline.map({ $0 <= time }) ?? false else { return }
        expire(&board, now, &effects)
        let newest = takeNews(&board, now, &effects)
        let before = wanted
        wanted = loudest(board)
        plan(before: before, newest: newest, settings, now)
        if let nextBurst, nextBurst <= time, let wanted {
            effects.append(.soundBurst(wanted, now))
            lastBurst = time
            lastPriority = wanted
            self.nextBurst = settings.gap(wanted).map { time.addingSaturated(max(Self.shortestGap, $0.nanoseconds)) }
        }
        if let nextReminder, nextReminder <= time, let reminder = settings.reminder {
            effects.append(.soundReminder(now))
            self.nextReminder = time.addingSaturated(max(Self.shortestGap, reminder.nanoseconds))
        }
        isChanged = false
        isResuming = false
        findDeadline()
    }

    /// Lets the pause and the snoozes end whose time is over.
    private mutating func expire(_ board: inout AlarmBoard, _ now: Moment, _ effects: inout [Effect]) {
        if let pausedUntil, pausedUntil <= now, endPause() {
            effects.append(.action(ActionRecord(moment: now, actor: .program, kind: .audioPauseEnded(by: nil))))
        }
        guard !snoozes.isEmpty else { return }
        let over = snoozes.filter { $0.value <= now }.keys.sorted { $0.words < $1.words }
        for key in over where endSnooze(key, board: &board) {
            effects.append(.action(ActionRecord(moment: now, actor: .program, kind: .snoozeEnded(key))))
        }
    }

    /// Takes note of new causes, which break a pause.
    ///
    /// - Returns: The highest priority of what is new or calls again.
    private mutating func takeNews(
        _ board: inout AlarmBoard, _ now: Moment, _ effects: inout [Effect]
    ) -> AlarmPriority? {
        defer {
            board.fresh = []
            board.awakened = []
            board.isChanged = false
        }
        if board.fresh.isEmpty, board.awakened.isEmpty { return nil }
        var newest: AlarmPriority?
        for alarm in board.alarms where isAudible(alarm) {
            let isNew = board.fresh.contains(alarm.id)
            guard isNew || board.awakened.contains(alarm.id) else { continue }
            newest = max(newest ?? alarm.priority, alarm.priority)
            if isNew, endPause() {
                let kind = ActionRecord.Kind.audioPauseEnded(by: alarm.id)
                effects.append(.action(ActionRecord(moment: now, actor: .program, kind: kind)))
            }
        }
        return newest
    }

    private mutating func plan(
        before: AlarmPriority?, newest: AlarmPriority?, _ settings: MonitorSettings.AlarmSignals, _ now: Moment
    ) {
        let time = now.monotonicNanoseconds
        guard let wanted else {
            nextBurst = nil
            nextReminder = nil
            return
        }
        if pausedUntil != nil || settings.isSoundOff {
            nextBurst = nil
            nextReminder =
                nextReminder ?? settings.reminder.map { time.addingSaturated(max(Self.shortestGap, $0.nanoseconds)) }
            return
        }
        nextReminder = nil
        guard let before else {
            nextBurst = wanted > lastPriority ?? .low ? time : soonest(time)
            return
        }
        if wanted > before || isResuming {
            nextBurst = time
        } else if newest == wanted {
            nextBurst = min(nextBurst ?? .max, soonest(time))
        } else if wanted < before {
            nextBurst = settings.gap(wanted).map { max(time, (lastBurst ?? time).addingSaturated($0.nanoseconds)) }
        }
    }

    /// The soonest moment for a burst that does not come before the last one has faded away.
    private func soonest(_ time: Int64) -> Int64 {
        max(time, lastBurst?.addingSaturated(Self.shortestGap) ?? time)
    }

    private func loudest(_ board: borrowing AlarmBoard) -> AlarmPriority? {
        // The alarms are in order, those that are only suspected behind the others.
        board.alarms.first { isAudible($0) }?.priority
    }

    private func isAudible(_ alarm: Alarm) -> Bool {
        alarm.wantsAttention && (snoozes.isEmpty || snoozes[alarm.snoozeKey] == nil)
    }

    private mutating func findDeadline() {
        let times = [nextBurst, nextReminder, pausedUntil?.monotonicNanoseconds].compactMap { $0 }
        deadline = (times + snoozes.values.map(\.monotonicNanoseconds)).min()
    }
}

extension Alarm {
    /// What a snooze would have to name to silence it.
    public var snoozeKey: SnoozeKey { SnoozeKey(kind: kind, vital: vital) }
}
