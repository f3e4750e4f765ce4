import CommandLineInterface
import EventLoops
import Glibc

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
