import Monitoring
import Testing
import Vitals

@Suite("The figures of a day")
struct VitalDayTests {
    private let hour: Int64 = 3_600_000

    private func value(_ number: Int) -> VitalValue { VitalValue(whole: number) }

    @Test("are those of all values: the median is of values, the time is counted once")
    func figures() throws {
        var builder = VitalDayBuilder(.heartRate)
        for second in 0..<60 {
            builder.add(value(second < 40 ? 70 : 130), from: 1, isOutside: second >= 40, at: Int64(second) * 1000)
            // A second strap measures the same at the same time.
            builder.add(value(second < 40 ? 72 : 128), from: 2, isOutside: second >= 40, at: Int64(second) * 1000 + 500)
        }
        builder.add(nil, from: 2, isOutside: nil, at: 60_000)
        let day = try #require(builder.figures(from: 0, to: 24 * hour))
        #expect(day.minimum == value(70) && day.median == value(72) && day.maximum == value(130))
        #expect(day.count == 120 && day.covered == 60_000 && day.outside == 20_000)
        #expect(day.coveredPercent == 0)
    }

    @Test("a sensor off the body takes no time away from one that measures")
    func twoSensors() throws {
        var builder = VitalDayBuilder(.heartRate)
        for second in 0..<100 {
            builder.add(value(70), from: 1, isOutside: false, at: Int64(second) * 1000)
            builder.add(nil, from: 2, isOutside: nil, at: Int64(second) * 1000 + 100)
        }
        let day = try #require(builder.figures(from: 0, to: 100_000))
        #expect(day.covered == 100_000 && day.coveredPercent == 100)
    }

    @Test("fault 2: one lone sample is no sustained measurement: a typed value counts, but measures no time")
    func typed() throws {
        var builder = VitalDayBuilder(.bodyTemperature)
        builder.add(single: VitalValue(hundredths: 3860))
        let day = try #require(builder.figures(from: 0, to: 25 * hour))
        #expect(day.maximum?.hundredths == 3860 && day.covered == 0 && day.outside == nil && day.coveredPercent == 0)
    }

    @Test("of a day of 25 hours are percent of 25 hours")
    func longDay() throws {
        var builder = VitalDayBuilder(.heartRate)
        for second in 0..<Int(25 * 3600) { builder.add(value(70), from: 1, isOutside: false, at: Int64(second) * 1000) }
        #expect(try #require(builder.figures(from: 0, to: 25 * hour)).coveredPercent == 100)
    }

    @Test("of sums alone have neither median nor coverage, and without values there are none")
    func sums() throws {
        var builder = VitalDayBuilder(.heartRate)
        #expect(builder.figures(from: 0, to: hour) == nil)
        builder.add(count: 60, minimum: value(60), maximum: value(90))
        let day = try #require(builder.figures(from: 0, to: hour))
        #expect(day.median == nil && day.coveredPercent == nil && day.minimum == value(60) && day.count == 60)
    }
}
