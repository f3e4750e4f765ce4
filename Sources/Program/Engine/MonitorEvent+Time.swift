import Vitals

extension MonitorEvent {
    /// The time to which the state advances before an event of a recording: a gap is a single step, as in the original
    /// run.
    var timeBefore: Moment {
        if case .gap(let gap) = kind { min(gap.from, moment) } else { moment }
    }
}
