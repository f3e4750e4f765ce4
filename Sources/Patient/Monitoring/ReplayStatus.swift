import Base

/// The position of a replay, for the line that every screen shows during a replay.
public struct ReplayStatus: Hashable, Sendable {
    /// The wall times of the replayed period, in milliseconds since 1970 (UTC).
    public var range: ClosedRange<Int64>
    /// How fast, as a person writes it: `10`, `0.5`, `max`.
    public var speed: String
    /// Whether the user has paused the replay.
    public var isPaused = false
    /// Whether it hastens to a point that was jumped to.
    public var isSeeking = false
    /// Whether nothing more will happen.
    public var hasEnded = false

    public init(range: ClosedRange<Int64>, speed: String) {
        self.range = range
        self.speed = speed
    }

    /// The part of the recording that lies before a wall time, in whole percent.
    package func percent(at wallMilliseconds: Int64) -> Int {
        let length = range.upperBound.subtractingSaturated(range.lowerBound)
        guard length > 0 else { return 100 }
        let position = min(max(wallMilliseconds, range.lowerBound), range.upperBound)
            .subtractingSaturated(range.lowerBound)
        return Int(Double(position) * 100 / Double(length))
    }
}

/// What the user wants of a recording that is played.
public enum ReplayWish: Hashable, Sendable {
    /// Pause or resume.
    case togglePause
    /// Play faster or slower by a step.
    case faster, slower
    /// Play up to the next reading, and pause.
    case step
    /// Skip this many seconds forward, or back when negative.
    case jump(seconds: Int)
}
