import Configuration
import Dashboard
import Engine
import Monitoring
import Vitals
import Waves

/// The waves that a screen reads.
struct WaveReading {
    /// What has come and is not drawn yet; `nil` while nothing is read.
    var queue: WaveQueue?
    var sweeps = WaveSweeps()
    var rate = Settings.WaveRate.off

    /// The kinds that a screen draws.
    static let kinds = Set(WaveKind.allCases.filter(\.traits.isShown))

    /// The time from one frame to the next, in nanoseconds.
    func interval(isMotionReduced: Bool) -> Int64 {
        1_000_000_000 / Int64(isMotionReduced ? 1 : max(1, rate.framesPerSecond))
    }
}

// Waves, which are drawn between the frames: over the last grid, and only their strips.
extension ScreenController {
    /// Reads waves as the settings say.
    func beginReadingWaves() { readWaves(monitor.assumeIsolated { $0.settings.screen.waves }) }

    /// Reads waves, or no longer: sensors are then not asked for any.
    func readWaves(_ rate: Settings.WaveRate) {
        guard rate != waves.rate else { return }
        waves.rate = rate
        Task(executorPreference: ScreenActor.loop) { await self.askForWaves() }
    }

    private func askForWaves() async {
        let isWanted = waves.rate != .off
        let queue = await monitor.readWaves(isWanted ? WaveReading.kinds : [], as: .screen)
        waves.queue = queue
        if queue == nil { waves.sweeps.forget() }
        changed()
    }

    /// Takes what has come, for the next frame.
    func followWaves(in state: MonitorState, at now: Moment) {
        if let queue = waves.queue { waves.sweeps.take(queue.takeAll(), at: now) }
        waves.sweeps.follow(screen)
        screen.follow(waves.sweeps, in: state, at: now)
    }

    /// Takes what has come, and whether the last frame has left its place for the same waves.
    func hasSameWaves(in state: MonitorState, at now: Moment) -> Bool {
        if let queue = waves.queue { waves.sweeps.take(queue.takeAll(), at: now) }
        return waves.sweeps.strips(for: state, at: now) == screen.waves.known
    }
}
