import Base
import Monitoring
import Vitals

/// Reads the typed time of a measurement: "-15m", "-2h", "03:10", "yesterday 23:50", "now".
///
/// A time in the future or more than 24 hours ago is refused, because it is probably a typing error. In a night in
/// which the clock was set back, a repeated time means its last past occurrence; a time that the clock skipped is
/// refused.
package struct ManualTime {
    package let now: Moment
    package let timeZone: LocalTimeZone
    /// The greatest age of a time, in days.
    package var days: Int64 = 1

    private static let day: Int64 = 86_400
    /// A time of day in the future means yesterday's if that is at most this long ago, in seconds: after midnight,
    /// users mean the evening before.
    private static let evening: Int64 = 12 * 3600

    /// Removes the time from the words, at any position; `nil` when there is none.
    package func consume(from words: inout [String]) throws(ManualReader.EntryError) -> Moment? {
        var found: Moment?
        var rest: [String] = []
        var isYesterday = false
        for word in words {
            switch word.lowercased() {
            case "yesterday": isYesterday = true
            case "at", "ago", "today": continue
            default:
                guard let moment = try moment(word, isYesterday: isYesterday) else {
                    rest.append(word)
                    continue
                }
                guard found == nil else {
                    throw ManualReader.EntryError(
                        description:
                            "There are two times, and “\(sanitized(word, limit: 16))” is one of them. Type one.")
                }
                found = moment
                isYesterday = false
            }
        }
        if isYesterday {
            throw ManualReader.EntryError(description: "Yesterday at what time? Type for example yesterday 23:50.")
        }
        words = rest
        return found
    }

    /// Removes the time, which may include a date, from the words; `nil` when there is none.
    package func consumeWithDate(from words: inout [String]) throws(ManualReader.EntryError) -> Moment? {
        guard let place = words.firstIndex(where: { $0.split(separator: "-").count == 3 && SampleDate.isDate($0[...]) })
        else { return try consume(from: &words) }
        let next = place + 1
        let end = next < words.count && Self.timeOfDay(words[next]) != nil ? next + 1 : next
        let date = words[place..<end].map { $0[...] }
        words.removeSubrange(place..<end)
        words.removeAll { $0.lowercased() == "at" }
        let milliseconds: Int64
        do throws(NeutrophilEntry.EntryError) {
            milliseconds = try SampleDate.milliseconds(date[...], now: now, timeZone: timeZone)
        } catch {
            throw ManualReader.EntryError(description: error.description)
        }
        return try moment(secondsAgo: (now.wallMilliseconds - milliseconds) / 1000)
    }

    /// Removes the time in front of a note; other times are part of the note.
    package func takeFirst(of words: inout [String]) throws(ManualReader.EntryError) -> Moment? {
        guard let first = words.first, let moment = try moment(first, isYesterday: false) else { return nil }
        words.removeFirst()
        return moment
    }

    /// The moment given by a word; `nil` for other words.
    private func moment(_ word: String, isYesterday: Bool) throws(ManualReader.EntryError) -> Moment? {
        if word.lowercased() == "now" { return now }
        if let back = Self.lengthBack(word) { return try moment(secondsAgo: back) }
        guard let time = Self.timeOfDay(word) else { return nil }
        let present = now.wallMilliseconds / 1000
        let local = present + Int64(min(max(timeZone.offset, -86_400), 86_400))
        let today = local - (local % Self.day + Self.day) % Self.day + time
        if isYesterday { return try moment(word, at: today - Self.day, present) }
        if today <= local || timeZone.moments(ofLocal: today).contains(where: { $0 <= present }) {
            return try moment(word, at: today, present)
        }
        guard local - (today - Self.day) <= Self.evening else {
            throw ManualReader.EntryError(
                description: "\(word) is yet to come. Type when it was measured, or yesterday \(word) if that is meant."
            )
        }
        return try moment(word, at: today - Self.day, present)
    }

    /// The last past moment at which the clock showed a local time.
    private func moment(_ word: String, at local: Int64, _ present: Int64) throws(ManualReader.EntryError) -> Moment {
        guard let moment = timeZone.moments(ofLocal: local).last(where: { $0 <= present }) else {
            throw ManualReader.EntryError(
                description:
                    "There was no \(word) then: the clocks were set forward. Type for example -30m, or the time shown then."
            )
        }
        return try self.moment(secondsAgo: present - moment)
    }

    private func moment(secondsAgo: Int64) throws(ManualReader.EntryError) -> Moment {
        guard secondsAgo <= days * Self.day else {
            throw ManualReader.EntryError(
                description: days == 1
                    ? "That is more than 24 hours ago. What was measured since then can be entered."
                    : "That is more than \(days) days ago. What is older cannot be entered.")
        }
        return now.advanced(by: .seconds(-secondsAgo))
    }

    /// The seconds of a length of time after a minus sign: "-15m", "-1h30m", "-90min".
    private static func lengthBack(_ word: String) -> Int64? {
        guard let sign = word.first, sign == "-" || sign == "−", word.count <= 10 else { return nil }
        var rest = word.dropFirst().lowercased()[...]
        var seconds: Int64 = 0
        guard !rest.isEmpty else { return nil }
        while !rest.isEmpty {
            let number = rest.prefix { $0.isASCII && $0.isNumber }
            guard let value = ManualReader.digits(number) else { return nil }
            rest = rest.dropFirst(number.count)
            let unit = rest.prefix { $0.isLetter }
            rest = rest.dropFirst(unit.count)
            switch unit {
            case "h": seconds += Int64(value) * 3600
            case "m", "min": seconds += Int64(value) * 60
            case "s": seconds += Int64(value)
            default: return nil
            }
        }
        return seconds
    }

    /// The second of the day of a time such as "03:10" or "3:10".
    private static func timeOfDay(_ word: String) -> Int64? {
        let parts = word.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, (1...2).contains(parts[0].count), parts[1].count == 2,
            let hour = ManualReader.digits(parts[0]), let minute = ManualReader.digits(parts[1]), hour < 24, minute < 60
        else { return nil }
        return Int64(hour * 3600 + minute * 60)
    }
}
