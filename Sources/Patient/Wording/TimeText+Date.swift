import Vitals

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
