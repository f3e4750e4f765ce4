import Appearance
import Dashboard
import Monitoring
import TextGrid
import Vitals

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

    init(history: Int, window: TrendWindow) {
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

    private mutating func measure(_ sensor: SensorIdentity, _ vital: Vital, _ hundredths: Int) {
        let outcome = Reading.Outcome.measured(VitalValue(hundredths: hundredths), .good)
        apply(.reading(Reading(sensor: sensor, vital: vital, outcome: outcome, moment: now)))
    }

    private mutating func apply(_ kind: MonitorEvent.Kind) {
        _ = state.apply(MonitorEvent(moment: now, kind: kind))
    }
}
