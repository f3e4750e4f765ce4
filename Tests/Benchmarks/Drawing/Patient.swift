import Appearance
import Dashboard
import Monitoring
import TextGrid
import Vitals
import Waves

/// A patient whose every vital comes once a second.
struct Patient {
    private static let strap = SensorIdentity(address: "C0:52:49:00:00:02", name: "Polar H10", kind: .heartRateStrap)
    private static let oximeter = SensorIdentity(address: "C0:52:49:00:00:03", name: "e-Oximeter", kind: .oximeter)
    private static let core = SensorIdentity(address: "C0:52:49:00:00:01", name: "CORE 1A2B", kind: .core)

    private(set) var state: MonitorState
    private(set) var now: Moment
    private(set) var screen = ScreenState()
    private var frames = FrameSequence()
    private var second = 0
    private var sweeps = WaveSweeps()
    private let waves: ArraySlice<(SensorIdentity, WaveKind)>

    /// - Parameters:
    ///   - history: For how many seconds values have come.
    ///   - window: The window of the trends.
    ///   - waves: How many waves come, at most 2: the screen shows one of each kind.
    init(history: Int, window: TrendWindow, waves: Int = 0) {
        self.waves = [(Self.strap, .electrocardiogram), (Self.oximeter, .plethysmogram)].prefix(waves)
        now = Moment(monotonicNanoseconds: 1_000_000_000_000, wallMilliseconds: 1_772_373_000_000)
        state = MonitorState(start: now)
        screen.trends.window = window
        for sensor in [Self.strap, Self.oximeter, Self.core] {
            apply(.connection(sensor, ConnectionState(phase: .ready)))
        }
        for _ in 0..<history { nextSecond() }
    }

    mutating func nextSecond() {
        second += 1
        now = now.advanced(by: .seconds(1))
        measure(Self.strap, .heartRate, 7200 + 100 * (second * 7 % 11))
        measure(Self.oximeter, .oxygenSaturation, 9800 - 100 * (second / 20 % 4))
        measure(Self.oximeter, .pulseRate, 7100 + 100 * (second * 5 % 11))
        measure(Self.core, .bodyTemperature, 3680 + second / 300 % 20)
        measure(Self.core, .skinTemperature, 3410 + second / 200 % 30)
    }

    mutating func drawn(columns: Int, rows: Int) -> Grid {
        screen.prepare(for: state, size: (columns, rows), at: now)
        return frames.drawPrepared(state: state, screen: screen, size: (columns, rows), now: now)
    }

    /// Lets a tenth of a second pass; waves come in lumps of half a second.
    mutating func nextTenth(_ tenth: Int) {
        now = now.advanced(by: .milliseconds(100))
        if tenth.isMultiple(of: 10) {
            measure(Self.strap, .heartRate, 7200)
            measure(Self.oximeter, .oxygenSaturation, 9700)
        }
        guard tenth.isMultiple(of: 5) else { return }
        for (sensor, kind) in waves {
            // A beat in a second: a peak, and a wave that rises fast and falls slowly.
            let samples = (0..<65).map { index -> Int32 in
                let phase = (tenth % 10) / 5 * 65 + index
                return kind == .electrocardiogram
                    ? (40..<44).contains(phase) ? 1100 : Int32(phase % 7) : Int32(130 - phase)
            }
            let start = now.monotonic.advanced(byNanoseconds: -500_000_000)
            let block = WaveBlock(
                sensor: sensor, kind: kind, samples: samples, start: start, interval: 1e9 / 130,
                isContinuing: tenth > 0, arrived: now)
            sweeps.take([.block(block)], at: now)
        }
    }

    /// A frame with waves, drawn anew.
    mutating func drawnWithWaves(columns: Int, rows: Int) -> Grid {
        screen.follow(sweeps, in: state, at: now)
        var grid = drawn(columns: columns, rows: rows)
        drawWaves(on: &grid)
        return grid
    }

    /// The waves alone, over the last grid.
    mutating func drawWaves(on grid: inout Grid) { sweeps.draw(screen, in: state, on: &grid, at: now) }

    private mutating func measure(_ sensor: SensorIdentity, _ vital: Vital, _ hundredths: Int) {
        let outcome = Reading.Outcome.measured(VitalValue(hundredths: hundredths), .good)
        apply(.reading(Reading(sensor: sensor, vital: vital, outcome: outcome, moment: now)))
    }

    private mutating func apply(_ kind: MonitorEvent.Kind) {
        _ = state.apply(MonitorEvent(moment: now, kind: kind))
    }
}
