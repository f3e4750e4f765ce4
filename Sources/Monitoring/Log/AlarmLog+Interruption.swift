import Vitals

extension MonitorState {
    /// What the log has to say when the program ends: that nobody knows how the alarms that go on will go on.
    ///
    /// A suspicion never was an alarm, and one that is shown although it has ended has its end in the log.
    public func interruptions(at moment: Moment) -> [AlarmLogEntry] {
        alarms.filter { $0.activeSince != nil }.map { alarm in
            AlarmLogEntry(moment: moment, content: .change(AlarmLogEntry.Change(alarm, .interrupted)))
        }
    }
}
