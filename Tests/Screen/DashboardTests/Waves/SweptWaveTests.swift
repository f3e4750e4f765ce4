import Base
import Monitoring
import TestSupport
import Testing
import TextGrid
import Vitals
import Waves

@testable import Dashboard

@Suite("A wave on the screen")
struct SweptWaveTests {
    private let sweep = WaveSweep(cells: 60, columnsPerCell: 2, screenColumns: 120)

    private func ecg(_ ward: WaveWard) throws -> SweptWave {
        try #require(ward.sweeps.wave(WaveStream(Ward.strap.address, .electrocardiogram)))
    }

    @Test("the pen moves evenly, whatever the lumps in which samples come")
    func evenly() throws {
        var ward = WaveWard.live()
        var pens: [Int64] = []
        for _ in 0..<10 {
            ward.stream(halves: 1)
            for tenth in 0..<5 {
                let now = ward.ward.now.advanced(by: .milliseconds(100 * tenth))
                pens.append(try #require(try ecg(ward).pen(at: now, sweep)))
            }
        }
        // 100 ms are two and a half columns.
        #expect(zip(pens, pens.dropFirst()).allSatisfy { [2, 3].contains($1 - $0) })
    }

    @Test("the pen stops at the last sample, and after a stop goes on at the right time")
    func stops() throws {
        var ward = WaveWard.live()
        let wave = try ecg(ward)
        let end = try #require(wave.ring.known?.upperBound)
        let later = ward.ward.now.advanced(by: .seconds(10))
        #expect(wave.pen(at: later, sweep) == sweep.column(ofStep: end))
        #expect(!wave.isLive(at: later))
        for _ in 0..<8 { ward.stream(halves: 1, kinds: []) }
        ward.lose(.electrocardiogram)
        ward.stream(halves: 6)
        let pen = try #require(try ecg(ward).pen(at: ward.ward.now, sweep))
        let due = sweep.column(of: ward.ward.now.monotonic.advanced(by: .zero - SweptWave.delay))
        #expect(abs(pen - due) <= 1)
    }

    @Test(
        "a block that comes later than the pen has passed is drawn in its own columns, because their place is its time")
    func late() throws {
        var ward = WaveWard.live()
        ward.ward.now = ward.ward.now.advanced(by: .seconds(1))
        let missed = ward.block(.electrocardiogram)
        ward.stream(halves: 6)
        let column = sweep.column(of: missed.start) + 5
        #expect(try ecg(ward).ring.span(of: sweep.steps(of: column)) == nil)
        let pen = try #require(try ecg(ward).pen(at: ward.ward.now, sweep))
        #expect(sweep.shown(pen: pen).contains(column))
        var late = missed
        late.isContinuing = true
        ward.sweeps.take([.block(late)], at: ward.ward.now)
        #expect(try ecg(ward).ring.span(of: sweep.steps(of: column)) != nil)
        #expect(try ecg(ward).pen(at: ward.ward.now, sweep) == pen)
    }

    @Test("a block of a time that is not yet clears nothing")
    func future() throws {
        var ward = WaveWard.live()
        let before = try ecg(ward).ring.known
        let block = WaveBlock(
            sensor: Ward.strap, kind: .electrocardiogram, samples: [1, 2],
            start: ward.ward.now.monotonic.advanced(by: .seconds(60)),
            interval: 7e6, isContinuing: false, arrived: ward.ward.now)
        ward.sweeps.take([.block(block)], at: ward.ward.now)
        #expect(try ecg(ward).ring.known == before)
    }

    @Test("a baseline that drifts is drawn as it drifts within a sweep, and followed from one sweep to the next")
    func baseline() throws {
        var ward = WaveWard()
        ward.stream(halves: 20)
        var baselines: [Int32] = []
        for half in 0..<60 {
            ward.stream(halves: 1, shift: Int32(half * 30))
            ward.prepare(120, 40)
            var grid = Grid(columns: 120, rows: 40)
            ward.sweeps.draw(ward.ward.screen, in: ward.ward.state, on: &grid, at: ward.ward.now)
            let trace = try #require(ward.ward.screen.traces(in: ward.ward.state, size: (120, 40)).first)
            let pen = try #require(trace.pen(of: ward.sweeps, at: ward.ward.now))
            baselines.append(try #require(try ecg(ward).scale(of: pen)).range.lowerBound)
        }
        // In half a minute the baseline rises by 1.8 mV; the scale takes few values, each for a whole sweep.
        #expect(Set(baselines).count <= 8)
        #expect(try #require(baselines.last) > 1000)
    }

    @Test("the automatic gain widens at once and shrinks by at most a quarter of its height in a sweep")
    func gain() throws {
        var ring = WaveRing()
        func add(_ height: Int32, seconds: Range<Int64>) {
            for second in seconds {
                let samples = (0..<100).map { Int32($0 % 50) * height / 50 }
                ring.add(
                    WaveBlock(
                        sensor: Ward.oximeter, kind: .plethysmogram, samples: samples,
                        start: MonotonicTime(nanoseconds: second * 1_000_000_000), interval: 1e7,
                        arrived: Moment(monotonicNanoseconds: second * 1_000_000_000, wallMilliseconds: 0)))
            }
        }
        add(100, seconds: 10..<30)
        let first = try #require(WaveScale(.plethysmogram, ring, at: sweep.column(ofStep: 20 * 200), sweep, after: nil))
        #expect(first.range == 0...98)
        let wider = try #require(first.widened(for: -10...150, 600))
        #expect(wider.range.lowerBound <= -10 && wider.range.upperBound >= 150)
        #expect(first.widened(for: 10...90, 600) == nil)
        add(10, seconds: 30..<45)
        let next = try #require(
            WaveScale(.plethysmogram, ring, at: sweep.column(ofStep: 44 * 200), sweep, after: first))
        let (before, after) = (
            first.range.lowerBound.distance(to: first.range.upperBound),
            next.range.lowerBound.distance(to: next.range.upperBound)
        )
        #expect(after < before && after * 4 >= before * 3 - 4)
    }

    @Test("what the sensor reports as off the body is gone at once, and what comes after is not joined with it")
    func off() throws {
        var ward = WaveWard.live()
        ward.sweeps.take([.state(Ward.strap, .electrocardiogram, .off)], at: ward.ward.now)
        #expect(try ecg(ward).ring.known == nil)
        #expect(try !ecg(ward).isLive(at: ward.ward.now))
    }

    @Test("more sensors than any bed has are not kept")
    func bounded() {
        var sweeps = WaveSweeps()
        let now = Ward.live(seconds: 1).now
        for number in 0..<200 {
            let sensor = SensorIdentity(address: "\(number)", name: "X", kind: .heartRateStrap)
            sweeps.take([.state(sensor, .electrocardiogram, .wanted)], at: now)
        }
        let kept = (0..<200).count { sweeps.wave(WaveStream("\($0)", .electrocardiogram)) != nil }
        #expect(kept == 32)
    }
}
