import Testing
import Vitals

@testable import Monitoring

@Suite("A summary of readings")
struct SummaryBuilderTests {
    private let source = (
        sensor: SensorIdentity(address: "C0:52:49:00:00:02", name: "Strap", kind: .heartRateStrap),
        vital: Vital.heartRate
    )

    private func summary(_ words: [(Int64, Int?)], limit: Int? = nil, to: Int64) -> ReadingSummary {
        var builder = SummaryBuilder()
        for (wall, value) in words {
            builder.add(
                value.map { VitalValue(whole: $0) }, isOutside: limit.flatMap { limit in value.map { $0 > limit } },
                at: wall)
        }
        return builder.summary(of: source, from: 0, to: to)
    }

    @Test("of nothing says that there is nothing, and not zero")
    func nothing() {
        let summary = summary([(5, nil)], to: 3_600_000)
        #expect(summary.count == 0 && summary.covered == 0 && summary.coveredPercent == 0)
        #expect(summary.minimum == nil && summary.median == nil && summary.maximum == nil && summary.outside == nil)
    }

    @Test("has a median that was measured, with half of the values on either side")
    func median() {
        for count in 1...40 {
            var generator = SystemRandomNumberGenerator()
            let values = (0..<count).map { _ in Int.random(in: 60...66, using: &generator) }
            let found = summary(values.enumerated().map { (Int64($0.offset), $0.element) }, to: 100)
            let median = values.sorted()[(count - 1) / 2]
            #expect(found.median == VitalValue(whole: median))
            #expect(found.minimum == values.min().map { VitalValue(whole: $0) })
            #expect(found.maximum == values.max().map { VitalValue(whole: $0) })
        }
    }

    @Test("counts a value until the next word, an absence, or a quarter of a minute")
    func coverage() {
        #expect(summary([(0, 70), (1000, 71), (2000, nil)], to: 10_000).covered == 2000)
        #expect(summary([(0, 70), (60_000, 71)], to: 61_000).covered == 16_000)
        #expect(summary([(0, 70)], to: 5000).coveredPercent == 100)
        // A clock that was set back adds no time, and none is counted twice.
        #expect(summary([(5000, 70), (1000, 71)], to: 2000).covered == 1000)
    }

    @Test("counts for how long the value was outside the limits, and nothing where there are none")
    func outside() {
        #expect(summary([(0, 130), (4000, 70), (5000, nil)], limit: 120, to: 10_000).outside == 4000)
        #expect(summary([(0, 130), (4000, 70)], to: 10_000).outside == nil)
    }
}
