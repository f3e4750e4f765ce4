import TestSupport
import Testing
import Waves

@Suite("The clock of stamped samples")
struct StampedSampleClockTests {
    @Test("the first frame is placed by its nominal rate, the next ones between the stamps")
    func spread() throws {
        var clock = StampedSampleClock(nominalRate: 100)
        let placedFirst = clock.place(3, lastAt: 1_000_000_000)
        let first = try #require(placedFirst)
        #expect((0..<3).map(first.time(of:)) == [980_000_000, 990_000_000, 1_000_000_000])
        let placedSecond = clock.place(4, lastAt: 1_042_000_000)
        let second = try #require(placedSecond)
        #expect((0..<4).map(second.time(of:)) == [1_010_500_000, 1_021_000_000, 1_031_500_000, 1_042_000_000])
        #expect(second.lost == 0 && !second.isNewEpoch)
        let none = clock.place(0, lastAt: 1_100_000_000)
        #expect(none == nil)
    }

    @Test("a stamp that goes back, or stands still, begins a new epoch")
    func restart() throws {
        for stamp: Int64 in [5_000_000_000, 4_999_999_999, 0, .min] {
            var clock = StampedSampleClock(nominalRate: 130)
            _ = clock.place(73, lastAt: 5_000_000_000)
            let placedNext = clock.place(73, lastAt: stamp)
            let next = try #require(placedNext)
            #expect(next.isNewEpoch && next.lost == 0)
            #expect(next.time(of: 72) == stamp)
        }
    }

    @Test("the loss of frames is counted, and their time stays open", arguments: [1, 2, 10, 1000])
    func loss(frames: Int) throws {
        var clock = StampedSampleClock(nominalRate: 130)
        var stamp: Int64 = 0
        // The true rate is a percent below the nominal one.
        let step = Int64(73 * 1e9 / 128.7)
        for _ in 0..<200 {
            stamp += step
            let lost = clock.place(73, lastAt: stamp)?.lost
            #expect(lost == 0)
        }
        #expect(abs(clock.rate - 128.7) < 0.01)
        stamp += step * Int64(frames + 1)
        let placedPlacement = clock.place(73, lastAt: stamp)
        let placement = try #require(placedPlacement)
        #expect(placement.lost == frames * 73)
        #expect(abs(placement.time(of: 0) - (stamp - Int64(72 * 1e9 / 128.7))) < 100_000)
    }

    @Test("every sample is within half an interval of its true time, and none overlap, whatever the rate and the lumps")
    func property() throws {
        var random = SeededGenerator(seed: 3)
        for _ in 0..<20 {
            let nominal = [25.0, 52, 75, 130, 135, 200][Int.random(in: 0..<6, using: &random)]
            let rate = nominal * Double.random(in: 0.96...1.04, using: &random)
            let epoch = Int64.random(in: 0...1 << 60, using: &random)
            var clock = StampedSampleClock(nominalRate: nominal)
            var (index, lost, last) = (0, 0, Int64.min)
            for frame in 0..<400 {
                let count = Int.random(in: 20...80, using: &random)
                // Whole frames are lost, once in a while, after the rate has been measured.
                if frame > 20, Int.random(in: 0..<20, using: &random) == 0 {
                    index += 80
                    lost += 80
                }
                let first = index
                index += count
                func time(_ sample: Int) -> Int64 { epoch + Int64((Double(sample) * 1e9 / rate).rounded()) }
                let placedPlacement = clock.place(count, lastAt: time(index - 1))
                let placement = try #require(placedPlacement)
                lost -= placement.lost
                let isApart = placement.time(of: 0) > last && !placement.isNewEpoch
                last = placement.time(of: count - 1)
                // The first frame has only the nominal rate.
                let isClose = frame == 0 || abs(placement.time(of: 0) - time(first)) < Int64(0.5e9 / rate)
                #expect(isApart && isClose && abs(last - time(index - 1)) <= 1, "frame \(frame) at \(rate)")
            }
            #expect(lost == 0)
            #expect(abs(clock.rate / rate - 1) < 0.002)
        }
    }

    @Test("stamps of any value end in times")
    func hostile() {
        var random = SeededGenerator(seed: 4)
        for rate in [130, 0, -1, .infinity, .nan, 1e30] as [Double] {
            var clock = StampedSampleClock(nominalRate: rate)
            for _ in 0..<1000 {
                let count = Int.random(in: -5...5000, using: &random)
                let stamp = Int64.random(in: .min ... .max, using: &random)
                guard let placement = clock.place(count, lastAt: stamp) else { continue }
                #expect(placement.lost >= 0 && placement.interval > 0)
                _ = placement.time(of: count - 1)
            }
            _ = clock.place(1, lastAt: .max)
            _ = clock.place(1, lastAt: .min)
        }
    }
}
