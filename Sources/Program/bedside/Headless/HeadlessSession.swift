import CommandLineInterface
import Configuration
import EventLoops
import Glibc
import Engine

/// A monitor, or a view of one, without a screen; its presenter, a time or a signal ends it.
struct HeadlessSession {
    /// When it ends automatically; `nil` for never.
    var duration: Duration?
    /// Reads the settings again for SIGHUP; without it, SIGHUP ends the session.
    var rereadSettings: (@Sendable () throws(ConfigurationFileError) -> Settings)?

    /// Runs until the time, a signal or the presenter ends it.
    ///
    /// - Parameters:
    ///   - presenter: Writes the lines.
    ///   - loop: The loop of the monitor.
    func run(
        _ monitor: isolated MonitorEngine, _ presenter: some EventPresenter, on loop: EventLoop
    ) async -> ExitStatus {
        let ending = Ending()
        let end = { (status: ExitStatus) in
            // Later events are not reported.
            if ending.status == nil { monitor.assumeIsolated { $0.stop() } }
            ending.come(status)
        }
        presenter.begin(on: loop, end: end)
        let signals = SignalWatch([SIGINT, SIGTERM, SIGHUP], on: loop) { [rereadSettings] number in
            guard number == SIGHUP else { return end(.success) }
            guard let rereadSettings else { return end(.hangUp) }
            monitor.assumeIsolated { $0.reload(rereadSettings) }
        }
        let timer = duration.map { duration in loop.schedule(after: duration) { end(.success) } }
        monitor.subscribe(presenter)
        await monitor.begin()
        // Concurrent with the wait for the end, which must not depend on a bus that does not answer.
        let opening = Task(executorPreference: loop) { await monitor.open() }
        let status = await ending.wait()
        if let timer { loop.cancel(timer) }
        if let loss = await monitor.close(awaiting: opening) { presenter.complain(loss) }
        signals?.stop()
        presenter.finish()
        return status
    }
}
