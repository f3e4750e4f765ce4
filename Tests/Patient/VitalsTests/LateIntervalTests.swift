import Testing
import Vitals

@Suite("The interval of a late value")
struct LateIntervalTests {
    let start = Moment(monotonicNanoseconds: 0, wallMilliseconds: 1_700_000_000_000)

    @Test("values that waited together are spread over the interval, in their order")
    func spread() {
        let end = start.advanced(by: .seconds(10))
        let estimates = (0..<5).map { LateInterval(waitedFrom: start, to: end, place: $0, of: 5).estimate }
        #expect(estimates == [2, 4, 6, 8, 10].map { start.advanced(by: .seconds($0)) })
    }

    @Test(
        "never has an estimate outside of it, whatever it is made of",
        arguments: [(-3, 2), (0, 0), (7, 2), (.max - 1, 1), (.min, .min), (0, .max)])
    func within(place: Int, count: Int) {
        let end = start.advanced(by: .seconds(10))
        let interval = LateInterval(waitedFrom: start, to: end, place: place, of: count)
        #expect(interval.from <= interval.estimate && interval.estimate <= interval.to)
    }

    @Test("of a sensor's own time is that moment alone")
    func sensorTime() {
        let interval = LateInterval(sensorTime: start)
        #expect(interval.from == start && interval.to == start && interval.estimate == start)
        #expect(interval.source == .sensorClock)
    }
}
