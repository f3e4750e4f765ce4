import Testing
import Vitals
import Waves

@testable import Dashboard

/// A block of a plethysmogram from a time on, in ms of the monitor's clock.
private func block(
    _ samples: [Int32], from start: Int64, every interval: Double = 20, continuing: Bool = true, beats: [Int] = []
) -> WaveBlock {
    WaveBlock(
        sensor: Ward.oximeter, kind: .plethysmogram, samples: samples, beats: beats,
        start: MonotonicTime(nanoseconds: start * 1_000_000), interval: interval * 1e6, isContinuing: continuing,
        arrived: Moment(monotonicNanoseconds: start * 1_000_000, wallMilliseconds: start))
}

@Suite("The memory of a wave")
struct WaveRingTests {
    /// The steps of a stretch of time in ms.
    private func steps(_ first: Int64, _ end: Int64) -> Range<Int64> { first / 5..<end / 5 }

    @Test("a value holds until the next sample is due, and the last one no longer")
    func holds() {
        var ring = WaveRing()
        ring.add(block([10, 30], from: 1000))
        #expect(ring.span(of: steps(1000, 1020)) == 10...10)
        #expect(ring.span(of: steps(1015, 1025)) == 10...30)
        #expect(ring.span(of: steps(1035, 1040)) == 30...30)
        #expect(ring.span(of: steps(1040, 1060)) == nil)
        #expect(ring.span(of: steps(900, 1000)) == nil)
    }

    @Test("lost and invalid samples are a gap of their true length")
    func gaps() {
        var ring = WaveRing()
        ring.add(block([10, WavePiece.missing, 30], from: 1000))
        ring.add(block([50], from: 1200, continuing: false))
        #expect(ring.span(of: steps(1020, 1040)) == nil)
        #expect(ring.span(of: steps(1060, 1200)) == nil)
        #expect(ring.span(of: steps(1055, 1060)) == 30...30)
        #expect(ring.span(of: steps(1200, 1205)) == 50...50)
    }

    @Test("a peak of a single sample is in the span of every stretch with it")
    func peaks() {
        var ring = WaveRing()
        ring.add(
            block([Int32](repeating: 0, count: 50) + [900] + [Int32](repeating: 0, count: 50), from: 0, every: 7.69))
        let time = Int64(50 * 7.69)
        #expect(ring.span(of: steps(time - 100, time + 100)) == 0...900)
        #expect(ring.span(of: steps(time - 100, time - 10)) == 0...0)
    }

    @Test("a beat that was found late is marked where it was, and none is before the first sample")
    func lateBeat() {
        var ring = WaveRing()
        ring.add(block([1, 2, 3, 4], from: 1000, beats: [-1]))
        ring.add(block([5, 6], from: 1080, beats: [-3, 1]))
        #expect(ring.hasBeat(in: steps(1020, 1025)))
        #expect(ring.hasBeat(in: steps(1100, 1105)))
        #expect(!ring.hasBeat(in: steps(1025, 1100)))
        #expect(!ring.hasBeat(in: steps(0, 1020)))
        ring.add(block([7, 8], from: 2000, continuing: false, beats: [-1]))
        #expect(!ring.hasBeat(in: steps(1105, 3000)))
    }

    @Test("a block from a clock that was set back replaces what was there")
    func clockSetBack() {
        var ring = WaveRing()
        ring.add(block([Int32](repeating: 7, count: 100), from: 1000))
        ring.add(block([1, 2], from: 2000, continuing: false))
        #expect(ring.span(of: steps(1980, 2000)) == 7...7)
        #expect(ring.span(of: steps(2000, 2040)) == 1...2)
        #expect(ring.span(of: steps(2040, 3000)) == nil)
    }

    @Test("what is older than 40 seconds is forgotten, and comes back as nothing")
    func forgets() {
        var ring = WaveRing()
        ring.add(block([5], from: 1000))
        ring.add(block([6], from: 60_000, continuing: false))
        #expect(ring.span(of: steps(0, 59_000)) == nil)
        ring.add(block([9], from: 2000, continuing: false))
        #expect(ring.newest(in: 0...steps(0, 70_000).upperBound) == nil)
    }

    @Test("beats that the sensor marks are found at their samples")
    func beats() {
        var ring = WaveRing()
        ring.add(block([1, 2, 3, 4], from: 1000, beats: [2]))
        #expect(ring.hasBeat(in: steps(1040, 1045)))
        #expect(!ring.hasBeat(in: steps(1000, 1040)))
        #expect(!ring.hasBeat(in: steps(1045, 1100)))
    }
}

@Suite("A sweep")
struct WaveSweepTests {
    @Test("every column has one place, and every place outside of the erased bar shows the newest column there")
    func places() {
        let sweep = WaveSweep(cells: 30, columnsPerCell: 2, screenColumns: 80)
        for pen in Int64(1000)..<1130 {
            let shown = (0..<sweep.columns).compactMap { sweep.column(at: $0, pen: pen) }
            #expect(shown.count == sweep.columns - WaveSweep.erasedCells * 2)
            #expect(Set(shown) == Set(sweep.shown(pen: pen)))
            for place in 0..<sweep.columns {
                if let column = sweep.column(at: place, pen: pen) { #expect(sweep.place(of: column).place == place) }
            }
        }
    }

    @Test(
        "a column lasts 40 ms below 140 columns of the screen and 25 ms from there, and a cell as long in each glyph set"
    )
    func widths() {
        #expect(WaveSweep(cells: 50, columnsPerCell: 2, screenColumns: 139).columnWidth == 40_000_000)
        #expect(WaveSweep(cells: 50, columnsPerCell: 2, screenColumns: 140).columnWidth == 25_000_000)
        for columns in [80, 200] {
            let sweeps = [1, 2].map { WaveSweep(cells: 50, columnsPerCell: $0, screenColumns: columns) }
            #expect(sweeps[0].length == sweeps[1].length)
        }
    }

    @Test("the widest screen has no longer sweep than is remembered")
    func longest() {
        let sweep = WaveSweep(cells: 1000, columnsPerCell: 2, screenColumns: 1000)
        #expect(sweep.length + 10_000_000_000 <= Int64(WaveRing.capacity) * WaveRing.step)
    }
}
