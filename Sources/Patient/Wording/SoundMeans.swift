import Base
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
    /// There is no means of sound.
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
