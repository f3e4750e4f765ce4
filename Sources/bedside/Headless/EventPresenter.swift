import CommandLineInterface
import EventLoops
import Monitor

/// A subscriber that writes lines: those of `watch`, or the journal of `record`.
protocol EventPresenter: MonitorSubscriber {
    /// Begins to write.
    ///
    /// - Parameter end: Ends the program with a status.
    func begin(on loop: EventLoop, end: @escaping (ExitStatus) -> Void)

    /// Reports a sentence about trouble.
    func complain(_ sentence: String)

    /// Writes the last lines, as far as somebody reads them in time.
    func finish()
}
