import CNcurses
import Glibc

// The line to the terminal, which may be slow, be stopped, or hang.
extension Terminal {
    /// Becomes writable when the terminal takes output again.
    public var outputDescriptor: CInt { line.descriptor }

    /// Whether the terminal takes output now: a slow line, a connection that hangs and an emulator that is stopped do not.
    public var takesOutput: Bool { line.takesOutput }

    /// Whether a part of the last frame has not been taken yet; ``sendWaitingOutput()`` when the terminal takes it.
    public var isOutputWaiting: Bool { line.isWaiting }

    /// Sends what was not taken, as far as it is taken now.
    public func sendWaitingOutput() { line.sendWaiting() }

    /// Has Ctrl-S be a key as any other.
    ///
    /// It would stop the screen, which then looks as if nothing changed any more, until somebody thinks of Ctrl-Q.
    func refuseFlowControl() {
        var settings = termios()
        guard tcgetattr(fileno(output), &settings) == 0 else { return }
        settings.c_iflag &= ~tcflag_t(IXON)
        tcsetattr(fileno(output), TCSANOW, &settings)
        // ncurses sets what it finds here when it takes the screen over again.
        def_prog_mode()
    }
}
