import Foundation
import Testing
import Vitals

@Suite("The time of a device")
struct DeviceTimeTests {
    @Test("is moved by minutes as a calendar moves it, over days, months and leap years", arguments: 0..<200)
    func minutes(seed: Int) throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
        let minutes = (seed * 7919) % 65_536 - 32_768
        // Around the turns of months from 1999 to 2001, and of 2100, which is no leap year.
        let start = Date(
            timeIntervalSince1970: Double(seed % 2 == 0 ? 915_148_800 : 4_102_444_800) + Double(seed) * 438_001)
        func time(_ date: Date) -> DeviceTime {
            let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: date)
            return DeviceTime(
                year: parts.year, month: parts.month, day: parts.day, hour: parts.hour ?? 0, minute: parts.minute ?? 0,
                second: parts.second ?? 0)
        }
        #expect(time(start).advanced(byMinutes: minutes) == time(start + Double(minutes) * 60))
    }

    @Test("of an unknown day stays as it is")
    func unknownDay() {
        let time = DeviceTime(year: 2026, month: nil, day: 1, hour: 3, minute: 0, second: 0)
        #expect(time.advanced(byMinutes: 90) == time)
    }

    @Test("is read as it was written, with the parts that the device does not know")
    func text() {
        for (year, month, day) in [(2026, 1, 2), (nil, 1, 2), (nil, nil, nil), (1582, 12, nil)] as [(Int?, Int?, Int?)]
        {
            let time = DeviceTime(year: year, month: month, day: day, hour: 3, minute: 4, second: 59)
            #expect(DeviceTime(time.text) == time, "\(time.text)")
        }
    }

    @Test(
        "is nothing else",
        arguments: [
            "", "T", "--T", "2026-01-02", "2026-01-02 03:04:05", "2026-13-02T03:04:05", "2026-01-32T03:04:05",
            "2026-01-02T24:04:05", "2026-01-02T03:60:05", "2026-01-02T03:04", "2026-01-02T03:04:05Z", "x-y-zT03:04:05",
            "2026-01-02T03:04:05T03:04:05",
        ])
    func unreadable(text: String) { #expect(DeviceTime(text) == nil) }
}
