import Monitoring
import Vitals
import WardMessages

/// The challenges in this bed's newest heartbeats, which prove since when a screen has sounded.
///
/// Each counts from when it was sent, and only in the session in which it was sent: an answer that was stored, delayed,
/// repeated or invented proves nothing new.
struct ListenerChallenges {
    private var sent: [(challenge: WardToken, at: MonotonicTime)] = []

    /// Records a new challenge.
    ///
    /// - Returns: The challenge.
    mutating func issue(_ challenge: WardToken, at now: Moment) -> WardToken {
        sent.removeAll { $0.at.advanced(by: PlannedSilence.freshness) <= now.monotonic }
        sent.append((challenge, now.monotonic))
        return challenge
    }

    /// What a screen's answer proves; `nil` if nothing.
    func report(of listener: WardListener, at now: Moment) -> ListenerReport? {
        guard let challenge = listener.challenge else { return .ended(identifier: listener.screen.text) }
        guard let found = sent.last(where: { $0.challenge == challenge }),
            found.at.advanced(by: PlannedSilence.freshness) > now.monotonic
        else { return nil }
        return .sounds(identifier: listener.screen.text, name: listener.name, proven: found.at)
    }
}
