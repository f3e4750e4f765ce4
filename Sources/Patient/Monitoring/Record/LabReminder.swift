import Base
import Vitals

/// The reminder that a blood count is due: at 09:00, once the last one is a week old.
///
/// Only for a patient with a known count; other patients have no regular blood counts.
struct LabReminder: Codable, Hashable, Sendable {
    /// When the newest blood sample was taken, in milliseconds since 1970-01-01T00:00:00Z; `nil` without one.
    private(set) var sampledAt: Int64?
    /// When the reminder was last deferred, by the same clock.
    private(set) var deferredAt: Int64?
    /// From when the count is due, by the same clock; calculated again whenever one of the others changes.
    private(set) var due: Int64?
    /// Until when the reminder is deferred, by the same clock; `nil` if it never was.
    private(set) var deferredUntil: Int64?
    /// The offset of the local time from UTC in seconds used for ``due``.
    private var offset = 0
    /// Whether the alarm is raised.
    var isRaised = false

    /// The local time of day, in seconds.
    private static let timeOfDay: Int64 = 9 * 3600
    private static let day: Int64 = 86_400

    /// Updates the newest sample and the local time.
    mutating func follow(sampledAt: Int64?, offset: Int) {
        guard sampledAt != self.sampledAt || offset != self.offset else { return }
        // A new count is due a week later, independent of earlier deferrals.
        (self.sampledAt, self.offset) = (sampledAt, offset)
        plan()
    }

    /// Defers it to the next 09:00; it stays due.
    mutating func postpone(at moment: Moment) {
        deferredAt = moment.wallMilliseconds
        plan()
    }

    /// Restores the deferral of an earlier run.
    mutating func resume(deferredAt moment: Int64?) {
        guard let moment, moment > deferredAt ?? .min else { return }
        deferredAt = moment
        plan()
    }

    /// Forgets the deferral, because the patient is another one, or the user ended it.
    mutating func forget() {
        deferredAt = nil
        plan()
    }

    /// Whether a blood count is due.
    func isDue(at moment: Moment) -> Bool { due.map { moment.wallMilliseconds >= $0 } ?? false }

    /// When it becomes due; `nil` if it is, or never does.
    func deadline(after now: Moment) -> MonotonicTime? {
        guard let due, due > now.wallMilliseconds else { return nil }
        let left = due.subtractingSaturated(now.wallMilliseconds)
        return now.monotonic.advanced(byNanoseconds: left.multipliedSaturated(by: 1_000_000))
    }

    private mutating func plan() {
        due = sampledAt.map { next(from: $0.addingSaturated(NeutrophilCount.validity)) }
        deferredUntil = deferredAt.map { next(from: $0.addingSaturated(1)) }
    }

    /// The first 09:00 at or after a time, both in milliseconds since 1970-01-01T00:00:00Z.
    func next(from earliest: Int64) -> Int64 {
        let local = (earliest.addingSaturated(999) / 1000).addingSaturated(Int64(offset))
        let midnight = local.subtractingSaturated((local % Self.day + Self.day) % Self.day)
        var time = midnight.addingSaturated(Self.timeOfDay)
        if time < local { time = time.addingSaturated(Self.day) }
        return time.subtractingSaturated(Int64(offset)).multipliedSaturated(by: 1000)
    }
}

extension MonitorState {
    /// Raises or ends the reminder of a blood count.
    mutating func followLabReminder() -> [Effect] {
        labReminder.follow(
            sampledAt: [newestLab, neutrophils?.sampledAt].compactMap { $0 }.max(), offset: timeZoneOffset)
        let isDue = labReminder.isDue(at: now)
        guard isDue || labReminder.isRaised, isDue != labReminder.isRaised else { return [] }
        labReminder.isRaised = isDue
        let age = now.wallMilliseconds.subtractingSaturated(labReminder.sampledAt ?? now.wallMilliseconds)
        let days = max(0, age) / 86_400_000
        let key = SnoozeKey(kind: .labDue, vital: nil)
        var effects = evaluateComputer(
            .labDue, isDue ? ("the last blood sample was taken \(days) days ago", .low) : nil, delay: .zero)
        if isDue {
            resumeLabDeferral()
        } else if sound.endSnooze(key, board: &board) {
            effects += report(.snoozeEnded(key), by: .program)
        }
        return effects
    }

    /// Defers the reminder of a blood count to the next 09:00: it stays an alarm, and is silent until then.
    mutating func postponeLabReminder(_ key: SnoozeKey) -> [Effect] {
        labReminder.postpone(at: now)
        let until = moment(of: labReminder.deferredUntil ?? now.wallMilliseconds)
        sound.snooze(key, until: until)
        return report(.snoozed(key, until: until))
    }

    /// Silences the reminder of a blood count if it was deferred in an earlier run.
    mutating func resumeLabDeferral() {
        guard labReminder.isRaised, let until = labReminder.deferredUntil, until > now.wallMilliseconds else { return }
        sound.snooze(SnoozeKey(kind: .labDue, vital: nil), until: moment(of: until))
    }

    /// Until when the reminder of a blood count would be deferred now.
    public var nextLabReminder: Moment { moment(of: labReminder.next(from: now.wallMilliseconds.addingSaturated(1))) }

    /// The moment of a wall time, as far as the clock is not changed until then.
    private func moment(of wallMilliseconds: Int64) -> Moment {
        now.advanced(by: .milliseconds(max(0, wallMilliseconds.subtractingSaturated(now.wallMilliseconds))))
    }

    /// Determines the time of the newest blood count of the record.
    mutating func findNewestLab() {
        newestLab = patientRecord.newest(.lab)?.taken.wallMilliseconds
    }
}
