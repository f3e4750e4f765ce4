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
