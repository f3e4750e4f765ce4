import Monitoring

extension Effect {
    /// Whether somebody must see it without delay: an alarm begins, worsens, goes on after a pause, or alerts again.
    package var isUrgent: Bool {
        switch self {
        case .alarm(let alarm, _): alarm.state == .active
        case .alarmAgain: true
        default: false
        }
    }
}
