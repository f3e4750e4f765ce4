import EventLoop

/// Decides when the screen is drawn: at once when something changed, but never twice within 33 ms.
///
/// A timer is only set when a change has to wait.
struct FramePacer {
    /// The shortest time between two frames, in nanoseconds: at most 30 frames a second.
    static let shortestInterval: Int64 = 33_000_000

    private var lastFrame: Int64 = .min
    private var isWaiting = false

    /// What to do about a change.
    enum Decision: Equatable {
        case drawNow
        /// Draw at this point of monotonic time.
        case drawAt(Int64)
        /// A frame is due already.
        case wait
    }

    /// Something that can be seen has changed.
    mutating func changed(now: Int64) -> Decision {
        if isWaiting { return .wait }
        if lastFrame == .min || now - lastFrame >= Self.shortestInterval { return .drawNow }
        isWaiting = true
        return .drawAt(lastFrame + Self.shortestInterval)
    }

    /// A frame has been drawn.
    mutating func drew(now: Int64) {
        lastFrame = now
        isWaiting = false
    }
}
