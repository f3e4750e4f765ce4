import Vitals

extension MonitorState {
    /// The log entries at the end of the program: the end of ongoing alarms is unknown.
    ///
    /// Pending alarms never were alarms, and latched ones already have their end in the log.
    public func interruptions(at moment: Moment) -> [AlarmLogEntry] {
        alarms.filter { $0.activeSince != nil }.map { alarm in
            AlarmLogEntry(moment: moment, content: .change(AlarmLogEntry.Change(alarm, .interrupted)))
        }
    }
}
