import Testing
import VitalDecoders

@Suite("Date and time")
struct DateTimeTests {
    private func date(_ year: UInt16?, _ month: UInt8?, _ day: UInt8?, _ hour: UInt8 = 0) -> DateTime {
        DateTime(year: year, month: month, day: day, hour: hour, minute: 0, second: 0)
    }

    @Test("an unknown part is nil, and 0 is the same as unknown")
    func unknown() {
        #expect(date(nil, nil, nil) == date(0, 0, 0))
        #expect(date(0, 0, 0).year == nil)
        #expect(date(2025, 0, 10).month == nil)
        #expect(date(2025, 0, 10).day == 10)
    }

    @Test("only days that exist are calendar dates")
    func calendar() {
        #expect(date(2024, 2, 29).isCalendarDate)
        #expect(!date(2023, 2, 29).isCalendarDate)
        #expect(!date(1900, 2, 29).isCalendarDate)
        #expect(date(2000, 2, 29).isCalendarDate)
        #expect(date(2025, 12, 31, 23).isCalendarDate)
        #expect(!date(2025, 12, 31, 24).isCalendarDate)
        #expect(!date(2025, 13, 1).isCalendarDate)
        #expect(!date(2025, 4, 31).isCalendarDate)
        #expect(!date(1581, 4, 30).isCalendarDate)
        #expect(!date(nil, 4, 30).isCalendarDate)
    }

    @Test("a partly unknown date is possible unless no year and no month has it")
    func possible() {
        #expect(date(nil, nil, nil).isPossible && !date(nil, nil, nil).isCalendarDate)
        #expect(date(nil, 2, 29).isPossible && !date(nil, 2, 30).isPossible)
        #expect(date(2025, nil, 31).isPossible && !date(2025, nil, 32).isPossible)
        #expect(!date(2025, 2, 29).isPossible && !date(nil, nil, nil, 24).isPossible)
    }

    @Test("every octet has its place")
    func octetsInPlace() throws {
        let value = DateTime(year: 0x0201, month: 3, day: 4, hour: 5, minute: 6, second: 7)
        #expect(value.octets == [1, 2, 3, 4, 5, 6, 7])
        #expect(try DateTime(value.octets) == value)
        #expect(value.year == 0x0201)
        #expect(value.month == 3)
        #expect(value.day == 4)
        #expect(value.hour == 5)
        #expect(value.minute == 6)
        #expect(value.second == 7)
    }
}
