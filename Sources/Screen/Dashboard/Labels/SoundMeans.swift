import Monitoring
import Vitals

/// The means of sound of this screen; audibility is not guaranteed.
public enum SoundMeans: String, CaseIterable, Hashable, Sendable {
    /// The computer's sound system.
    case speakers
    /// The terminal's bell, which may be muted or far away.
    case bellOnly = "bell_only"
    /// The sound is switched off in the configuration.
    case off
    /// There is nothing that could sound.
    case notAvailable = "not_available"

    /// The means as text: "SOUND: bell only".
    package var text: String {
        switch self {
        case .speakers: "SOUND: speakers"
        case .bellOnly: "SOUND: bell only"
        case .off: "SOUND OFF"
        case .notAvailable: "SOUND: not available"
        }
    }
}

extension ScreenState {
    /// What alarms sound by on this screen; the speakers of a viewed monitor may be far away.
    func soundMeans(_ state: MonitorState) -> SoundMeans {
        let isHere = session.viewedMonitor == nil && session.replay == nil
        return isHere && session.soundMeans != .off && state.environment.soundOutput == .working
            ? .speakers : session.soundMeans
    }

    /// The text that nothing sounds, with the reason where it is known: "SOUND: none: no sound card".
    func soundlessText(_ state: MonitorState) -> String {
        switch state.environment.soundOutput {
        case .unavailable(let reason)?, .lost(let reason)?: "SOUND: none: \(sanitized(reason, limit: 40))"
        case .working?, nil: SoundMeans.notAvailable.text
        }
    }
}
