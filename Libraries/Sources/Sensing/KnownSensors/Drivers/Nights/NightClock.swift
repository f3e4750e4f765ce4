import Base
import SensorDrivers
import VitalDecoders
import Vitals

/// When a night began, by the clock of its ring, which has no time zone and may be wrong.
struct NightClock: Sendable {
    /// The ring's clock when it was read, and the moment; `nil` for one that is unknown.
    private var reading: (time: DateTime, moment: Moment)?

    /// A smaller deviation in seconds counts as correct.
    static let tolerance: Int64 = 60

    /// Records the ring's clock.
    mutating func read(_ time: DateTime?, at now: Moment) {
        if let time, time.isCalendarDate { reading = (time, now) }
    }

    /// When a night began, and by how many seconds the ring's clock is ahead if that was corrected.
    ///
    /// A clock that is right was set by the wall clock, so the beginning is local time. One that is wrong runs on as it
    /// is, also over a change to summer time, so the beginning is as long ago as its clock says.
    ///
    /// - Returns: Milliseconds since 1970 (UTC); `nil` for no time.
    func start(_ time: DateTime, _ context: DriverContext) -> (wall: Int64, ahead: Int64)? {
        guard let deviceTime = DeviceTime(time), let local = context.milliseconds(deviceTime) else { return nil }
        guard let reading, let now = reading.time.civilSeconds, let start = time.civilSeconds,
            let right = context.localTime(reading.moment).civilSeconds
        else { return (local, 0) }
        let ahead = now - right
        // Where it begins after the present, the clock was set since.
        guard abs(ahead) > Self.tolerance, start <= now else { return (local, 0) }
        return (
            reading.moment.wallMilliseconds.subtractingSaturated((now - start).multipliedSaturated(by: 1000)), ahead
        )
    }
}

extension DateTime {
    /// The seconds since 1970 of a clock without a time zone; `nil` for no date of the calendar.
    fileprivate var civilSeconds: Int64? {
        guard isCalendarDate, let year, let month, let day else { return nil }
        // The civil calendar in eras of 400 years that begin in March; years are 1582 to 9999 here.
        let (shifted, place) = (Int64(year) - (month <= 2 ? 1 : 0), (Int64(month) + 9) % 12)
        let (era, yearOfEra) = (shifted / 400, shifted % 400)
        let dayOfYear = (153 * place + 2) / 5 + Int64(day) - 1
        let days = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
        return days * 86_400 + Int64(hour) * 3600 + Int64(minute) * 60 + Int64(second)
    }
}
