import Monitoring

extension Effect {
    /// Whether it must be shown without delay: an alarm begins, worsens, resumes, or alerts again.
    package var isUrgent: Bool {
        switch self {
        case .alarm(let alarm, _): alarm.state == .active
        case .alarmAgain: true
        default: false
        }
    }
}
