import Base
import Monitoring
import Vitals

/// Decides when the screen is drawn: at once after an occasional change, but at most thirty times a second.
///
/// A timer is only set when a change has to wait.
struct FramePacer {
    /// The shortest time between two frames that answer keys, in nanoseconds: 29 a second, plus one urgent frame.
    static let shortestInterval: Int64 = 34_500_000

    /// The shortest time between two frames of a burst, in nanoseconds: a value that comes just after another one, or
    /// just after the clock has changed, is drawn at once.
    static let shortestBurstInterval: Int64 = 4_000_000

    /// The shortest time between two frames for minor changes: at most 4 frames a second.
    static let shortestSlowInterval: Int64 = 250_000_000

    /// The time between frames during continuous changes, in nanoseconds: 5 frames a second.
    ///
    /// Many sensors change the screen all the time; drawing it thirty times a second would cost more than receiving,
    /// and numbers cannot be read that fast. Flashing alarms need four.
    static let sustainedInterval: Int64 = 200_000_000

    /// The same time on a ward's screen, whose beds change it all the time; in the median, a change is visible within
    /// 50 ms.
    static let sustainedWardInterval: Int64 = 66_000_000

    /// The number of frames before that interval applies, so that occasional changes appear at once.
    static let burst = 8

    /// When the last frame was drawn; for an urgent one, when it was due.
    private var lastFrame: Int64 = .min
    private var isUrgent = false
    /// The pace during continuous changes.
    private var sustained: Pace
    /// When the next frame is due.
    private var due: Int64?

    init(sustainedInterval: Int64 = Self.sustainedInterval) {
        sustained = Pace(interval: .nanoseconds(sustainedInterval), burst: Self.burst + 1)
    }

    /// The reaction to a change.
    enum Decision: Equatable {
        case drawNow
        /// Draw at this point of monotonic time.
        case drawAt(Int64)
        /// A frame is due already.
        case wait
    }

    /// Makes the next change urgent: an alarm begins or worsens.
    mutating func hurry() { isUrgent = true }

    /// Handles a visible change.
    ///
    /// - Parameters:
    ///   - now: The monotonic time.
    ///   - slowly: Whether it may be drawn later, because it is frequent and minor.
    ///   - answersKey: Whether it answers a key, so that the sustained interval does not apply.
    mutating func changed(now: Int64, slowly: Bool = false, answersKey: Bool = false) -> Decision {
        guard lastFrame != .min else { return .drawNow }
        let next = isUrgent ? lastFrame : earliest(slowly: slowly, answersKey: answersKey)
        if now >= next { return .drawNow }
        if let due, due <= next { return .wait }
        due = next
        return .drawAt(next)
    }

    /// The earliest time of the next frame for changes by time alone; after the first frame.
    var earliestFrame: Int64 { earliest(slowly: false, answersKey: false) }

    private func earliest(slowly: Bool, answersKey: Bool) -> Int64 {
        let interval =
            slowly
            ? Self.shortestSlowInterval : answersKey ? Self.shortestInterval : Self.shortestBurstInterval
        return max(lastFrame + interval, answersKey ? .min : sustained.next)
    }

    /// Records a drawn frame.
    mutating func drew(now: Int64) {
        // An urgent frame replaces the next one, so that many alarms do not cause many frames.
        lastFrame = isUrgent && lastFrame != .min ? max(now, lastFrame + Self.shortestInterval) : now
        sustained.count(at: now)
        isUrgent = false
        due = nil
    }
}

extension MonitorEvent {
    /// Whether it only reports signal strengths, which are frequent and minor.
    var isOfSignalStrengthOnly: Bool {
        if case .nearby = kind { true } else { false }
    }
}
