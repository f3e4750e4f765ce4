import Configuration
import Glibc

/// A point in time as people type it.
public enum PointInTime {
    /// Reads a length of time back from now (`30m`, `8h`), a date (`2026-01-02`), or a date with a time of day
    /// (`2026-01-02T03:04`, `2026-01-02 03:04:05`); in local time, or in UTC when a `Z` follows.
    ///
    /// - Parameter now: The present wall time in milliseconds since 1970 (UTC).
    /// - Returns: Milliseconds since 1970 (UTC), or `nil` when the text is none of these.
    public static func wallMilliseconds(_ text: String, now: Int64) -> Int64? {
        if let duration = DurationText.duration(text) {
            let (seconds, attoseconds) = duration.components
            let milliseconds = seconds.multipliedReportingOverflow(by: 1000).partialValue
            return now - milliseconds - attoseconds / 1_000_000_000_000_000
        }
        let form = /(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d))?)?(Z)?/
        guard let match = text.wholeMatch(of: form)?.output else { return nil }
        func number(_ digits: Substring?) -> Int32 { digits.flatMap { Int32($0) } ?? 0 }
        var parts = tm()
        (parts.tm_year, parts.tm_mon, parts.tm_mday) = (number(match.1) - 1900, number(match.2) - 1, number(match.3))
        (parts.tm_hour, parts.tm_min, parts.tm_sec) = (number(match.4), number(match.5), number(match.6))
        // Whether it is summer time then, the system knows best.
        parts.tm_isdst = -1
        let wanted = parts
        let seconds = match.7 == nil ? mktime(&parts) : timegm(&parts)
        // The system makes 2 March of 30 February; nobody means that. An hour that summer time leaves out it moves.
        guard wanted.tm_mon == parts.tm_mon, wanted.tm_mday == parts.tm_mday, wanted.tm_hour < 24, wanted.tm_min < 60,
            wanted.tm_sec < 60
        else { return nil }
        return Int64(seconds) * 1000
    }
}
