import EventLoop

/// Decides when the screen is drawn: at once when something changed, but never twice within 33 ms.
///
/// A timer is only set when a change has to wait.
struct FramePacer {
    /// The shortest time between two frames, in nanoseconds: at most 30 frames a second.
    static let shortestInterval: Int64 = 33_000_000

    /// The shortest time between two frames for what matters little: at most 4 frames a second.
    static let shortestSlowInterval: Int64 = 250_000_000

    private var lastFrame: Int64 = .min
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

    /// Something that can be seen has changed.
    ///
    /// - Parameters:
    ///   - now: The monotonic time.
    ///   - slowly: Whether it may be seen a little later, because it comes often and matters little.
    mutating func changed(now: Int64, slowly: Bool = false) -> Decision {
        let interval = slowly ? Self.shortestSlowInterval : Self.shortestInterval
        if lastFrame == .min || now - lastFrame >= interval { return .drawNow }
        let next = lastFrame + interval
        if let due, due <= next { return .wait }
        due = next
        return .drawAt(next)
    }

    /// A frame has been drawn.
    mutating func drew(now: Int64) {
        lastFrame = now
        due = nil
    }
}
