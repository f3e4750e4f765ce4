import EventLoops
import Glibc
import Terminal

extension Terminal {
    /// Restores the terminal, stops the process for Ctrl-Z, and takes control of the terminal again when the shell
    /// continues it.
    func stopUntilContinued() {
        suspend()
        // The signal's default action stops the whole process, as soon as it is unblocked.
        kill(getpid(), SIGTSTP)
        SignalWatch.unblock([SIGTSTP])
        SignalWatch.block([SIGTSTP])
        resume()
    }
}
