import Base
import Vitals

/// Maps recorded times to a clock that never goes back, as subscribers expect.
///
/// Recorded times are not trusted: a bit may be flipped, a clock may have been set. So every step of the clock is
/// bounded, and all wall times can be displayed.
struct ReplayTimeline: Sendable {
    /// The newest moment; `nil` before the first.
    private(set) var newest: Moment?
    /// The start of the clock: far from zero, so that earlier times are positive.
    private static let start: Int64 = 1_000_000_000_000_000
    /// The end of the clock: far below the limit of 64 bits, so that delays can be added to it.
    private static let end: Int64 = .max / 2
    /// A smaller step back does not mean that the clock was set: packets may be slightly out of order.
    private static let jitter: Int64 = 1000
    /// The longest period without events that is played, in nanoseconds; a longer one is a gap.
    ///
    /// It is a day, the longest window of the trends.
    static let longestStep: Int64 = 86_400_000_000_000
    /// The greatest advance of the clock over a gap: longer than any trend.
    static let longestGap: Int64 = 7 * longestStep
    /// The wall times of the years 0 to 9999, in milliseconds since 1970 (UTC).
    static let wallTimes: ClosedRange<Int64> = -62_167_219_200_000...253_402_300_799_999

    init() {}

    /// The nearest wall time that can be displayed.
    static func shown(wall: Int64) -> Int64 {
        min(max(wall, wallTimes.lowerBound), wallTimes.upperBound)
    }

    /// The moment with this wall time, this many nanoseconds after the newest one.
    mutating func advance(nanoseconds: Int64, wall: Int64) -> Moment {
        let step = min(max(0, nanoseconds), Self.longestGap)
        let moment = Moment(
            monotonicNanoseconds: min((newest?.monotonicNanoseconds ?? Self.start).addingSaturated(step), Self.end),
            wallMilliseconds: Self.shown(wall: wall))
        newest = moment
        return moment
    }

    /// The moment of the next event, with this wall time, this many nanoseconds after the newest one.
    ///
    /// - Returns: The moment, and what precedes the event: a gap in the recording.
    mutating func step(nanoseconds: Int64, wall: Int64) -> (moment: Moment, gap: Gap?) {
        let before = newest
        let moment = advance(nanoseconds: nanoseconds, wall: wall)
        guard let before, nanoseconds > Self.longestStep else { return (moment, nil) }
        return (moment, Gap(from: before, to: moment, reason: .program))
    }

    /// The moment of a wall time in microseconds, if no other clock was recorded.
    ///
    /// - Returns: The moment, and what precedes the event: a gap, or that the clock was set back.
    mutating func moment(wallMicroseconds: Int64) -> (moment: Moment, gap: Gap?) {
        let wall = wallMicroseconds / 1000
        guard let newest else {
            lastMicroseconds = wallMicroseconds
            return (advance(nanoseconds: 0, wall: wall), nil)
        }
        let distance = wallMicroseconds.subtractingSaturated(lastMicroseconds)
        if distance < 0, wall > newest.wallMilliseconds - Self.jitter { return (newest, nil) }
        lastMicroseconds = wallMicroseconds
        if distance >= 0 { return step(nanoseconds: distance.multipliedSaturated(by: 1000), wall: wall) }
        let moment = advance(nanoseconds: 0, wall: wall)
        return (moment, Gap(from: newest, to: moment, reason: .clockSet))
    }

    private var lastMicroseconds: Int64 = 0
}
