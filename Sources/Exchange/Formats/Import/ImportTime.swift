import Base
import Vitals

/// Times of entries in files.
enum ImportTime {
    /// How far ahead another computer's clock may be, in milliseconds.
    static let tolerance: Int64 = 60_000
    private static let dayFirstForm = TextForm("([0-9]{1,2})[.]([0-9]{1,2})[.]([0-9]{4}),? +([0-9]{1,2}:[0-9]{2}.*)")

    /// Reads the time of a measurement: `2026-11-18T07:30:00Z`, `2026-11-18 07:30` in local time, `18.11.2026 07:30`.
    static func read(_ text: some StringProtocol, now: Moment) throws(RefusedEntry) -> Int64 {
        guard let wall = wall(String(text), now, allowsSkipped: false) else {
            if wall(String(text), now, allowsSkipped: true) != nil {
                throw RefusedEntry(
                    "There was no \(sanitized(String(text), limit: 32)): the clocks were set forward. Look at the time."
                )
            }
            throw RefusedEntry(
                "“\(sanitized(String(text), limit: 32))” is not a date with a time of day, such as 2026-11-18 07:30.")
        }
        guard wall <= now.wallMilliseconds + tolerance else {
            throw RefusedEntry("Its time, \(sanitized(String(text), limit: 32)), is yet to come. Look at the date.")
        }
        guard wall >= RecordEntry.wallTimes.lowerBound else {
            throw RefusedEntry("Its time, \(sanitized(String(text), limit: 32)), is before 1900. Look at the date.")
        }
        return wall
    }

    /// Reads another time, such as that of a retraction; `nil` for none.
    static func other(_ text: some StringProtocol, now: Moment) -> Int64? {
        wall(String(text), now, allowsSkipped: true)
    }

    private static func wall(_ text: String, _ now: Moment, allowsSkipped: Bool) -> Int64? {
        guard text.utf8.count <= 40, text.contains(":") else { return nil }
        var text = text
        if let match = dayFirstForm.groups(of: text)?.map({ $0 ?? "" }) {
            let (day, month, time) = (padded(match[1]), padded(match[2]), match[4])
            text = "\(match[3])-\(month)-\(day) \(time.count > 4 && time.dropFirst().first == ":" ? "0" : "")\(time)"
        }
        // A time of day alone, or a length of time, is no date.
        guard text.utf8.count >= 16, text.utf8.dropFirst(4).first == UInt8(ascii: "-") else { return nil }
        return PointInTime.wallMilliseconds(text, now: now.wallMilliseconds, as: .end, allowsSkipped: allowsSkipped)
    }

    private static func padded(_ digits: Substring) -> String { digits.count == 1 ? "0\(digits)" : String(digits) }
}
