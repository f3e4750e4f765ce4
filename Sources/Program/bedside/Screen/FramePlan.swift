import Base

/// When the screen changes next without a new event, in nanoseconds of the computer's clock; `Int64.max` for never.
struct FramePlan {
    /// How late an age or the clock may move on: one grows just when the next value of a sensor is about to come, and both
    /// are one frame then.
    static let ageTolerance: Int64 = 150_000_000

    /// When a change that had to wait is drawn.
    var change = Int64.max
    /// When an age or the clock moves on.
    var age = Int64.max
    /// When something flashes.
    var flash = Int64.max

    /// When a timer fires at the earliest, and how much later it may; `nil` where nothing is planned.
    ///
    /// Only an age may be late: a change is late already, and flashing has a rhythm.
    var timer: (time: Int64, tolerance: Int64)? {
        let limit = min(change, flash)
        let time = min(limit, age)
        return time == .max ? nil : (time, min(Self.ageTolerance, limit.subtractingSaturated(time)))
    }

    /// Whether a frame is drawn at a time; otherwise only what flashes changes its look.
    func isFrameDue(at now: Int64) -> Bool { now >= min(change, age) }
}
