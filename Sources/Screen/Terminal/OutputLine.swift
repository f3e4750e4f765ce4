import CNcurses
import CSystem
import Glibc

/// Non-blocking output to the terminal: it sends what the terminal accepts and keeps the rest.
///
/// A stopped terminal, a hanging emulator and a broken connection accept nothing. ncurses would block in the middle of
/// a frame, or retry without end, and with it everything on the same thread: so it writes to a file in memory, which is
/// sent from there.
final class OutputLine {
    /// Becomes writable when the terminal accepts output again.
    let descriptor: CInt
    /// The terminal, whose modes and size can be asked and changed.
    let terminal: CInt
    /// The descriptor number that ncurses writes to.
    private let stream: CInt
    /// The file in memory in the place of the terminal; negative if that is not possible, so that writing may block.
    private let memory: CInt
    /// How much of the file was sent.
    private var sentLength = 0
    private var waiting: ArraySlice<UInt8> = []

    /// The length from which on the file is used from its beginning again: truncating it would cost more.
    private static let longestFile = 65_536

    /// Puts a file in memory in the place of a terminal.
    ///
    /// - Parameter stream: The descriptor of the terminal that ncurses writes to.
    init(stream: CInt) {
        self.stream = stream
        let copy = fcntl(stream, F_DUPFD_CLOEXEC, 3)
        terminal = copy >= 0 ? copy : stream
        // Opened again as non-blocking, because the shell and other programs share the inherited description, which
        // must block for them.
        let opened = open("/proc/self/fd/\(stream)", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        descriptor = opened >= 0 ? opened : stream
        let memory = opened >= 0 && copy >= 0 ? csystem_memory_file("bedside-frame") : -1
        self.memory = csystem_replace_descriptor(stream, memory) >= 0 ? memory : -1
    }

    deinit {
        for open in [terminal, memory, descriptor] where open >= 0 && open != stream { close(open) }
    }

    /// Whether everything was sent, and the terminal accepts more.
    var takesOutput: Bool {
        guard waiting.isEmpty else { return false }
        var watched = pollfd(fd: descriptor, events: CShort(POLLOUT), revents: 0)
        // A closed terminal counts as writable: the error of the next write reports it.
        return poll(&watched, 1, 0) != 0
    }

    /// Whether some output waits to be sent.
    var isWaiting: Bool { !waiting.isEmpty }

    /// Sends what ncurses has written since the last call, as a whole.
    func sendCollected() {
        guard memory >= 0 else { return }
        let (start, end) = (sentLength, Int(lseek(memory, 0, SEEK_CUR)))
        guard end > start else { return }
        let written = [UInt8](unsafeUninitializedCapacity: end - start) { buffer, count in
            count = max(0, pread(memory, buffer.baseAddress, end - start, start))
        }
        sentLength = end > Self.longestFile ? Int(lseek(memory, 0, SEEK_SET)) : end
        send(written)
    }

    /// Lets ncurses use the terminal itself, to change its modes; what it writes meanwhile may block.
    func withTerminal(_ body: () -> Void) {
        guard memory >= 0 else { return body() }
        sendCollected()
        _ = csystem_replace_descriptor(stream, terminal)
        body()
        _ = csystem_replace_descriptor(stream, memory)
    }

    /// Sends a sequence after the waiting output.
    func send(_ octets: some Collection<UInt8>) {
        waiting += octets
        sendWaiting()
    }

    /// Sends as much waiting output as the terminal accepts.
    func sendWaiting() {
        while !waiting.isEmpty {
            let sent = waiting.withUnsafeBytes {
                write(descriptor, $0.baseAddress, $0.count)
            }
            if sent > 0 {
                waiting.removeFirst(sent)
            } else if sent < 0, errno == EINTR {
                continue
            } else if sent < 0, errno == EAGAIN {
                return
            } else {
                // The terminal is closed, which reading a key reports.
                break
            }
        }
        waiting = []
    }

    /// Discards waiting output, here and in the kernel, if the terminal accepts nothing.
    func giveUpWaiting() {
        if takesOutput { return }
        waiting = []
        tcflush(terminal, TCOFLUSH)
    }
}

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
