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
        let isUniversal = text.last == "Z"
        let local = isUniversal ? String(text.dropLast()) : text
        for form in ["%Y-%m-%d", "%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M:%S"] {
            var parts = tm()
            guard let end = local.withCString({ start in strptime(start, form, &parts).map { $0.pointee == 0 } }), end
            else { continue }
            // Whether it is summer time then, the system knows best.
            parts.tm_isdst = -1
            let seconds = isUniversal ? timegm(&parts) : mktime(&parts)
            return Int64(seconds) * 1000
        }
        return nil
    }
}
