import CNcurses
import Glibc

// The line to the terminal, which may be slow, be stopped, or hang.
extension Terminal {
    /// Becomes writable when the terminal takes output again.
    public var outputDescriptor: CInt { fileno(output) }

    /// Whether the terminal takes output now.
    ///
    /// A slow line, a connection that hangs and an emulator that is stopped do not; whatever is written then waits, and
    /// whoever writes with it.
    public var takesOutput: Bool {
        var watched = pollfd(fd: outputDescriptor, events: CShort(POLLOUT), revents: 0)
        // One that has gone does: the error that it answers is what tells so.
        return poll(&watched, 1, 0) != 0
    }

    /// Has Ctrl-S be a key as any other.
    ///
    /// It would stop the screen, which then looks as if nothing changed any more, until somebody thinks of Ctrl-Q.
    func refuseFlowControl() {
        var settings = termios()
        guard tcgetattr(outputDescriptor, &settings) == 0 else { return }
        settings.c_iflag &= ~tcflag_t(IXON)
        tcsetattr(outputDescriptor, TCSANOW, &settings)
        // ncurses sets what it finds here when it takes the screen over again.
        def_prog_mode()
    }

    /// Gives up what waits on a line that takes nothing, so that what gives the terminal back need not wait behind it.
    func giveUpWaitingOutput() {
        if !takesOutput { tcflush(outputDescriptor, TCOFLUSH) }
    }
}
