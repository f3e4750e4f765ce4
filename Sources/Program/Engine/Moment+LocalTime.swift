import Glibc
import Vitals

extension Moment {
    /// The local time's offset from UTC at this moment, in seconds, positive to the east.
    package var localTimeOffset: Int { localTime.tm_gmtoff }

    /// The local date and time of this moment, such as `2026-01-02 14:03`.
    package var localClock: String {
        let local = localTime
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(local.tm_year + 1900)-\(two(local.tm_mon + 1))-\(two(local.tm_mday)) \(two(local.tm_hour)):"
            + two(local.tm_min)
    }

    private var localTime: tm {
        var seconds = time_t(wallMilliseconds / 1000)
        var local = tm()
        localtime_r(&seconds, &local)
        return local
    }
}
