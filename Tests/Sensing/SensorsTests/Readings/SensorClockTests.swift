import SensorDrivers
import Testing
import Vitals

@testable import KnownSensors
@testable import Sensors

@Suite("A sensor's clock")
struct SensorClockTests {
    /// A clock whose times are seconds of ``at(_:)``, given in days, hours, minutes and seconds.
    static func clock() -> SensorClock {
        SensorClock { time in
            guard let day = time.day else { return nil }
            let seconds = Int64(day * 86_400 + time.hour * 3600 + time.minute * 60 + time.second)
            return at(0).wallMilliseconds + (seconds - Self.base) * 1000
        }
    }

    static let base: Int64 = 100 * 86_400

    static func stamp(_ seconds: Int64) -> DeviceTime {
        let second = Int(base + seconds)
        return DeviceTime(
            year: 2026, month: 1, day: second / 86_400, hour: second / 3600 % 24, minute: second / 60 % 60,
            second: second % 60)
    }

    /// How many seconds before its arrival each value was measured, by its stamp; `nil` for a value of now.
    private func ages(_ values: [(arrival: Double, stamp: Int64)]) -> [Int64?] {
        var clock = Self.clock()
        return values.map { value in
            let late = clock.lateness(of: Self.stamp(value.stamp), arrival: at(value.arrival))
            return late.map { at(value.arrival).since($0.estimate).components.seconds }
        }
    }

    @Test("that is right says of each value whether it is of now")
    func right() {
        #expect(ages([(0, 0), (10, 8), (20, -100), (30, -91)]) == [nil, nil, nil, 121])
        #expect(ages([(0, -28_800), (1, -25_200), (2, -21_600), (3, 3)]) == [28_800, 25_201, 21_602, nil])
    }

    @Test("gives a stored value its own time, on both clocks")
    func ownTime() {
        var clock = Self.clock()
        let late = clock.lateness(of: Self.stamp(-28_800), arrival: at(5))
        #expect(late == LateInterval(sensorTime: at(-28_800)))
    }

    @Test("that is ahead, or years behind, takes no value from now", arguments: [3_600, 86_400, -90 * 86_400])
    func impossible(offset: Int64) {
        #expect(ages((0..<5).map { (Double($0), Int64($0) + offset) }).allSatisfy { $0 == nil })
    }

    @Test("that is ahead still identifies stored values")
    func aheadAndStored() {
        #expect(ages([(0, 3_600), (10, 3_610), (20, -3_600)]) == [nil, nil, 7_220])
    }

    @Test(
        "that is an hour behind and keeps step with the arrivals is wrong, and takes values from now for no longer than that shows",
        arguments: [(1, 30), (10, 3), (60, 1), (7200, 1)])
    func wrong(interval: Int64, late: Int) {
        let found = ages((0..<40).map { (Double($0 * interval), $0 * interval - 3_600) })
        #expect(found.firstIndex(of: nil) == late)
        #expect(found[late...].allSatisfy { $0 == nil })
    }

    @Test("without seconds is known to be wrong by measurements hours apart")
    func withoutSeconds() {
        #expect(ages([(50, -3_600), (7_205, 3_600), (14_459, 10_800)]).dropFirst().allSatisfy { $0 == nil })
    }

    @Test("does not make values of now of stored ones that come again with each connection")
    func repeated() {
        let found = ages((0..<20).map { (Double($0 * 40), -28_800) })
        #expect(found.allSatisfy { $0 != nil })
    }

    @Test("with unknown parts is useless")
    func incomplete() {
        var clock = SensorClock()
        let time = DeviceTime(year: nil, month: 3, day: 4, hour: 5, minute: 6, second: 7)
        #expect(clock.lateness(of: time, arrival: at(0)) == nil)
    }

    @Test("is taken for local time")
    func local() throws {
        // The same day is read and written, so that summer time is at work in both or in none.
        let time = DeviceTime(year: 2023, month: 11, day: 14, hour: 22, minute: 13, second: 20)
        let local = try #require(time.localMilliseconds)
        #expect(local % 900_000 == 1_700_000_000_000 % 900_000)
        #expect(abs(local - 1_700_000_000_000) <= 14 * 3_600_000)
    }
}
