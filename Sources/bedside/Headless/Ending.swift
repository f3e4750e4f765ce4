import CommandLineInterface

/// The end of a session, which comes once; used on one loop's thread only.
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
}
