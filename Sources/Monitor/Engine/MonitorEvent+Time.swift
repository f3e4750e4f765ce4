import Vitals

extension MonitorEvent {
    /// Until when time passes before an event of a recording: a gap is one step, as it was for who lived through it.
    var timeBefore: Moment {
        if case .gap(let gap) = kind { min(gap.from, moment) } else { moment }
    }
}
