import Base
import Vitals

/// Turns moments and durations into short texts for the screen.
package struct TimeText {
    /// The moment of drawing.
    package var now: Moment
    /// The local time's distance from UTC in seconds.
    package var timeZoneOffset: Int

    package init(now: Moment, timeZoneOffset: Int) {
        self.now = now
        self.timeZoneOffset = timeZoneOffset
    }

    /// The local time of a moment, as hours and minutes.
    package func clock(_ moment: Moment) -> String {
        let seconds = moment.wallMilliseconds / 1000 + Int64(min(max(timeZoneOffset, -86_400), 86_400))
        let minutes = ((seconds % 86_400) + 86_400) % 86_400 / 60
        return "\(minutes / 60 < 10 ? "0" : "")\(minutes / 60):\(minutes % 60 < 10 ? "0" : "")\(minutes % 60)"
    }

    /// The age of a moment; "now" for less than two seconds.
    package func age(of moment: Moment) -> String {
        let seconds = now.since(moment).components.seconds
        return seconds < 2 ? Self.now : Self.span(seconds)
    }

    /// The age of a new value.
    package static let now = "now"

    /// When the text of ``age(of:)`` changes next.
    package func nextChange(ofAgeOf moment: Moment) -> Moment {
        let age = max(0, now.since(moment).components.seconds)
        let step = Self.unit(ofSpan: age).seconds
        return max(now, moment.advanced(by: .seconds(age < 2 ? 2 : (age / step + 1) * step)))
    }

    /// The distance to a moment in the two largest units: "40 s", "12 min 20 s", "2 h 10 min", "1 d 3 h".
    package func distance(to moment: Moment) -> String {
        let seconds = max(0, now.since(moment).components.seconds)
        switch seconds {
        case ..<60: return "\(seconds) s"
        case ..<3600: return "\(seconds / 60) min \(seconds % 60) s"
        case ..<86_400: return "\(seconds / 3600) h \(seconds / 60 % 60) min"
        default: return "\(seconds / 86_400) d \(seconds / 3600 % 24) h"
        }
    }

    /// When the text of ``distance(to:)`` changes next.
    package func nextChange(ofDistanceTo moment: Moment) -> Moment {
        let seconds = max(0, now.since(moment).components.seconds)
        let step: Int64 = seconds < 3600 ? 1 : seconds < 86_400 ? 60 : 3600
        return moment.advanced(by: .seconds((seconds / step + 1) * step))
    }

    /// The time until a moment, at least "1 s".
    package func until(_ moment: Moment) -> String {
        let (seconds, attoseconds) = moment.since(now).components
        return Self.span(max(1, seconds + (attoseconds > 0 ? 1 : 0)))
    }

    /// When the text of ``until(_:)`` changes next, for a future moment.
    package func nextChange(ofTimeUntil moment: Moment) -> Moment {
        // It is rounded up, so it changes when a whole number of seconds remains.
        now.advanced(by: .nanoseconds((moment.since(now).nanoseconds - 1) % 1_000_000_000 + 1))
    }

    /// A number of seconds in the largest unit that gives at least two.
    package static func span(_ seconds: Int64) -> String {
        let unit = unit(ofSpan: seconds)
        return "\(max(0, seconds) / unit.seconds) \(unit.sign)"
    }

    /// The unit of a number of seconds, in which its text also changes.
    package static func unit(ofSpan seconds: Int64) -> (seconds: Int64, sign: String) {
        units.first { seconds >= 2 * $0.seconds } ?? (1, "s")
    }

    private static let units: [(seconds: Int64, sign: String)] = [(86_400, "d"), (3600, "h"), (60, "min")]
}

extension TimeText {
    /// The local date and time of a wall clock's milliseconds: "1 Mar" and "13:54:02".
    package func dateAndTime(_ wallMilliseconds: Int64) -> (date: String, time: String) {
        let (day, second) = dayAndSecond(wallMilliseconds)
        let (_, month, dayOfMonth) = Self.date(ofDay: day)
        return (
            "\(dayOfMonth) \(Self.months[Int(month) - 1])",
            "\(Self.two(second / 3600)):\(Self.two(second / 60 % 60)):\(Self.two(second % 60))"
        )
    }

