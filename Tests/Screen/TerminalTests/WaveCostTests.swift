@testable import Dashboard
import Appearance
import Base
import Glibc
import TestSupport
import Testing
import TextGrid
import Vitals
import Waves

@testable import Terminal

// Part of the suite of the terminal, for ncurses keeps global state and these must run one after the other.
extension TerminalTests {
    /// The value of a made-up wave at a time in seconds: an electrocardiogram in µV, or a pulse wave.
    private func value(_ kind: WaveKind, _ time: Double) -> Int32 {
        let phase = (time / 0.8).truncatingRemainder(dividingBy: 1)
        func bump(_ height: Double, _ center: Double, _ width: Double) -> Double {
            height * exp(-pow((phase - center) / width, 2))
        }
        guard kind == .electrocardiogram else { return Int32(20 + bump(70, 0.4, 0.09) + bump(28, 0.65, 0.1)) }
        // With some noise of the muscles.
        let noise = 12 * sin(time * 197) + 9 * sin(time * 61)
        return Int32(
            bump(120, 0.2, 0.03) + bump(1100, 0.37, 0.013) - bump(220, 0.4, 0.013) + bump(260, 0.6, 0.05) + noise)
    }

    @Test(
        "three waves that are drawn ten times a second at 120 × 40 take at most 8 KB a second, and none while none comes"
    )
    func waveCost() throws {
        let (columns, rows) = (120, 40)
        let pty = try PseudoTerminal(columns: columns, rows: rows)
        let terminal = try terminal(pty)
        defer { terminal.restore() }
        let kinds: [WaveKind] = [.electrocardiogram, .plethysmogram, .electrocardiogram]
        let sensors = kinds.indices.map {
            SensorIdentity(address: "C0:52:49:00:00:0\($0)", name: "Sensor", kind: .heartRateStrap)
        }
        let traces = kinds.indices.map { index in
            WaveTrace(
                stream: WaveStream(sensors[index].address, kinds[index]),
                area: Area(column: 1, row: 3 + index * 9, columns: 74, rows: 8),
                scaleArea: Area(column: 75, row: 3 + index * 9, columns: 5, rows: 8),
                sweep: WaveSweep(cells: 74, columnsPerCell: 2, screenColumns: columns), gain: .usual, glyphs: .braille,
                isMotionReduced: false, word: "", calipers: nil)
        }
        var sweeps = WaveSweeps()
        let start = Moment(monotonicNanoseconds: 1_000_000_000_000, wallMilliseconds: 1_772_373_000_000)
        var (octets, frames) = (0, 0)
        var grid = Grid(columns: columns, rows: rows)
        func draw(at now: Moment) -> Int {
            sweeps.advance(to: now, traces)
            for trace in traces { trace.draw(sweeps, on: &grid, at: now) }
            terminal.paint(grid)
            return pty.output().count
        }
        for tenth in 0..<300 {
            let now = start.advanced(by: .milliseconds(100 * tenth))
            if tenth.isMultiple(of: 5) {
                for index in kinds.indices {
                    let samples = (0..<65).map { value(kinds[index], Double(tenth) / 10 + Double($0) / 130) }
                    sweeps.take(
                        [
                            .block(
                                WaveBlock(
                                    sensor: sensors[index], kind: kinds[index], samples: samples,
                                    start: now.monotonic.advanced(byNanoseconds: -500_000_000), interval: 1e9 / 130,
                                    isContinuing: tenth > 0, arrived: now))
                        ], at: now)
                }
            }
            let written = draw(at: now)
            // From the second sweep on the pen replaces what was there.
            if tenth >= 100 { (octets, frames) = (octets + written, frames + 1) }
        }
        let perSecond = octets * 10 / frames
        #expect(perSecond <= 8000, "\(perSecond) octets a second")
        #expect(perSecond > 500, "\(perSecond) octets a second: the waves were drawn")
        let end = start.advanced(by: .seconds(40))
        _ = draw(at: end)
        #expect(draw(at: end.advanced(by: .milliseconds(100))) == 0)
    }
}
