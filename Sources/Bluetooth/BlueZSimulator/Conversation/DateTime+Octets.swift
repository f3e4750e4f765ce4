import Glibc
import VitalDecoders

extension DateTime {
    /// The local time for a number of seconds since 1970.
    init(localTime seconds: Double) {
        var seconds = time_t(seconds)
        var parts = tm()
        localtime_r(&seconds, &parts)
        self.init(
            year: UInt16(clamping: parts.tm_year + 1900), month: UInt8(clamping: parts.tm_mon + 1),
            day: UInt8(clamping: parts.tm_mday), hour: UInt8(clamping: parts.tm_hour),
            minute: UInt8(clamping: parts.tm_min), second: UInt8(clamping: min(parts.tm_sec, 59)))
    }

    var octets: [UInt8] {
        let year = year ?? 0
        return [UInt8(truncatingIfNeeded: year), UInt8(year >> 8), month ?? 0, day ?? 0, hour, minute, second]
    }
}
