import Appearance
import Base
import Monitoring
import TestSupport
import Testing
import TextGrid
import Vitals
import Waves

@testable import Dashboard

@Suite("A wave in its strip")
struct WaveTraceTests {
    private func trace(_ ward: WaveWard, _ kind: WaveKind = .electrocardiogram, columns: Int = 120) throws -> WaveTrace
    {
        try #require(
            ward.ward.screen.traces(in: ward.ward.state, size: (columns, 40)).first { $0.stream.kind == kind })
    }

    @Test(
        "drawing over the last grid ten times a second makes the same picture as drawing anew",
        arguments: GlyphSet.allCases)
    func sameAsAnew(glyphs: GlyphSet) throws {
        var ward = WaveWard.live()
        var grid = ward.drawn(120, 40, glyphs)
        for _ in 0..<12 {
            ward.stream(halves: 1)
            for tenth in 0..<5 {
                let now = ward.ward.now.advanced(by: .milliseconds(100 * tenth))
                ward.sweeps.draw(ward.ward.screen, in: ward.ward.state, on: &grid, at: now)
            }
        }
        let now = ward.ward.now.advanced(by: .milliseconds(400))
        var anew = Grid(columns: 120, rows: 40, isASCII: glyphs == .ascii)
        ward.sweeps.draw(ward.ward.screen, in: ward.ward.state, on: &anew, at: now)
        for kind in [WaveKind.electrocardiogram, .plethysmogram] {
            let area = try trace(ward, kind).area
            for row in area.row..<area.row + area.rows {
                for column in area.column..<area.column + area.columns {
                    #expect(grid[column, row] == anew[column, row])
                }
            }
        }
    }

    @Test("a frame changes few cells: what the pen draws, what its bar erases, and what is no longer bold")
    func cellsChanged() {
        var ward = WaveWard.live()
        var grid = ward.drawn(120, 40)
        var most = 0
        var total = 0
        for _ in 0..<20 {
            ward.stream(halves: 1)
            for tenth in 0..<5 {
                let before = grid
                let now = ward.ward.now.advanced(by: .milliseconds(100 * tenth))
                ward.sweeps.draw(ward.ward.screen, in: ward.ward.state, on: &grid, at: now)
                let changed = zip(before.cells, grid.cells).count { $0 != $1 }
                most = max(most, changed)
                total += changed
            }
        }
        // Two waves; a scrolling one would change some hundred cells each.
        #expect(total / 100 <= 20)
        #expect(most <= 80)
        #expect(total > 200)
    }

    @Test(
        "no R peak vanishes: each beat on the strip reaches the height of its highest sample",
        arguments: [80, 120, 200])
    func peaks(columns: Int) throws {
        var ward = WaveWard.live()
        let grid = ward.drawn(columns, 40)
        let trace = try trace(ward, columns: columns)
        // A peak of 1.1 mV is 35 + 1.1 · 45 = 84 % of the height above the lower edge.
        let top = trace.area.rows - Int(Double(trace.area.rows) * 0.84) - 1
        let high = (0..<trace.area.columns).count { cell in
            (0...top).contains { grid[trace.area.column + cell, trace.area.row + $0].scalar != " " }
        }
        let beats = Double(trace.sweep.length) / 1e9 / 0.8333
        #expect(Double(high) >= beats - 2)
    }

    @Test("a wave that is higher or lower than its strip says so at the edge")
    func clipped() throws {
        var ward = WaveWard()
        ward.stream(halves: 30)
        // The baseline follows only from sweep to sweep.
        ward.stream(halves: 4, shift: 2000)
        var grid = ward.drawn(120, 40)
        var trace = try trace(ward)
        #expect(lines(grid)[trace.area.row].contains("▲"))
        ward.stream(halves: 30, shift: 2000)
        ward.stream(halves: 4, shift: -1000)
        grid = ward.drawn(120, 40)
        trace = try self.trace(ward)
        #expect(lines(grid)[trace.area.row + trace.area.rows - 1].contains("▼"))
    }

    @Test("beats are marked only where the sensor itself has marked them")
    func beats() throws {
        var ward = WaveWard.live()
        let mark = GlyphSet.braille.tickMark
        func marks(_ ward: inout WaveWard) throws -> Int {
            let grid = ward.drawn(120, 40)
            let area = try trace(ward).area
            return (0..<area.columns).count { grid[area.column + $0, area.row].scalar == mark }
        }
        #expect(try marks(&ward) == 0)
        ward.ward.now = ward.ward.now.advanced(by: .seconds(1))
        var block = ward.block(.electrocardiogram)
        block.beats = [20, 110]
        ward.sweeps.take([.block(block)], at: ward.ward.now)
        ward.stream(halves: 4)
        #expect(try marks(&ward) == 2)
    }

    @Test("waves of simulated sensors and of a recording have their word in the strip")
    func word() throws {
        var ward = WaveWard.live()
        ward.ward.screen.session.isSimulated = true
        let grid = ward.drawn(120, 40)
        #expect(lines(grid)[try trace(ward).area.row].contains("SIMULATED"))
    }

    @Test("the pen moves on with the next frame; when all have stopped, only the end of the wave is waited for")
    func nextFrame() {
        var ward = WaveWard.live()
        var grid = ward.drawn(120, 40)
        let (state, screen) = (ward.ward.state, ward.ward.screen)
        #expect(ward.sweeps.draw(screen, in: state, on: &grid, at: ward.ward.now) == .soon)
        let later = ward.ward.now.advanced(by: .milliseconds(1700))
        let before = grid
        guard case .at(let end)? = ward.sweeps.draw(screen, in: state, on: &grid, at: later) else {
            Issue.record("a pen that stands still waits for no frame")
            return
        }
        #expect(grid != before)
        #expect(end > later && end <= ward.ward.now.advanced(by: SweptWave.longestSilence))
        let still = grid
        ward.sweeps.draw(screen, in: state, on: &grid, at: later.advanced(by: .milliseconds(300)))
        #expect(grid == still)
    }

    @Test("with reduced motion a wave grows once a second")
    func reducedMotion() {
        var settings = MonitorSettings()
        settings.alarmSignals.isMotionReduced = true
        var ward = WaveWard(Ward.live(settings: settings))
        ward.stream(halves: 40)
        var grid = ward.drawn(120, 40)
        var changes = 0
        for _ in 0..<10 {
            ward.stream(halves: 1)
            for tenth in 0..<5 {
                let before = grid
                ward.sweeps.draw(
                    ward.ward.screen, in: ward.ward.state, on: &grid,
                    at: ward.ward.now.advanced(by: .milliseconds(100 * tenth)))
                if grid != before { changes += 1 }
            }
        }
        #expect((4...6).contains(changes))
    }
}
