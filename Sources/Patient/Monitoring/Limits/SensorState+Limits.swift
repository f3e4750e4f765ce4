import Vitals

extension SensorState {
    /// The current value of the vital at a place; `nil` when there is none.
    func sample(at place: Int) -> Sample? {
        let vitals = vitals.span
        guard case .measured(let sample) = vitals[place].condition else { return nil }
        return sample
    }

    /// Why the vital at a place has no value; `nil` when it has one, or the reason is unknown.
    func absence(at place: Int) -> Absence? {
        let vitals = vitals.span
        guard case .noMeasurement(let absence) = vitals[place].condition else { return nil }
        return absence
    }

    /// Whether no alarm about the value of the vital at a place can be open.
    func isQuiet(at place: Int) -> Bool {
        let vitals = vitals.span
        return vitals[place].watch.isQuiet
    }

    /// Whether an alarm about the value of the vital at a place may be open.
    func mayBeOpen(_ kind: AlarmKind, at place: Int) -> Bool {
        let vitals = vitals.span
        return vitals[place].watch.mayBeOpen(kind)
    }

    /// For how long the value of the vital at a place has been the same, in nanoseconds.
    func flatDuration(at place: Int, _ moment: Moment) -> Int64 {
        let vitals = vitals.span
        return vitals[place].watch.flatDuration(at: moment.monotonic)
    }
}
