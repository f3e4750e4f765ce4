import CSystem
import Glibc

/// Non-blocking output to the terminal: it sends what the terminal accepts and keeps the rest.
///
/// A stopped terminal, a hanging emulator and a broken connection accept nothing. ncurses would block in the middle of
/// a frame, or retry without end, so its output is collected in memory first.
final class OutputLine {
    /// Becomes writable when the terminal accepts output again.
    let descriptor: CInt
    /// The descriptor number that ncurses writes to.
    private let stream: CInt
    /// The terminal of that number, while frames are collected in memory.
    private let terminal: CInt
    /// The file in memory that collects a frame; negative if that is not possible, so that writing may block.
    private let memory: CInt
    private var waiting: ArraySlice<UInt8> = []

    /// Creates an output line.
    ///
    /// - Parameter stream: The descriptor of the terminal that ncurses writes to.
    init(stream: CInt) {
        self.stream = stream
        terminal = fcntl(stream, F_DUPFD_CLOEXEC, 3)
        // Opened again as non-blocking, because the shell and other programs share the inherited description, which
        // must block for them.
        let opened = open("/proc/self/fd/\(stream)", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        descriptor = opened >= 0 ? opened : stream
        memory = opened >= 0 && terminal >= 0 ? csystem_memory_file("bedside-frame") : -1
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

    /// Collects the output of ncurses and sends it as a whole.
    func collect(_ write: () -> Void) {
        guard memory >= 0, csystem_replace_descriptor(stream, memory) >= 0 else { return write() }
        write()
        _ = csystem_replace_descriptor(stream, terminal)
        // The next frame overwrites the file; truncating it would cost more than all the rest.
        let end = Int(lseek(memory, 0, SEEK_CUR))
        lseek(memory, 0, SEEK_SET)
        guard end > 0 else { return }
        let frame = [UInt8](unsafeUninitializedCapacity: end) { buffer, count in
            count = max(0, pread(memory, buffer.baseAddress, end, 0))
        }
        send(frame)
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
        tcflush(stream, TCOFLUSH)
    }
}
