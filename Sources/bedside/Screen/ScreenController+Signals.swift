import EventLoops
import Glibc
import Monitor

// What the screen does about signals.
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

    /// Gives the terminal back, stops as Ctrl-Z asks, and takes the terminal again when the shell says so.
    func stopAndContinue() {
        terminal.suspend()
        // The signal must stop the whole process by its own rule, which it does as soon as it is let through.
        kill(getpid(), SIGTSTP)
        SignalWatch.unblock([SIGTSTP])
        SignalWatch.block([SIGTSTP])
        terminal.resume()
        monitor.assumeIsolated { $0.timePassed() }
        draw()
    }
}