    /// The local date of a wall clock's milliseconds: "2026-03-01".
    package func fullDate(_ wallMilliseconds: Int64) -> String {
        let (year, month, day) = Self.date(ofDay: dayAndSecond(wallMilliseconds).day)
        return "\(year)-\(Self.two(month))-\(Self.two(day))"
    }

    /// The local date of a wall clock's milliseconds, with the month's whole name: 28, "November", 2026.
    package func dateParts(_ wallMilliseconds: Int64) -> (day: Int64, month: String, year: Int64) {
        let (year, month, day) = Self.date(ofDay: dayAndSecond(wallMilliseconds).day)
        return (day, Self.wholeMonths[Int(month) - 1], year)
    }

    /// The local time's distance from UTC: "+01:00".
    package var offsetText: String {
        let minutes = Int64(timeZoneOffset / 60).magnitude
        let (hour, minute) = (Int64(minutes / 60), Int64(minutes % 60))
        return "\(timeZoneOffset < 0 ? "-" : "+")\(Self.two(hour)):\(Self.two(minute))"
    }

    /// The number of the local day, counted from 1970-01-01, and the second in it.
    private func dayAndSecond(_ wallMilliseconds: Int64) -> (day: Int64, second: Int64) {
        let offset = Int64(min(max(timeZoneOffset, -86_400), 86_400))
        // Limited to years of four digits, so that invalid clocks cannot overflow.
        let seconds = min(max(wallMilliseconds / 1000, -1_000_000_000), 250_000_000_000) + offset
        let day = seconds / 86_400 - (seconds % 86_400 < 0 ? 1 : 0)
        return (day, seconds - day * 86_400)
    }

    /// The local time of a moment, with its date unless it is today, and with seconds where they matter.
    package func point(_ moment: Moment, isExact: Bool) -> String {
        let (date, time) = dateAndTime(moment.wallMilliseconds)
        let shown = isExact ? time : String(time.dropLast(3))
        return date == dateAndTime(now.wallMilliseconds).date ? shown : "\(date) \(shown)"
    }

    /// The local time of a wall clock's milliseconds with its day, unless that is today: "22:10", "yesterday 22:10",
    /// "16 Nov 22:10"; after ten months the date alone: "2025-11-16".
    package func dated(_ wallMilliseconds: Int64) -> String {
        let (date, time) = dateAndTime(wallMilliseconds)
        let clock = time.dropLast(3)
        switch dayAndSecond(now.wallMilliseconds).day - dayAndSecond(wallMilliseconds).day {
        case 0: return String(clock)
        case 1: return "yesterday \(clock)"
        case 2..<300: return "\(date) \(clock)"
        default: return fullDate(wallMilliseconds)
        }
    }

    /// A period in hours and minutes, with dates other than today's: "13:50–14:00", "16 Nov 13:50–14:00", "16 Nov 22:00
    /// – 17 Nov 06:00".
    package func range(from: Moment, to: Moment, dash: String) -> String {
        let (start, end) = (point(from, isExact: false), point(to, isExact: false))
        let isOneDay = dateAndTime(from.wallMilliseconds).date == dateAndTime(to.wallMilliseconds).date
        return isOneDay ? "\(start)\(dash)\(clock(to))" : "\(start) \(dash) \(end)"
    }

    /// The remaining time in minutes and seconds, rounded up: "1:47".
    package func countdown(to end: Moment) -> String {
        let (seconds, attoseconds) = end.since(now).components
        let left = max(0, seconds + (attoseconds > 0 ? 1 : 0))
        return "\(left / 60):\(Self.two(left % 60))"
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static let wholeMonths = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    private static func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }

    /// Year, month and day of a number of days since 1970-01-01, in the Gregorian calendar.
    ///
    /// Years are counted from March, so that the leap day is the last of its year; an era has 400 years.
    private static func date(ofDay day: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = day + 719_468
        let dayOfEra = ((shifted % 146_097) + 146_097) % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let dayOfMonth = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let era = (shifted - dayOfEra) / 146_097
        return (era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, dayOfMonth)
    }
}
