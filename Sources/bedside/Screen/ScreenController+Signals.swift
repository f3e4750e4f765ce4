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

    /// Stops the process for Ctrl-Z, and draws anew when the shell continues it.
    func stopAndContinue() {
        terminal.stopUntilContinued()
        monitor.assumeIsolated { $0.timePassed() }
        draw()
    }
}
