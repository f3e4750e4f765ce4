import Glibc

/// Non-blocking writes to a descriptor whose open file description other processes share.
///
/// Setting `O_NONBLOCK` on standard output would affect the shell and every program that shares it. So a pipe or a
/// terminal is opened again, a socket is written with a flag per call, and a file never blocks.
final class NonBlockingDescriptor {
    private enum Way {
        case plain
        case reopened
        case socket
        /// After `poll`, only as many bytes are written as certainly do not block.
        case asking
    }

    /// The descriptor to write to and to watch.
    let number: Int32
    private let way: Way

    /// A writable pipe accepts this many bytes without blocking (POSIX, PIPE_BUF).
    private static let safeCount = 4096

    /// Chooses the method for a descriptor, which the caller closes.
    init(_ descriptor: Int32) {
        var status = stat()
        fstat(descriptor, &status)
        switch status.st_mode & S_IFMT {
        case S_IFREG: (number, way) = (descriptor, .plain)
        case S_IFSOCK: (number, way) = (descriptor, .socket)
        default:
            let reopened = open("/proc/self/fd/\(descriptor)", O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
            (number, way) = reopened >= 0 ? (reopened, .reopened) : (descriptor, .asking)
        }
    }

    deinit {
        if way == .reopened { close(number) }
    }

    /// Writes without blocking; returns the number of bytes, or -1 with `errno`, which is `EAGAIN` when nothing can be
    /// written now.
    func write(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.withUnsafeBytes { buffer in
            switch way {
            case .plain, .reopened: return Glibc.write(number, buffer.baseAddress, buffer.count)
            case .socket:
                return send(number, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
            case .asking:
                guard isWritable(within: 0) else {
                    errno = EAGAIN
                    return -1
                }
                return Glibc.write(number, buffer.baseAddress, min(buffer.count, Self.safeCount))
            }
        }
    }

    /// Waits until something can be written, within some milliseconds.
    func isWritable(within milliseconds: Int32) -> Bool {
        var request = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
        return poll(&request, 1, milliseconds) > 0
    }
}
