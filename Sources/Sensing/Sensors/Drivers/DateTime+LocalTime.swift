import Glibc
import VitalDecoders
import Vitals

extension DateTime {
    /// Local wall-clock time, for setting a sensor's clock.
    init(localTimeAt moment: Moment) {
        var seconds = time_t(moment.wallMilliseconds / 1000)
        var parts = tm()
        localtime_r(&seconds, &parts)
        self.init(
            year: UInt16(clamping: parts.tm_year + 1900), month: UInt8(clamping: parts.tm_mon + 1),
            day: UInt8(clamping: parts.tm_mday), hour: UInt8(clamping: parts.tm_hour),
            minute: UInt8(clamping: parts.tm_min), second: UInt8(clamping: min(parts.tm_sec, 59)))
    }
}
