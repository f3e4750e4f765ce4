import Glibc

/// A descriptor to which writing never waits, although others who hold it may still wait on theirs.
///
/// `O_NONBLOCK` set on standard output would be set for the shell and every program that shares it, so a pipe or a
/// terminal is opened a second time, a socket is written with a flag for the one call, and a file never waits anyway.
final class NonBlockingDescriptor {
    private enum Way {
        case plain
        case reopened
        case socket
        /// Only what is certain not to wait is written, after asking.
        case asking
    }

    /// The descriptor to write to and to watch.
    let number: Int32
    private let way: Way

    /// A pipe that is writable takes this many octets without waiting (POSIX, PIPE_BUF).
    private static let safeCount = 4096

    /// Finds the way for a descriptor, which stays the caller's.
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

    /// Writes what goes at once; answers how much, or -1 with `errno`, which is `EAGAIN` when nothing goes now.
    func write(_ octets: ArraySlice<UInt8>) -> Int {
        octets.withUnsafeBytes { buffer in
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

    /// Whether something can be written, waiting for it for some milliseconds.
    func isWritable(within milliseconds: Int32) -> Bool {
        var request = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
        return poll(&request, 1, milliseconds) > 0
    }
}
