import TestSupport
import Testing
import Vitals
import Waves

@Suite("The clock of counted samples")
struct CountedSampleClockTests {
    private static func time(_ seconds: Double) -> MonotonicTime { MonotonicTime(nanoseconds: Int64(seconds * 1e9)) }

    @Test("samples follow one another at the nominal rate, however they arrive")
    func joined() throws {
        var clock = CountedSampleClock(nominalRate: 50, counterPeriod: 256)
        var random = SeededGenerator(seed: 1)
        var (counter, end, arrived) = (250, Int64(0), 0.0)
        for _ in 0..<1000 {
            let count = Int.random(in: 1...4, using: &random)
            arrived = max(arrived, Double(counter - 250) / 50 + Double.random(in: 0...0.3, using: &random))
            let placed = clock.place(count, counter: counter % 256, at: Self.time(arrived))
            let placement = try #require(placed)
            #expect(placement.first == end && placement.lost == 0 && !placement.isNewEpoch)
            end = placement.time(of: count)
            counter += count
        }
        #expect(abs(clock.rate / 50 - 1) < 0.02)
    }

    @Test("a gap in the counter is a loss of its true width, up to one round", arguments: [1, 2, 50, 200])
    func loss(missing: Int) throws {
        var clock = CountedSampleClock(nominalRate: 50, counterPeriod: 256)
        _ = clock.place(3, counter: 255, at: Self.time(10))
        let placed = clock.place(1, counter: (2 + missing) % 256, at: Self.time(10 + Double(missing + 1) / 50))
        let placement = try #require(placed)
        #expect(placement.lost == missing && !placement.isNewEpoch)
        #expect(placement.first == Int64(3 + missing) * 20_000_000)
    }

    @Test("a counter that goes back, or a pause of more than its round, begins a new epoch without a loss")
    func restart() throws {
        for (counter, pause) in [(0, 0.02), (100, 0.02), (204, 5.2), (250, 60)] {
            var clock = CountedSampleClock(nominalRate: 50, counterPeriod: 256)
            _ = clock.place(4, counter: 200, at: Self.time(10))
            let placed = clock.place(1, counter: counter, at: Self.time(10 + pause))
            let placement = try #require(placed)
            #expect(placement.isNewEpoch && placement.lost == 0, "\(counter) after \(pause) s")
        }
    }

    @Test("samples that are sent again are not placed again")
    func repeated() {
        var clock = CountedSampleClock(nominalRate: 75, counterPeriod: 65_536 * 25)
        _ = clock.place(25, counter: 50, at: Self.time(1))
        let again = clock.place(25, counter: 50, at: Self.time(1.01))
        let next = clock.place(25, counter: 75, at: Self.time(1.3))
        #expect(again == nil)
        #expect(next?.lost == 0 && next?.isNewEpoch == false)
    }

    @Test("without a counter no loss is claimed: a pause of more than three seconds begins a new epoch")
    func uncounted() throws {
        var clock = CountedSampleClock(nominalRate: 100)
        _ = clock.place(100, at: Self.time(1))
        let placedNext = clock.place(100, at: Self.time(4))
        let next = try #require(placedNext)
        #expect(next.lost == 0 && !next.isNewEpoch && next.first == 1_000_000_000)
        let placedLater = clock.place(100, at: Self.time(7.1))
        let later = try #require(placedLater)
        #expect(later.lost == 0 && later.isNewEpoch)
        clock.interrupt()
        let placedLast = clock.place(100, at: Self.time(7.2))
        let last = try #require(placedLast)
        #expect(last.lost == 0 && last.isNewEpoch)
    }

    @Test(
        "the true rate is measured by the arrivals, also of polls that are answered late",
        arguments: [100, 118, 125, 131])
    func measured(rate: Double) throws {
        var clock = CountedSampleClock(nominalRate: 125)
        var random = SeededGenerator(seed: 2)
        var sent = 0
        for second in 1...120 {
            let asked = Double(second) + Double.random(in: 0...0.1, using: &random)
            let count = Int(asked * rate) - sent
            sent += count
            _ = clock.place(count, at: Self.time(asked + 0.05))
        }
        #expect(abs(clock.rate / rate - 1) < 0.02, "\(clock.rate)")
    }

    @Test(
        "once the rate is measured, polled blocks join on the monitor's clock, and are as old as the polls make them",
        arguments: [100, 118, 125, 131])
    func joinedOnTheMonitorsClock(rate: Double) throws {
        var clock = CountedSampleClock(nominalRate: 125)
        var timeline = WaveTimeline(
            SensorIdentity(address: "C0:52:49:00:00:01", name: "Ring", kind: .oximeter), .plethysmogram)
        var random = SeededGenerator(seed: 6)
        var sent = 0
        for second in 1...600 {
            let asked = Double(second) + Double.random(in: 0...0.1, using: &random)
            let count = Int(asked * rate) - sent
            sent += count
            let arrival = Moment(
                monotonicNanoseconds: Int64((asked + Double.random(in: 0.05...0.2, using: &random)) * 1e9),
                wallMilliseconds: 0)
            let placed = clock.place(count, at: arrival.monotonic)
            let placement = try #require(placed)
            let made = timeline.place(
                WavePiece(.plethysmogram, Array(repeating: 1, count: count), placement), at: arrival)
            let block = try #require(made)
            guard second > 40 else { continue }
            #expect(block.isContinuing && block.lost == 0, "second \(second)")
            let lag = Double(arrival.monotonicNanoseconds - block.end.nanoseconds) / 1e9
            #expect((-0.5...0.6).contains(lag), "\(lag) s in second \(second)")
        }
    }

    @Test("what waits behind a busy bus and comes in one go does not change the rate")
    func stalled() {
        var clock = CountedSampleClock(nominalRate: 100)
        for tenth in 0..<3000 {
            // Every minute nothing comes for two seconds.
            let arrived = tenth % 600 < 20 ? tenth / 600 * 600 + 20 : tenth
            _ = clock.place(10, at: Self.time(Double(arrived) / 10))
        }
        #expect(abs(clock.rate / 100 - 1) < 0.03, "\(clock.rate)")
    }

    @Test("any counts, counters and arrivals end in times")
    func hostile() {
        var random = SeededGenerator(seed: 4)
        for (rate, period) in [(50, 256), (0, nil), (.nan, 0), (1e30, .max), (0.001, -5)] as [(Double, Int?)] {
            var clock = CountedSampleClock(nominalRate: rate, counterPeriod: period)
            for _ in 0..<2000 {
                let count = Int.random(in: -5...5000, using: &random)
                let counter = Bool.random(using: &random) ? Int.random(in: .min ... .max, using: &random) : nil
                let arrival = MonotonicTime(nanoseconds: Int64.random(in: .min ... .max, using: &random))
                if Int.random(in: 0..<20, using: &random) == 0 { clock.interrupt() }
                guard let placement = clock.place(count, counter: counter, at: arrival) else { continue }
                #expect(placement.lost >= 0 && placement.count == count)
            }
            _ = clock.place(1, counter: .max, at: .distantFuture)
            _ = clock.place(1, counter: .min, at: .distantPast)
            #expect(clock.interval > 0 && clock.interval.isFinite)
        }
    }
}
