import Vitals

extension MonitorState {
    /// The log entries at the end of the program: the end of ongoing alarms is unknown.
    ///
    /// Pending alarms are not logged, and the end of latched ones is in the log already.
    public func interruptions(at moment: Moment) -> [AlarmLogEntry] {
        alarms.filter { $0.activeSince != nil }.map { alarm in
            AlarmLogEntry(moment: moment, content: .change(AlarmLogEntry.Change(AlarmReport(alarm), .interrupted)))
        }
    }
}
