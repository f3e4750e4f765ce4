import Base
import EventLoops
import Glibc
import VitalDecoders
import Vitals

extension DateTime {
    /// Local wall-clock time, for setting a sensor's clock.
    public init(localTimeAt moment: Moment) {
        var seconds = time_t(moment.wallMilliseconds / 1000)
        var parts = tm()
        localtime_r(&seconds, &parts)
        self.init(
            year: UInt16(clamping: parts.tm_year + 1900), month: UInt8(clamping: parts.tm_mon + 1),
            day: UInt8(clamping: parts.tm_mday), hour: UInt8(clamping: parts.tm_hour),
            minute: UInt8(clamping: parts.tm_min), second: UInt8(clamping: min(parts.tm_sec, 59)))
    }
}

extension DeviceTime {
    /// Milliseconds since 1970 (UTC), interpreted as local time; `nil` when parts of the date are unknown.
    public var localMilliseconds: Int64? {
        guard let year, let month, let day else { return nil }
        var parts = tm()
        parts.tm_year = Int32(clamping: year - 1900)
        parts.tm_mon = Int32(clamping: month - 1)
        parts.tm_mday = Int32(clamping: day)
        parts.tm_hour = Int32(clamping: hour)
        parts.tm_min = Int32(clamping: minute)
        parts.tm_sec = Int32(clamping: second)
        // It is unknown whether the sensor follows summer time; users set its clock by the wall clock.
        parts.tm_isdst = -1
        return Int64(mktime(&parts)).multipliedSaturated(by: 1000)
    }
}

extension Moment {
    /// The moment of a timestamp.
    public init(_ timestamp: Timestamp) {
        self.init(
            monotonicNanoseconds: timestamp.monotonicNanoseconds, wallMilliseconds: timestamp.wallMilliseconds)
    }

    /// Reads both clocks.
    public static func now() -> Moment {
        Moment(Timestamp.now())
    }
}
