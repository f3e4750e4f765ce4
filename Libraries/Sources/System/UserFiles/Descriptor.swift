import CSystem
import Glibc

/// A file descriptor that closes itself.
struct Descriptor: ~Copyable {
    let number: Int32

    /// Opens a path; `nil` with `errno` when that fails.
    ///
    /// No other program inherits it.
    init?(opening path: String, _ flags: Int32, mode: mode_t = 0) {
        let opened = open(path, flags | O_CLOEXEC, mode)
        if opened < 0 { return nil }
        number = opened
    }

    /// Takes ownership of a descriptor; `nil` with `errno` when the call that returned it failed.
    init?(_ opened: Int32) {
        if opened < 0 { return nil }
        number = opened
    }

    deinit {
        // Keeps `errno` of the earlier call.
        let reason = errno
        close(number)
        errno = reason
    }

    /// Locks the file (`flock(2)`), waiting at most `timeout` milliseconds.
    ///
    /// - Parameter operation: `LOCK_EX` or `LOCK_SH`.
    /// - Returns: 0, or the number of the error: `EWOULDBLOCK` when others held it for too long.
    borrowing func lock(_ operation: Int32, timeout: Int) -> Int32 {
        var waited = 0
        while flock(number, operation | LOCK_NB) != 0 {
            if errno == EINTR { continue }
            if errno != EWOULDBLOCK || waited >= timeout { return errno }
            usleep(5000)
            waited += 5
        }
        return 0
    }

    /// Reads until the end, but at most one byte more than `limit`; `nil` with `errno` when that fails.
    borrowing func readAll(limit: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while bytes.count <= limit {
            let count = read(number, &buffer, min(buffer.count, limit + 1 - bytes.count))
            if count == 0 { break }
            if count > 0 {
                bytes.append(contentsOf: buffer[..<count])
            } else if errno != EINTR {
                return nil
            }
        }
        return bytes
    }

    /// Writes everything and synchronizes it to the disk; `false` with `errno` when that fails.
    borrowing func writeAll(_ bytes: [UInt8]) -> Bool {
        write(bytes) && fsync(number) == 0
    }

    /// Writes everything; `false` with `errno` when that fails.
    borrowing func write(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(number, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                return false
            }
        }
        return true
    }
}

/// The limit of open files and sockets of the process.
public enum DescriptorLimit {
    /// Raises the limit as far as the system allows without privileges.
    ///
    /// - Parameter wanted: The wanted number; a higher limit stays.
    /// - Returns: The new limit, at most `wanted`.
    public static func raise(to wanted: Int) -> Int {
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return 0 }
        let wanted = rlim_t(clamping: wanted)
        if limit.rlim_cur < wanted, limit.rlim_cur < limit.rlim_max {
            var raised = limit
            raised.rlim_cur = min(wanted, limit.rlim_max)
            if setrlimit(resource, &raised) == 0 { limit = raised }
        }
        return Int(clamping: min(limit.rlim_cur, wanted))
    }
}
