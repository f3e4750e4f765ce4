import Testing
import Vitals

@Suite("A time of the monotonic clock")
struct MonotonicTimeTests {
    let time = MonotonicTime(nanoseconds: 5_000_000_000)

    @Test("advanced by a duration lies that much later", arguments: [Duration.seconds(2), .zero, .nanoseconds(-7)])
    func advanced(duration: Duration) {
        let later = time.advanced(by: duration)
        #expect(later.since(time) == duration)
        #expect(later.nanoseconds(since: time) == later.nanoseconds - 5_000_000_000)
        #expect(later == time.advanced(byNanoseconds: later.nanoseconds - 5_000_000_000))
        #expect((later < time) == (duration < .zero))
    }

    @Test("however extreme stays within the range of the clock")
    func extremes() {
        let (first, last) = (MonotonicTime.distantPast, MonotonicTime.distantFuture)
        #expect(last.advanced(by: .seconds(Int64.max)) == last)
        #expect(first.advanced(byNanoseconds: -1) == first)
        #expect(last.since(first) == .nanoseconds(Int64.max))
        #expect(first.nanoseconds(since: last) == .min)
        #expect(first < time && time < last)
    }
}
