import Vitals

/// What a monitor records and a collector gets; notes are not among it.
public enum RecordedContent: Hashable, Sendable {
    /// A reading.
    case reading(Reading)
    /// The RR intervals of a notification.
    case rrIntervals(RRIntervals)
    /// What became of an alarm, or what somebody did.
    case alarmLog(AlarmLogEntry)
    /// An entry of the record of a patient, by the number that the store gives the patient.
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
