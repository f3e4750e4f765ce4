import Base
import Glibc
import Vitals

/// Days of local time, which have 23 or 25 hours when the clocks are changed; also nights, from noon to noon.
public struct LocalDay {
    private let offset: (Int64) -> Int
    /// How long after midnight a day begins, in milliseconds.
    private let begin: Int64

    /// Creates a calendar.
    ///
    /// - Parameters:
    ///   - hour: The hour of local time with which a day begins: 12 for a calendar of nights.
    ///   - offset: The local time's offset from UTC at a wall time in milliseconds, in seconds to the east.
    public init(beginsAt hour: Int = 0, offset: @escaping (Int64) -> Int) {
        (self.offset, begin) = (offset, Int64(min(max(hour, 0), 23)) * 3_600_000)
    }

    private static let length: Int64 = 86_400_000

    /// The day of a wall time, in milliseconds since 1970 (UTC).
    public func containing(_ wall: Int64) -> Range<Int64> {
        let local = wall.addingSaturated(Int64(offset(wall)) * 1000).subtractingSaturated(begin)
        let midnight = local.subtractingSaturated((local % Self.length + Self.length) % Self.length)
        let first = midnight.addingSaturated(begin)
        let start = utc(first)
        return start..<max(start.addingSaturated(1), utc(first.addingSaturated(Self.length)))
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

    /// The days in which some times lie, the oldest first, each once.
    public func all(of times: [Range<Int64>]) -> [Range<Int64>] {
        var found: Set<Range<Int64>> = []
        for time in times where !time.isEmpty {
            var day = containing(time.lowerBound)
            found.insert(day)
            // A damaged store may have a time of any length.
            while day.upperBound < time.upperBound, found.count < Self.most {
                day = containing(day.upperBound.addingSaturated(Self.length / 2))
                found.insert(day)
            }
        }
        return found.sorted { $0.lowerBound < $1.lowerBound }
    }

    /// The most days of a list: ten years.
    private static let most = 3660

    /// The wall time with which a local day begins; the clocks are not changed twice in the hours before it.
    private func utc(_ local: Int64) -> Int64 {
        let guess = local.subtractingSaturated(Int64(offset(local)) * 1000)
        return local.subtractingSaturated(Int64(offset(guess)) * 1000)
    }
}

extension LocalTimeZone {
    /// The time zone of this computer, with its changes within a period.
    ///
    /// - Parameters:
    ///   - start: The start of the period, in seconds since 1970 (UTC).
    ///   - end: The moment of the present offset.
    public static func ofSystem(from start: Int64, to end: Int64) -> LocalTimeZone {
        // No time zone changes its clocks twice within half a day, but a user's own rule may.
        let step: Int64 = 3600
        var zone = LocalTimeZone(offset: systemOffset(at: end))
        var (later, laterOffset) = (end, zone.offset)
        while later > start {
            let earlier = max(start, later - step)
            let offset = systemOffset(at: earlier)
            if offset != laterOffset {
                zone.changes.append(Change(moment: change(from: earlier, to: later), offsetBefore: offset))
            }
            (later, laterOffset) = (earlier, offset)
        }
        return zone
    }

    /// The first moment with the offset of `later` rather than that of `earlier`.
    private static func change(from earlier: Int64, to later: Int64) -> Int64 {
        var (before, after) = (earlier, later)
        let offset = systemOffset(at: later)
        while after - before > 1 {
            let middle = before + (after - before) / 2
            if systemOffset(at: middle) == offset { after = middle } else { before = middle }
        }
        return after
    }

    /// The name of this computer's local time at a moment in seconds since 1970 (UTC), such as `CET`; may be empty.
    public static func systemName(at moment: Int64) -> String {
        var seconds = time_t(moment)
        var local = tm()
        guard localtime_r(&seconds, &local) != nil, let name = local.tm_zone else { return "" }
        return String(cString: name)
    }

    private static func systemOffset(at moment: Int64) -> Int {
        var seconds = time_t(moment)
        var local = tm()
        localtime_r(&seconds, &local)
        return local.tm_gmtoff
    }
}
