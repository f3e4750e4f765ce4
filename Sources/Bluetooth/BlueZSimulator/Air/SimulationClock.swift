import EventLoops

/// The time of the simulated world, scaled by a factor.
final class SimulationClock {
    let loop: EventLoop
    /// The real seconds per simulated second.
    let scale: Double
    private let start: Int64

    init(loop: EventLoop, scale: Double) {
        self.loop = loop
        self.scale = scale
        start = Timestamp.monotonicNow()
    }

    /// Seconds since the beginning.
    var now: Double { Double(Timestamp.monotonicNow() - start) / 1_000_000_000 / scale }

    /// Calls a closure at or soon after a time.
    @discardableResult
    func at(_ seconds: Double, _ handler: @escaping () -> Void) -> LoopTimer {
        loop.schedule(at: start + Int64(min(max(seconds, 0) * scale, 3e9) * 1_000_000_000), handler)
    }

    /// Calls a closure after a delay.
    @discardableResult
    func after(_ seconds: Double, _ handler: @escaping () -> Void) -> LoopTimer {
        at(now + seconds, handler)
    }

    func cancel(_ timer: LoopTimer?) {
        if let timer { loop.cancel(timer) }
    }
}
