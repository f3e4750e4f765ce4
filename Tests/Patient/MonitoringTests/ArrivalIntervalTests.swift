import Testing
import Vitals

@testable import Monitoring

@Suite("The interval of arrivals")
struct ArrivalIntervalTests {
    @Test(
        "is the median of the last five gaps",
        arguments: [
            ([0], nil),
            ([0, 1000], 1000),
            ([0, 1000, 3000], 1000),
            ([0, 1000, 2000, 60_000, 61_000], 1000),
            ([0, 1000, 1100, 2000, 2050, 3000], 1000),
            ([0, 9000, 10_000, 11_000, 12_000, 13_000, 14_000], 1000),
            ([0, 1000, 2000, 3000, 13_000, 23_000, 33_000], 10_000),
            ([0, 100, 200, 300, 400, 500, 600], 300),
        ] as [([Int64], Int64?)])
    func median(milliseconds: [Int64], expected: Int64?) {
        var interval = ArrivalInterval()
        for arrival in milliseconds { interval.arrived(at: MonotonicTime(nanoseconds: arrival * 1_000_000)) }
        #expect(interval.median == expected.map { $0 * 1_000_000 })
    }

    @Test("does not take the time without a link for the sensor's pace")
    func interruption() {
        var interval = ArrivalInterval()
        interval.arrived(at: MonotonicTime(nanoseconds: 0))
        interval.interrupted()
        interval.arrived(at: MonotonicTime(nanoseconds: 600_000_000_000))
        #expect(interval.median == nil)
        interval.arrived(at: MonotonicTime(nanoseconds: 602_000_000_000))
        #expect(interval.median == 2_000_000_000)
    }

    @Test("does not trap on clocks at the ends of their range")
    func extremes() {
        var interval = ArrivalInterval()
        for arrival in [Int64.min, .max, .min, 0, .max] { interval.arrived(at: MonotonicTime(nanoseconds: arrival)) }
        #expect(interval.median == .max)
    }
}
