import Vitals

extension TimeText {
    /// The local date and time of a wall clock's milliseconds: "03-01" and "13:54:02".
    func dateAndTime(_ wallMilliseconds: Int64) -> (date: String, time: String) {
        let offset = Int64(min(max(timeZoneOffset, -86_400), 86_400))
        // No farther than the years that have four digits; hostile clocks must not overflow.
        let seconds = min(max(wallMilliseconds / 1000, -1_000_000_000), 250_000_000_000) + offset
        let day = seconds / 86_400 - (seconds % 86_400 < 0 ? 1 : 0)
        let second = seconds - day * 86_400
        let (month, dayOfMonth) = Self.date(ofDay: day)
        return (
            "\(Self.two(month))-\(Self.two(dayOfMonth))",
            "\(Self.two(second / 3600)):\(Self.two(second / 60 % 60)):\(Self.two(second % 60))"
        )
    }

    /// A moment's local time, with its date when that is not today's, and with seconds when they matter.
    func point(_ moment: Moment, isExact: Bool) -> String {
        let (date, time) = dateAndTime(moment.wallMilliseconds)
        let shown = isExact ? time : String(time.dropLast(3))
        return date == dateAndTime(now.wallMilliseconds).date ? shown : "\(date) \(shown)"
    }

    /// A time that is left, in minutes and seconds, rounded up: "1:47".
    func countdown(to end: Moment) -> String {
        let (seconds, attoseconds) = end.since(now).components
        let left = max(0, seconds + (attoseconds > 0 ? 1 : 0))
        return "\(left / 60):\(Self.two(left % 60))"
    }

    private static func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }

    /// Month and day of a number of days since 1970-01-01, in the Gregorian calendar.
    ///
    /// Years are counted from March, so that the leap day is the last of its year; an era has 400 years.
    private static func date(ofDay day: Int64) -> (month: Int64, day: Int64) {
        let shifted = day + 719_468
        let dayOfEra = ((shifted % 146_097) + 146_097) % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let dayOfMonth = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        return (monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9, dayOfMonth)
    }
}
