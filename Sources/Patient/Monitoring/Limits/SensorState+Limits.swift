import Vitals

extension SensorState {
    /// The current value of the vital at an index; `nil` without one.
    func sample(at place: Int) -> Sample? {
        let vitals = vitals.span
        guard case .measured(let sample) = vitals[place].condition else { return nil }
        return sample
    }

    /// Why the vital at an index has no value; `nil` if it has one, or the reason is unknown.
    func absence(at place: Int) -> Absence? {
        let vitals = vitals.span
        guard case .noMeasurement(let absence) = vitals[place].condition else { return nil }
        return absence
    }

    /// Whether no alarm about the value of the vital at an index can be open.
    func isQuiet(at place: Int) -> Bool {
        let vitals = vitals.span
        return vitals[place].watch.isQuiet
    }

    /// Whether an alarm about the value of the vital at an index may be open.
    func mayBeOpen(_ kind: AlarmKind, at place: Int) -> Bool {
        let vitals = vitals.span
        return vitals[place].watch.mayBeOpen(kind)
    }

    /// How long the value of the vital at an index has been unchanged, in nanoseconds.
    func flatDuration(at place: Int, _ moment: Moment) -> Int64 {
        let vitals = vitals.span
        return vitals[place].watch.flatDuration(at: moment.monotonic)
    }
}
