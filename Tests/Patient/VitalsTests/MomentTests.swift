import Testing
import Vitals

@Suite("A moment")
struct MomentTests {
    let noon = Moment(monotonicNanoseconds: 5_000_000_000, wallMilliseconds: 1_700_000_000_000)

    @Test(
        "advanced by a duration lies that much later on both clocks",
        arguments: [
            (Duration.seconds(2), Int64(7_000_000_000), Int64(1_700_000_002_000)),
            (.milliseconds(-500), 4_500_000_000, 1_699_999_999_500),
            (.nanoseconds(999_999), 5_000_999_999, 1_700_000_000_000),
            (.zero, 5_000_000_000, 1_700_000_000_000),
        ])
    func advanced(duration: Duration, monotonic: Int64, wall: Int64) {
        let later = noon.advanced(by: duration)
        #expect(later == Moment(monotonicNanoseconds: monotonic, wallMilliseconds: wall))
        #expect(later.since(noon) == duration)
    }

    @Test("earlier than another one has a negative distance from it")
    func negativeDistance() {
        #expect(noon.since(noon.advanced(by: .seconds(3))) == .seconds(-3))
    }

    @Test("however extreme stays one that both clocks can show, and keeps its order")
    func extremes() {
        let earliest = Moment(monotonicNanoseconds: .min, wallMilliseconds: .min)
        let latest = Moment(monotonicNanoseconds: .max, wallMilliseconds: .max)
        for duration in [Duration.seconds(Int64.max), .nanoseconds(1), .seconds(Int64.max) * 2] {
            #expect(latest.advanced(by: duration) == latest)
            #expect(earliest.advanced(by: .zero - duration) == earliest)
        }
        #expect(latest.since(earliest) == .nanoseconds(Int64.max))
        #expect(earliest.since(latest) == .nanoseconds(Int64.min))
        #expect(noon.since(earliest) > .zero && noon.since(latest) < .zero)
    }

    @Test("is ordered by the clock that never jumps, not by the one that may be set")
    func order() {
        let afterClockWasSetBack = Moment(monotonicNanoseconds: 6_000_000_000, wallMilliseconds: 0)
        #expect(noon < afterClockWasSetBack)
        #expect(!(afterClockWasSetBack < noon))
    }
}

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
