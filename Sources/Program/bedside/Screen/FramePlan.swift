import Base

/// The times at which the screen changes without a new event, in nanoseconds of the computer's clock; `Int64.max` for
/// never.
struct FramePlan {
    /// The tolerated delay of ages and the clock, so that they change in the same frame as the next value of a sensor.
    static let ageTolerance: Int64 = 150_000_000

    /// When a delayed change is drawn.
    var change = Int64.max
    /// When an age or the clock changes.
    var age = Int64.max
    /// When a flashing item changes.
    var flash = Int64.max
    /// When the waves move on.
    var waves = Int64.max

    /// The earliest time of a timer and its tolerance; `nil` if nothing is planned.
    ///
    /// Only an age tolerates a delay: a change is late already, and flashing has a rhythm.
    var timer: (time: Int64, tolerance: Int64)? {
        let limit = min(change, flash, waves)
        let time = min(limit, age)
        return time == .max ? nil : (time, min(Self.ageTolerance, limit.subtractingSaturated(time)))
    }

    /// Whether a frame is due; otherwise only flashing items and waves change.
    func isFrameDue(at now: Int64) -> Bool { now >= min(change, age) }
}
