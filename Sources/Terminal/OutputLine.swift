import CSystem
import Glibc

/// The line to the terminal: what is written goes out as far as the terminal takes it, and nobody waits for the rest.
///
/// A terminal that is stopped, an emulator that hangs and a connection that is broken take nothing any more. ncurses
/// would wait in the middle of a frame, or try again without end, so what it writes is collected in memory first.
final class OutputLine {
    /// Becomes writable when the terminal takes output again.
    let descriptor: CInt
    /// The number of the descriptor that ncurses writes to.
    private let stream: CInt
    /// The terminal behind that number, while frames are collected in its place.
    private let terminal: CInt
    /// Where a frame is collected; negative where that is not possible, and writing may wait.
    private let memory: CInt
    private var waiting: ArraySlice<UInt8> = []

    /// Makes the line of a terminal.
    ///
    /// - Parameter stream: The descriptor of the terminal that ncurses writes to.
    init(stream: CInt) {
        self.stream = stream
        terminal = fcntl(stream, F_DUPFD_CLOEXEC, 3)
        // Opened anew, because the shell and other programs share the one that we were given, and it must wait for them.
        let opened = open("/proc/self/fd/\(stream)", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        descriptor = opened >= 0 ? opened : stream
        memory = opened >= 0 && terminal >= 0 ? csystem_memory_file("bedside-frame") : -1
    }

    deinit {
        for open in [terminal, memory, descriptor] where open >= 0 && open != stream { close(open) }
    }

    /// Whether everything that was written has gone out, and more would.
    var takesOutput: Bool {
        guard waiting.isEmpty else { return false }
        var watched = pollfd(fd: descriptor, events: CShort(POLLOUT), revents: 0)
        // One that has gone does: the error that it answers is what tells so.
        return poll(&watched, 1, 0) != 0
    }

    /// Whether something that was written has not gone out yet.
    var isWaiting: Bool { !waiting.isEmpty }

    /// Has ncurses write something, which is sent when it is whole.
    func collect(_ write: () -> Void) {
        guard memory >= 0, csystem_replace_descriptor(stream, memory) >= 0 else { return write() }
        write()
        _ = csystem_replace_descriptor(stream, terminal)
        var buffer = [UInt8](repeating: 0, count: 16_384)
        var offset: off_t = 0
        while case let count = pread(memory, &buffer, buffer.count, offset), count > 0 {
            waiting += buffer[..<count]
            offset += off_t(count)
        }
        lseek(memory, 0, SEEK_SET)
        ftruncate(memory, 0)
        sendWaiting()
    }

    /// Sends a sequence after what waits already.
    func send(_ octets: some Collection<UInt8>) {
        waiting += octets
        sendWaiting()
    }

    /// Sends what waits, as far as it is taken.
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
                // The terminal has gone, which reading a key tells.
                break
            }
        }
        waiting = []
    }

    /// Gives up what waits here and on the way, where the terminal takes nothing: nobody need wait behind it.
    func giveUpWaiting() {
        if takesOutput { return }
        waiting = []
        tcflush(stream, TCOFLUSH)
    }
}
