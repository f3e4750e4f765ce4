import Dashboard
import Vitals
import Wording

/// How this screen sounds the ward's alarms, and what prevents that.
public struct SoundHere: Hashable, Sendable {
    /// The means; audibility is not guaranteed.
    public var means: SoundMeans
    /// Why the computer's sound system cannot be used, for the user.
    public var reason: String?
    /// Until when a user of this screen has paused the sound; the sound at beds is not affected.
    public var pausedUntil: Moment?

    public init(_ means: SoundMeans, reason: String? = nil, pausedUntil: Moment? = nil) {
        (self.means, self.reason, self.pausedUntil) = (means, reason, pausedUntil)
    }

    /// Whether there is no sound, which the screen always shows.
    var isSilent: Bool { pausedUntil != nil || means == .off || means == .notAvailable }

    /// The sound in words.
    func text(at time: TimeText) -> String {
        if means == .off { return means.text }
        if let pausedUntil { return "SOUND PAUSED \(time.until(pausedUntil))" }
        if means == .notAvailable { return "NO SOUND" + (reason.map { ": \($0)" } ?? "") }
        return means.text
    }

    /// When its text changes next by time alone.
    func nextChange(at time: TimeText) -> Moment? { pausedUntil.map { time.nextChange(ofTimeUntil: $0) } }
}
