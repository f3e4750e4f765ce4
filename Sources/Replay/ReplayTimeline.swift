import Vitals

/// Gives recorded wall times a clock that never goes back, as readers of the event stream expect one.
struct ReplayTimeline: Sendable {
    /// The newest moment; `nil` before the first.
    private(set) var newest: Moment?
    /// Where the clock that never goes back begins: far from zero, so that ages reckoned backwards are positive.
    private static let start: Int64 = 1_000_000_000_000_000
    /// A wall clock that goes back by less than this was not set: packets overtake each other by a hair.
    private static let jitter: Int64 = 1000

    init() {}

    /// The moment that lies so many nanoseconds after the newest, with this wall time.
    mutating func advance(nanoseconds: Int64, wall: Int64) -> Moment {
        let moment = Moment(
            monotonicNanoseconds: (newest?.monotonicNanoseconds ?? Self.start) &+ max(0, nanoseconds),
            wallMilliseconds: wall)
        newest = moment
        return moment
    }

    /// The moment of a wall time in microseconds, where no other clock was recorded.
    ///
    /// - Returns: The moment, and what is to be told before it: that the clock was set back.
    mutating func moment(wallMicroseconds: Int64) -> (moment: Moment, gap: Gap?) {
        let wall = wallMicroseconds / 1000
        guard let newest else {
            lastMicroseconds = wallMicroseconds
            return (advance(nanoseconds: 0, wall: wall), nil)
        }
        let step = wallMicroseconds.subtractingReportingOverflow(lastMicroseconds)
        // A century in one step is damage, not a recording.
        let sane = step.overflow ? 0 : min(step.partialValue, Self.longestStep)
        if sane < 0, wall > newest.wallMilliseconds - Self.jitter { return (newest, nil) }
        lastMicroseconds = wallMicroseconds
        let moment = advance(nanoseconds: sane > 0 ? sane * 1000 : 0, wall: wall)
        guard sane < 0 else { return (moment, nil) }
        return (moment, Gap(from: newest, to: moment, reason: .clockSet))
    }

    private var lastMicroseconds: Int64 = 0
    private static let longestStep: Int64 = 100 * 366 * 86_400 * 1_000_000
}
