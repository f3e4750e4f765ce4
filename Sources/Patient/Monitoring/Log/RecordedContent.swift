import Vitals

/// A record of a monitor for a collector; without notes.
public enum RecordedContent: Hashable, Sendable {
    case reading(Reading)
    /// The RR intervals of a notification.
    case rrIntervals(RRIntervals)
    /// A change of an alarm, or an action.
    case alarmLog(AlarmLogEntry)
    /// An entry of a patient's record, with the patient's number in the store.
    case entry(RecordEntry, patient: Int)

    /// When it was recorded.
    public var moment: Moment {
        switch self {
        case .reading(let reading): reading.moment
        case .rrIntervals(let intervals): intervals.moment
        case .alarmLog(let entry): entry.moment
        case .entry(let entry, _): entry.enteredAt
        }
    }
}
