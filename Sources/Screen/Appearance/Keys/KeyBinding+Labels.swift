import Base
import Monitoring
import Vitals

extension KeyBinding {
    /// The action of the keys, with the configured time.
    public func text(_ settings: MonitorSettings) -> String {
        let time: Duration
        switch command {
        case .pauseAudio: time = settings.alarmSignals.audioPause
        case .snooze: time = settings.answers.snooze
        case .pauseForCare: time = settings.answers.carePause
        default: return explanation
        }
        return explanation.exchanging("{time}", for: time.text)
    }

    /// The keys as the help names them.
    public var name: String { keys.map(\.name).joined(separator: ", ") }
}
