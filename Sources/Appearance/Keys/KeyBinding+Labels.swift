import Monitoring

extension KeyBinding {
    /// What the keys do, with the time that is set for it.
    public func text(_ settings: MonitorSettings) -> String {
        let time: Duration
        switch command {
        case .pauseAudio: time = settings.alarmSignals.audioPause
        case .snooze: time = settings.answers.snooze
        case .pauseForCare: time = settings.answers.carePause
        default: return explanation
        }
        let parts = explanation.split(separator: "{time}", omittingEmptySubsequences: false)
        return parts.joined(separator: time.text)
    }

    /// The keys as the help names them.
    public var name: String { keys.map(\.name).joined(separator: ", ") }
}
