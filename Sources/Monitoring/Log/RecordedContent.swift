import Vitals

/// What a monitor records and a collector gets; what was entered by hand is not among it.
public enum RecordedContent: Hashable, Sendable {
    /// A reading.
    case reading(Reading)
    /// The RR intervals of a notification.
    case rrIntervals(RRIntervals)
    /// What became of an alarm, or what somebody did.
    case alarmLog(AlarmLogEntry)

    /// When it was recorded.
    public var moment: Moment {
        switch self {
        case .reading(let reading): reading.moment
        case .rrIntervals(let intervals): intervals.moment
        case .alarmLog(let entry): entry.moment
        }
    }
}
