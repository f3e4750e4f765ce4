import Vitals

extension MonitorState {
    /// The blood pressure that is shown; `nil` when there is none of the last day.
    public func shownPressure(at now: Moment) -> RecordEntry? {
        patientRecord.newest(.bloodPressure).flatMap { now.since($0.taken) < PatientRecord.shownFor ? $0 : nil }
    }
}
