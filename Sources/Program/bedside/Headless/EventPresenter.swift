import CommandLineInterface
import EventLoops
import Engine

/// A subscriber that writes lines: those of `watch`, or the journal of `record`.
protocol EventPresenter: MonitorSubscriber {
    /// Starts to write.
    ///
    /// - Parameter end: Ends the program with a status.
    func begin(on loop: EventLoop, end: @escaping (ExitStatus) -> Void)

    /// Reports a problem, in a sentence.
    func complain(_ sentence: String)

    /// Writes the last lines, within a time limit.
    func finish()
}
