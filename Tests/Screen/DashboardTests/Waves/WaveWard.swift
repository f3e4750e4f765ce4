import Appearance
import Base
import Glibc
import Monitoring
import TextGrid
import Vitals
import Waves

@testable import Dashboard

/// A patient whose strap sends an ECG and whose oximeter sends a plethysmogram, driven by a test.
struct WaveWard {
    var ward: Ward
    var sweeps = WaveSweeps()
    /// Until when each stream has been sent.
    private var sent: [WaveKind: MonotonicTime] = [:]

    static let rates: [WaveKind: Double] = [.electrocardiogram: 130, .plethysmogram: 100]

    init(_ ward: Ward = Ward.live()) {
        self.ward = ward
    }

    static func sensor(_ kind: WaveKind) -> SensorIdentity {
        kind == .electrocardiogram ? Ward.strap : Ward.oximeter
    }

    /// The signal: an electrocardiogram of 72 beats a minute in µV, or a pulse wave of as many.
    static func value(_ kind: WaveKind, at time: MonotonicTime) -> Int32 {
        let seconds = Double(time.nanoseconds % 60_000_000_000) / 1e9
        let phase = (seconds / 0.8333).truncatingRemainder(dividingBy: 1)
        func bump(_ height: Double, _ center: Double, _ width: Double) -> Double {
            height * exp(-pow((phase - center) / width, 2))
        }
        switch kind {
        case .electrocardiogram:
            return Int32(
                bump(120, 0.20, 0.03) - bump(120, 0.35, 0.012) + bump(1100, 0.375, 0.013) - bump(220, 0.4, 0.013)
                    + bump(260, 0.62, 0.05))
        default: return Int32(20 + bump(70, 0.45, 0.09) + bump(28, 0.68, 0.1))
        }
    }

    /// The samples of a kind of wave from where it was sent on, or from a second ago, until now.
    mutating func block(_ kind: WaveKind, shift: Int32 = 0, lost: Bool = false) -> WaveBlock {
        let interval = 1e9 / (Self.rates[kind] ?? 100)
        let former = sent[kind]
        let start = former ?? ward.now.monotonic.advanced(by: .seconds(-1))
        let count = max(0, Int(Double(ward.now.monotonic.nanoseconds(since: start)) / interval))
        let samples = (0..<count).map { index in
            Self.value(kind, at: start.advanced(byNanoseconds: Int64(Double(index) * interval))) + shift
        }
        let block = WaveBlock(
            sensor: Self.sensor(kind), kind: kind, samples: samples, start: start, interval: interval,
            isContinuing: former != nil && !lost, arrived: ward.now)
        sent[kind] = block.end
        return block
    }

    /// Loses what was measured since the last block.
    mutating func lose(_ kind: WaveKind) { sent[kind] = ward.now.monotonic }

    /// Lets sensors send values each second, and waves in lumps of half a second.
    mutating func stream(
        halves: Int, kinds: [WaveKind] = [.electrocardiogram, .plethysmogram], shift: Int32 = 0
    ) {
        for half in 0..<halves {
            ward.now = ward.now.advanced(by: .milliseconds(500))
            if half.isMultiple(of: 2) {
                ward.measure(Ward.strap, .heartRate, 7200)
                ward.measure(Ward.oximeter, .oxygenSaturation, 9700)
                ward.measure(Ward.oximeter, .pulseRate, 7200)
                ward.measure(Ward.core, .bodyTemperature, 3690, site: .core)
            }
            let updates = kinds.map { WaveUpdate.block(block($0, shift: $0 == .electrocardiogram ? shift : 0)) }
            sweeps.take(updates, at: ward.now)
        }
    }

    /// Prepares the screen for drawing.
    mutating func prepare(_ columns: Int, _ rows: Int) {
        sweeps.follow(ward.screen)
        ward.screen.follow(sweeps, in: ward.state, at: ward.now)
        ward.screen.prepare(for: ward.state, size: (columns, rows), at: ward.now)
    }

    /// The screen as the program draws it: a frame, and the waves over it.
    mutating func drawn(_ columns: Int, _ rows: Int, _ glyphs: GlyphSet = .braille) -> Grid {
        ward.screen.glyphs = glyphs
        prepare(columns, rows)
        var frames = FrameSequence()
        var grid = frames.drawPrepared(
            state: ward.state, screen: ward.screen, size: (columns, rows), now: ward.now)
        sweeps.draw(ward.screen, in: ward.state, on: &grid, at: ward.now)
        return grid
    }

    mutating func press(_ keys: Key...) {
        for key in keys { _ = ward.screen.keyPressed(key, in: ward.state, at: ward.now) }
    }

    /// Both waves for 20 seconds.
    static func live() -> WaveWard {
        var ward = WaveWard()
        ward.stream(halves: 40)
        return ward
    }
}

/// The rows of a grid as text.
func lines(_ grid: Grid) -> [String] { (0..<grid.rows).map { grid.text(row: $0) } }
