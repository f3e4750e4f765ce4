import TestSupport
import Testing
import Vitals
import Waves

@Suite("The times of waves on the monitor's clock")
struct WaveTimelineTests {
    private static let strap = SensorIdentity(address: "A0:9E:1A:00:00:01", name: "Strap", kind: .heartRateStrap)
    private static let frame = 73

    /// A strap that sends frames of an ECG, whose clock starts anywhere and runs at its own pace.
    private struct Strap {
        /// The sensor's clock at the monitor's zero, in nanoseconds.
        var zero: Int64 = 599_618_164_000_000_000
        /// How much faster than the monitor's its clock runs.
        var fast = 0.0
        /// Samples a second by its own clock.
        var rate = 130.0
        var clock = StampedSampleClock(nominalRate: 130)
        var timeline = WaveTimeline(strap, .electrocardiogram)
        var count = 0

        /// The next frame, which was taken until a time of the monitor's clock in nanoseconds.
        mutating func send(delayed delay: Int64 = 0, isLost: Bool = false) -> WaveBlock? {
            count += 1
            let taken = Double(count * frame) / rate
            let stamp = zero + Int64(taken * 1e9)
            let arrival = Int64(taken / (1 + fast) * 1e9) + delay
            if isLost { return nil }
            guard let placement = clock.place(frame, lastAt: stamp) else { return nil }
            let piece = WavePiece(.electrocardiogram, Array(repeating: 1, count: frame), placement)
            return timeline.place(
                piece, at: Moment(monotonicNanoseconds: arrival, wallMilliseconds: arrival / 1_000_000))
        }

        /// The newest sample's distance from its arrival, in milliseconds.
        func lag(_ block: WaveBlock) -> Double {
            Double(block.arrived.monotonicNanoseconds - block.time(of: frame - 1).nanoseconds) / 1e6
        }
    }

    @Test(
        "blocks join without holes and follow a clock that is fast or slow by up to 2 %",
        arguments: [-0.02, -0.005, 0, 0.005, 0.02])
    func drift(fast: Double) throws {
        var strap = Strap(fast: fast)
        var noise = SeededGenerator(seed: 7)
        var last: WaveBlock?
        for index in 0..<4000 {
            let sent = strap.send(delayed: Int64.random(in: 0...200_000_000, using: &noise))
            let block = try #require(sent)
            if let last {
                #expect(block.isContinuing, "\(index)")
                #expect(block.start == last.end, "\(index)")
            }
            // The arrivals vary by 200 ms, and so does what they tell of the clock.
            if index > 200 { #expect((-220...260).contains(strap.lag(block)), "\(index): \(strap.lag(block))") }
            last = block
        }
        let rate = try #require(strap.timeline.rate)
        #expect(abs(rate / (130 * (1 + fast)) - 1) < 0.01)
    }

    @Test("a lost frame is a hole of its true width, and the next block says how much is missing")
    func loss() throws {
        var strap = Strap()
        var blocks = (0..<20).compactMap { _ in strap.send() }
        _ = strap.send(isLost: true)
        blocks += (0..<3).compactMap { _ in strap.send() }
        let after = blocks[20]
        #expect(after.lost == Self.frame)
        #expect(!after.isContinuing)
        let hole = Double(after.start.nanoseconds(since: blocks[19].end)) / after.interval
        #expect(abs(hole - Double(Self.frame)) < 2)
        #expect(blocks[21].isContinuing)
    }

    @Test("what has waited behind a busy bus keeps the time at which it was taken")
    func waiting() throws {
        var strap = Strap()
        for _ in 0..<50 { _ = strap.send() }
        let frameTime = Int64(Double(Self.frame) / 130 * 1e9)
        // Eight seconds of frames arrive together.
        for index in 0..<14 {
            let sent = strap.send(delayed: Int64(14 - index) * frameTime)
            let block = try #require(sent)
            #expect(block.isContinuing)
            #expect(abs(strap.lag(block) - Double(14 - index) * Double(frameTime) / 1e6) < 100, "\(index)")
        }
    }

    @Test("a stamp that goes back, or a clock that stands still, begins anew at the arrival")
    func epochs() throws {
        var strap = Strap()
        for _ in 0..<20 { _ = strap.send() }
        strap.zero -= 3_600_000_000_000
        let sent = strap.send()
        let block = try #require(sent)
        #expect(!block.isContinuing)
        #expect(abs(strap.lag(block)) < 20)
        // The sensor's clock stands still for a minute, as far as its stamps tell.
        var late: WaveBlock?
        for _ in 0..<30 { late = strap.send(delayed: 60_000_000_000) ?? late }
        #expect(abs(strap.lag(try #require(late))) < 100)
    }

    @Test("a sensor that sends ten times its rate is bounded, and what was refused is counted")
    func flood() throws {
        var timeline = WaveTimeline(Self.strap, .electrocardiogram)
        var (placed, lost) = (0, 0)
        for index in 0..<20_000 {
            let first = Int64(index) * 561_538_461
            let placement = StampedSampleClock.Placement(
                first: first, interval: 1e9 / 130, count: Self.frame, lost: 0, isNewEpoch: false)
            let block = timeline.place(
                WavePiece(.electrocardiogram, Array(repeating: 0, count: Self.frame), placement),
                at: Moment(monotonicNanoseconds: Int64(index) * 56_153_846, wallMilliseconds: 0))
            placed += block?.count ?? 0
            lost += block?.lost ?? 0
        }
        let seconds = 20_000 * 0.056_153_846
        #expect(Double(placed) <= 130 * (1.5 * seconds + 60) + 73)
        #expect(placed + lost > 20_000 * 73 - 4096)
    }

    @Test("nothing that a sensor can say makes it trap, and no block is from the future by more than a second")
    func anything() {
        var random = SeededGenerator(seed: 52)
        for _ in 0..<300 {
            var clock = StampedSampleClock(nominalRate: Double.random(in: 0...200, using: &random))
            var timeline = WaveTimeline(Self.strap, WaveKind.allCases.randomElement(using: &random) ?? .plethysmogram)
            var now: Int64 = 0
            for _ in 0..<40 {
                now += Int64.random(in: 0...2_000_000_000, using: &random)
                let kind = WaveKind.allCases.randomElement(using: &random) ?? .plethysmogram
                let count = Int.random(in: 0...300, using: &random)
                let stamp =
                    Bool.random(using: &random)
                    ? Int64.random(in: .min ... .max, using: &random) : now + Int64.random(in: 0...9, using: &random)
                guard let placement = clock.place(count, lastAt: stamp) else { continue }
                let samples = Array(repeating: Int32.max, count: count * kind.traits.channels)
                let arrival = Moment(monotonicNanoseconds: now, wallMilliseconds: .max)
                guard let block = timeline.place(WavePiece(kind, samples, placement), at: arrival) else { continue }
                #expect(block.interval.isFinite && block.interval > 0)
                #expect(block.time(of: block.count - 1).nanoseconds <= now.addingReportingOverflow(2_000_000_000).0)
                _ = (block.startMoment, block.rate, timeline.rate)
            }
        }
    }
}
