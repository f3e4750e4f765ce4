import Base

/// Days of local time, which have 23 or 25 hours when the clocks are changed.
public struct LocalDay {
    private let offset: (Int64) -> Int

    /// Creates a calendar.
    ///
    /// - Parameter offset: The local time's offset from UTC at a wall time in milliseconds, in seconds to the east.
    public init(offset: @escaping (Int64) -> Int) {
        self.offset = offset
    }

    private static let length: Int64 = 86_400_000

    /// The day of a wall time, in milliseconds since 1970 (UTC).
    public func containing(_ wall: Int64) -> Range<Int64> {
        let local = wall.addingSaturated(Int64(offset(wall)) * 1000)
        let midnight = local.subtractingSaturated((local % Self.length + Self.length) % Self.length)
        let start = utc(midnight)
        return start..<max(start.addingSaturated(1), utc(midnight.addingSaturated(Self.length)))
    }

    /// The days up to that of a wall time, the oldest first.
    public func last(_ count: Int, until wall: Int64) -> [Range<Int64>] {
        var days = [containing(wall)]
        // Back into the middle of the previous day, which no clock change can skip.
        for _ in 1..<max(1, count) {
            let start = days[days.count - 1].lowerBound
            let before = containing(start.subtractingSaturated(Self.length / 2))
            days.append(before.lowerBound..<max(before.lowerBound, start))
        }
        return days.reversed()
    }

    /// The wall time of a local midnight; the clocks are not changed twice in the hours before it.
    private func utc(_ local: Int64) -> Int64 {
        let guess = local.subtractingSaturated(Int64(offset(local)) * 1000)
        return local.subtractingSaturated(Int64(offset(guess)) * 1000)
    }
}
