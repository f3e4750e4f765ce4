import Vitals

extension MonitorState {
    /// The blood pressure to show; `nil` without one in the last day.
    public func shownPressure(at now: Moment) -> RecordEntry? {
        patientRecord.newest(.bloodPressure).flatMap { now.since($0.taken) < PatientRecord.shownFor ? $0 : nil }
    }
}
