import Glibc
import Vitals

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
