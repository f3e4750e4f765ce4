import Monitoring
import Vitals

/// Decides when the screen is drawn: at once when something changed, but at most thirty times a second.
///
/// A timer is only set when a change has to wait.
struct FramePacer {
    /// The shortest time between two frames, in nanoseconds: 29 a second, and one more that is urgent.
    static let shortestInterval: Int64 = 34_500_000

    /// The shortest time between two frames for what matters little: at most 4 frames a second.
    static let shortestSlowInterval: Int64 = 250_000_000

    /// The time between two frames that come one after the other for long, in nanoseconds: 5 frames a second.
    ///
    /// Many sensors change the screen all the time; drawing it thirty times a second would cost more than receiving, and
    /// nobody reads a number that is there for a thirtieth of a second. Alarms that flash need four.
    static let sustainedInterval: Int64 = 200_000_000

    /// How many frames may come at the shortest interval before that: what happens now and then is seen at once.
    static let burst: Int64 = 8

    /// When the last frame was drawn, or would have been, had it not been urgent.
    private var lastFrame: Int64 = .min
    private var isUrgent = false
    /// When the frames so far would have been drawn, had each waited for the sustained interval.
    private var paidUntil: Int64 = .min
    /// When a frame is due that a change waits for.
    private var due: Int64?

    /// What to do about a change.
    enum Decision: Equatable {
        case drawNow
        /// Draw at this point of monotonic time.
        case drawAt(Int64)
        /// A frame is due already.
        case wait
    }

    /// What changes next must not wait: an alarm begins or worsens.
    mutating func hurry() { isUrgent = true }

    /// Something that can be seen has changed.
    ///
    /// - Parameters:
    ///   - now: The monotonic time.
    ///   - slowly: Whether it may be seen a little later, because it comes often and matters little.
    ///   - answersKey: Whether somebody at the keyboard waits for it, so that no row of frames is too long.
    mutating func changed(now: Int64, slowly: Bool = false, answersKey: Bool = false) -> Decision {
        guard lastFrame != .min else { return .drawNow }
        let next = isUrgent ? lastFrame : earliest(slowly: slowly, answersKey: answersKey)
        if now >= next { return .drawNow }
        if let due, due <= next { return .wait }
        due = next
        return .drawAt(next)
    }

    private func earliest(slowly: Bool, answersKey: Bool) -> Int64 {
        let interval = slowly ? Self.shortestSlowInterval : Self.shortestInterval
        let paid = answersKey ? .min : paidUntil - Self.burst * Self.sustainedInterval
        return max(lastFrame + interval, paid)
    }

    /// A frame has been drawn.
    mutating func drew(now: Int64) {
        // A frame that came early takes the place of the next one, so that a storm of alarms makes no storm of frames.
        lastFrame = isUrgent && lastFrame != .min ? max(now, lastFrame + Self.shortestInterval) : now
        paidUntil = max(paidUntil, now) + Self.sustainedInterval
        isUrgent = false
        due = nil
    }
}

extension MonitorEvent {
    /// Whether it tells nothing but how strongly a sensor is heard, which comes often and matters little.
    var isOfSignalStrengthOnly: Bool {
        if case .nearby = kind { true } else { false }
    }
}
