import CommandLineInterface
import Configuration
import Engine
import EventLoops
import Glibc

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
        await presenter.prepare(monitor)
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

/// A subscriber that writes lines: those of `watch`, or the journal of `record`.
protocol EventPresenter: MonitorSubscriber {
    /// Starts to write.
    ///
    /// - Parameter end: Ends the program with a status.
    func begin(on loop: EventLoop, end: @escaping (ExitStatus) -> Void)

    /// Asks the monitor for what it needs beside the updates.
    func prepare(_ monitor: isolated MonitorEngine) async

    /// Reports a problem, in a sentence.
    func complain(_ sentence: String)

    /// Writes the last lines, within a time limit.
    func finish()
}

extension EventPresenter {
    /// Asks for nothing.
    func prepare(_ monitor: isolated MonitorEngine) async {}
}

/// The end of a session, which happens once; used on one loop's thread only.
final class Ending {
    /// The status to end with; `nil` before the end.
    private(set) var status: ExitStatus?
    private var waiter: CheckedContinuation<ExitStatus, Never>?

    /// Ends the session, unless it has ended.
    func come(_ status: ExitStatus) {
        if self.status != nil { return }
        self.status = status
        waiter?.resume(returning: status)
        waiter = nil
    }

    /// Waits for the end.
    func wait() async -> ExitStatus {
        await withCheckedContinuation { continuation in
            if let status { continuation.resume(returning: status) } else { waiter = continuation }
        }
    }

    /// Waits for the end, which can also be caused by a signal or the time.
    ///
    /// - Parameters:
    ///   - loop: The loop of the session.
    ///   - duration: The longest duration of the session; `nil` for no limit.
    ///   - interruption: The exit status after SIGINT and SIGTERM.
    ///   - hangUp: The exit status after SIGHUP.
    func wait(
        on loop: EventLoop, for duration: Duration? = nil, interruption: ExitStatus = .success,
        hangUp: ExitStatus = .hangUp
    ) async -> ExitStatus {
        let numbers = [SIGINT, SIGTERM, SIGHUP]
        let signals = SignalWatch(numbers, on: loop) { self.come($0 == SIGHUP ? hangUp : interruption) }
        // Without a descriptor to receive them, they end the program by default.
        if signals == nil { SignalWatch.unblock(numbers) }
        let timer = duration.map { loop.schedule(after: $0) { self.come(.success) } }
        let status = await wait()
        if let timer { loop.cancel(timer) }
        signals?.stop()
        return status
    }
}
