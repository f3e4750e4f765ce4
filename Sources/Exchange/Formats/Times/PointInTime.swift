import Glibc
import Base
import Vitals

/// A point in time as typed by the user.
public enum PointInTime {
    /// Whether a period starts or ends at the point: an hour that occurs twice, because the clocks were set back, is
    /// included whole.
    public enum Role: Sendable {
        case start, end
    }

    /// The accepted forms, for the error message.
    public static let forms = "a length of time such as 30m, or a date such as 2026-01-02T03:04"

    private static let dateForm = TextForm(
        "([0-9]{4})-([0-9]{2})-([0-9]{2})([T ]([0-9]{2}):([0-9]{2})(:([0-9]{2})([.]([0-9]{1,9}))?)?)?"
            + " ?((Z)|([+-])([0-9]{2})(:?([0-9]{2}))?)?")
    private static let timeForm = TextForm("([0-9]{1,2}):([0-9]{2})(:([0-9]{2})([.]([0-9]{1,9}))?)?")

    /// Reads a length of time back from now (`30m`, `8h`, `1d`), a date (`2026-01-02`), a date with a time of day
    /// (`2026-01-02T03:04`, `2026-01-02 03:04:05.678`), or a time of day alone (`03:04`), which is the last one.
    ///
    /// A date is in local time, with the offset from UTC of that day, unless an offset follows: `Z`, `+01:00`. So every
    /// time that Bedside prints can be typed again.
    ///
    /// - Parameters:
    ///   - now: The present wall time in milliseconds since 1970 (UTC).
    ///   - role: Which moment of an hour that occurs twice is meant.
    ///   - allowsSkipped: Whether a time in a skipped hour is accepted, as if the clocks had not been set; otherwise it is
    ///     invalid.
    /// - Returns: Milliseconds since 1970 (UTC), or `nil` for any other text.
    public static func wallMilliseconds(
        _ text: String, now: Int64, as role: Role = .start, allowsSkipped: Bool = true
    ) -> Int64? {
        if let back = millisecondsBack(text) { return now.subtractingSaturated(back) }
        if let (time, milliseconds) = timeOfDay(text) {
            return lastTimeOfDay(time, milliseconds, now, role)
        }
        guard let match = dateForm.groups(of: text),
            let local = seconds(
                year: number(match[1]), month: number(match[2]), day: number(match[3]), hour: number(match[5]),
                minute: number(match[6]), second: number(match[8]))
        else { return nil }
        let fraction = milliseconds(match[10])
        if match[12] != nil { return local * 1000 + fraction }
        guard let sign = match[13] else {
            return moment(ofLocal: local, role, allowsSkipped: allowsSkipped).map { $0 * 1000 + fraction }
        }
        let (hours, minutes) = (Int64(number(match[14])), Int64(number(match[16])))
        guard hours < 24, minutes < 60 else { return nil }
        let offset = hours * 3600 + minutes * 60
        return (sign == "-" ? local + offset : local - offset) * 1000 + fraction
    }

    /// The milliseconds of a length of time; unlike in settings, days are allowed.
    private static func millisecondsBack(_ text: String) -> Int64? {
        let isInDays = text.hasSuffix("d")
        guard let duration = DurationText.duration(isInDays ? "\(text.dropLast())h" : text) else { return nil }
        let (seconds, attoseconds) = duration.components
        return (seconds * 1000 + attoseconds / 1_000_000_000_000_000) * (isInDays ? 24 : 1)
    }

    /// The seconds from 1970-01-01T00:00 to a date and time of the same clock; `nil` for an invalid date.
    private static func seconds(
        year: Int32, month: Int32, day: Int32, hour: Int32, minute: Int32, second: Int32
    ) -> Int64? {
        var parts = tm()
        (parts.tm_year, parts.tm_mon, parts.tm_mday) = (year - 1900, month - 1, day)
        (parts.tm_hour, parts.tm_min, parts.tm_sec) = (hour, minute, second)
        guard hour < 24, minute < 60, second < 60 else { return nil }
        let seconds = timegm(&parts)
        // The system converts 30 February to 2 March; reject that.
        guard parts.tm_mon == month - 1, parts.tm_mday == day else { return nil }
        return Int64(seconds)
    }

    private static func timeOfDay(_ text: String) -> (seconds: Int64, milliseconds: Int64)? {
        guard let match = timeForm.groups(of: text) else { return nil }
        let (hour, minute, second) = (number(match[1]), number(match[2]), number(match[4]))
        guard hour < 24, minute < 60, second < 60 else { return nil }
        return (Int64(hour) * 3600 + Int64(minute) * 60 + Int64(second), milliseconds(match[6]))
    }

    private static func lastTimeOfDay(_ time: Int64, _ milliseconds: Int64, _ now: Int64, _ role: Role) -> Int64 {
        let present = now / 1000
        let local = present + Int64(LocalTimeZone.ofSystem(from: present, to: present).offset)
        let today = local - local % 86_400 + time
        let moments = [today, today - 86_400].compactMap { local in
            moment(ofLocal: local, role, allowsSkipped: true).map { $0 * 1000 + milliseconds }
        }
        return moments.first { $0 <= now } ?? moments.last ?? now
    }

    /// The moment of a local time, in seconds since 1970.
    private static func moment(ofLocal local: Int64, _ role: Role, allowsSkipped: Bool) -> Int64? {
        let zone = LocalTimeZone.ofSystem(from: local - 2 * 86_400, to: local + 2 * 86_400)
        let moments = zone.moments(ofLocal: local)
        if let moment = role == .start ? moments.first : moments.last { return moment }
        return allowsSkipped ? zone.momentWithoutChange(ofLocal: local) : nil
    }

    private static func number(_ digits: Substring?) -> Int32 { digits.flatMap { Int32($0) } ?? 0 }

    private static func milliseconds(_ digits: Substring?) -> Int64 {
        guard let digits else { return 0 }
        return Int64((digits + "00").prefix(3)) ?? 0
    }
}
