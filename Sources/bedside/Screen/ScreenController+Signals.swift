import EventLoops
import Glibc
import Monitor

// The screen's signal handling.
extension ScreenController {
    func received(signal number: Int32) {
        switch number {
        case SIGWINCH:
            terminal.resize()
            draw()
        case SIGTSTP: carryOut(screen.stopWanted(in: state))
        case SIGHUP: end(.hangUp)
        default: end(.success)
        }
    }

    /// Restores the terminal, stops the process for Ctrl-Z, and takes the terminal over again when the shell continues
    /// it.
    func stopAndContinue() {
        terminal.suspend()
        // The signal's default action stops the whole process, as soon as it is unblocked.
        kill(getpid(), SIGTSTP)
        SignalWatch.unblock([SIGTSTP])
        SignalWatch.block([SIGTSTP])
        terminal.resume()
        monitor.assumeIsolated { $0.timePassed() }
        draw()
    }
}
