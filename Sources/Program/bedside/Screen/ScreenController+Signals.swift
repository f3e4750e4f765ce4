import Engine

// The screen's signal handling.
extension ScreenController {
    func handle(_ request: TerminalSession.Request) {
        switch request {
        case .redraw: draw()
        case .stop: carryOut(screen.stopWanted(in: state))
        }
    }

    /// Stops the process for Ctrl-Z, and draws again when the shell continues it.
    func stopAndContinue() {
        terminal.stopUntilContinued()
        monitor.assumeIsolated { $0.timePassed() }
        draw()
    }
}
