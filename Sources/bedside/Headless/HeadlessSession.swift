import CommandLineInterface
import Configuration
import EventLoops
import Glibc
import Monitor

/// A monitor, or a view of one, without a screen: ended by its presenter, a time or a signal.
struct HeadlessSession {
    /// When it ends by itself; `nil` for never.
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
        let ending = Ending { monitor.assumeIsolated { $0.stop() } }
        presenter.begin(on: loop) { ending.end($0) }
        let signals = SignalWatch([SIGINT, SIGTERM, SIGHUP], on: loop) { [rereadSettings] number in
            guard number == SIGHUP else { return ending.end(.success) }
            guard let rereadSettings else { return ending.end(.hangUp) }
            monitor.assumeIsolated { $0.reload(rereadSettings) }
        }
        let timer = duration.map { duration in loop.schedule(after: duration) { ending.end(.success) } }
        monitor.subscribe(presenter)
        await monitor.begin()
        // Concurrent with the wait for the end, which must not depend on a bus that does not answer.
        let opening = Task(executorPreference: loop) { await monitor.open() }
        let status = await ending.status()
        if let timer { loop.cancel(timer) }
        if let loss = await monitor.close(awaiting: opening) { presenter.complain(loss) }
        signals?.stop()
        presenter.finish()
        return status
    }
}

/// The end of a session, which comes once.
private final class Ending {
    private let stop: () -> Void
    private var ended: ExitStatus?
    private var waiter: CheckedContinuation<ExitStatus, Never>?

    init(_ stop: @escaping () -> Void) {
        self.stop = stop
    }

    /// Ends the session: later events are not reported.
    func end(_ status: ExitStatus) {
        if ended != nil { return }
        stop()
        ended = status
        waiter?.resume(returning: status)
        waiter = nil
    }

    func status() async -> ExitStatus {
        await withCheckedContinuation { continuation in
            if let ended { continuation.resume(returning: ended) } else { waiter = continuation }
        }
    }
}
