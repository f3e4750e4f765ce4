import CNcurses
import Glibc

// The line to the terminal, which may be slow, be stopped, or hang.
extension Terminal {
    /// Becomes writable when the terminal accepts output again.
    public var outputDescriptor: CInt { line.descriptor }

    /// Whether the terminal accepts output now; a slow line, a hanging connection or a stopped emulator does not.
    public var takesOutput: Bool { line.takesOutput }

    /// Whether a part of the last frame waits; call ``sendWaitingOutput()`` when the terminal accepts output.
    public var isOutputWaiting: Bool { line.isWaiting }

    /// Sends as much waiting output as the terminal accepts now.
    public func sendWaitingOutput() { line.sendWaiting() }

    /// Makes Ctrl-S an ordinary key.
    ///
    /// Otherwise it would freeze the screen until Ctrl-Q.
    func refuseFlowControl() {
        var settings = termios()
        guard tcgetattr(line.terminal, &settings) == 0 else { return }
        settings.c_iflag &= ~tcflag_t(IXON)
        tcsetattr(line.terminal, TCSANOW, &settings)
        // ncurses restores these settings when it takes over the screen again.
        line.withTerminal { def_prog_mode() }
    }
}
