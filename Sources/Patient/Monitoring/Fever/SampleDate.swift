import Base
import Vitals

/// Reads the day of a blood sample or a medication: "2026-11-18", "2026-11-18 07:30", "today", "yesterday".
///
/// A date without a time means the start of its day, and an ambiguous time the first one, so that a count expires too
/// early rather than too late.
public enum SampleDate {
    private static let day: Int64 = 86_400

    /// Whether a word looks like a date.
    public static func isDate(_ word: Substring) -> Bool {
        ["today", "yesterday"].contains(word.lowercased()) || word.split(separator: "-").count == 3
    }

    /// The moment, in milliseconds since 1970-01-01T00:00:00Z, of a date with an optional time of day.
    ///
    /// - Throws: ``NeutrophilEntry/EntryError`` with a sentence.
    public static func milliseconds(
        _ words: ArraySlice<Substring>, now: Moment, timeZone: LocalTimeZone
    ) throws(NeutrophilEntry.EntryError) -> Int64 {
        let (nowSeconds, _) = now.wallMilliseconds.quotientAndRemainder(dividingBy: 1000)
        let localNow = nowSeconds.addingSaturated(Int64(timeZone.offset.clamped(to: -86_400...86_400)))
        let today = localNow / day - (localNow % day < 0 ? 1 : 0)
        var dayNumber: Int64
        switch words.first?.lowercased() ?? "" {
        case "today": dayNumber = today
        case "yesterday": dayNumber = today - 1
        default:
            guard let number = number(ofDay: words.first ?? "") else {
                throw refusal("That is no date. Type year, month and day, such as 2026-11-18.")
            }
            dayNumber = number
        }
        var seconds: Int64 = 0
        switch words.count {
        case 1: break
        case 2:
            guard let time = timeOfDay(words[words.startIndex + 1]) else {
                throw refusal("That is no time of day. Type hours and minutes, such as 2026-11-18 07:30.")
            }
            seconds = time
        default:
            throw refusal(
                "There is too much behind the date. Type a count and a date, such as \(NeutrophilEntry.example).")
        }
        let local = dayNumber * day + seconds
        let moments = timeZone.moments(ofLocal: local)
        if moments.isEmpty, words.count > 1 {
            throw refusal(
                "There was no such time on that day, because the clocks were set forward. Type the time before or after."
            )
        }
        let moment = moments.first ?? timeZone.momentWithoutChange(ofLocal: local)
        guard moment <= nowSeconds else {
            throw refusal("That date lies in the future. Type when it was taken, such as 2026-11-18.")
        }
        return moment * 1000
    }

    private static func refusal(_ sentence: String) -> NeutrophilEntry.EntryError {
        NeutrophilEntry.EntryError(description: sentence)
    }

    /// The days from 1970-01-01 to a date of the years 1970 to 9999; `nil` for an invalid date.
    private static func number(ofDay text: Substring) -> Int64? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].count == 4, let year = wholeNumber(parts[0], digits: 4),
            let month = wholeNumber(parts[1], digits: 4),
            let day = wholeNumber(parts[2], digits: 4), year >= 1970, (1...12).contains(month)
        else { return nil }
        let isLeapYear = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let lengths = [31, isLeapYear ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard (1...lengths[month - 1]).contains(day) else { return nil }
        let before = year - 1
        let leapDays = (before / 4 - before / 100 + before / 400) - (1969 / 4 - 1969 / 100 + 1969 / 400)
        return Int64((year - 1970) * 365 + leapDays + lengths[..<(month - 1)].reduce(0, +) + day - 1)
    }

    private static func timeOfDay(_ text: Substring) -> Int64? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].count == 2, let hour = wholeNumber(parts[0], digits: 4),
            let minute = wholeNumber(parts[1], digits: 4),
            hour < 24, minute < 60
        else { return nil }
        return Int64(hour * 3600 + minute * 60)
    }
}
