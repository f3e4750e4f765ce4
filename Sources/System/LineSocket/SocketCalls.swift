import CSystem
import Glibc

/// The calls of `unix(7)`, with Swift's types.
enum SocketCalls {
    /// The longest path that fits into an address, in bytes without the terminating zero.
    static let longestPath = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

    /// Creates a non-blocking, close-on-exec socket; -1 with `errno`.
    static func make() -> Int32 {
        let flags = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
        return socket(AF_UNIX, Int32(flags), 0)
    }

    /// Calls `bind` or `connect` with the address of a path.
    ///
    /// - Throws: ``LineSocketError/pathTooLong(path:limit:)``.
    static func withAddress(
        of path: String, _ call: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) throws(LineSocketError) -> Int32 {
        guard path.utf8.count <= longestPath else { throw .pathTooLong(path: path, limit: longestPath) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { call($0, size) }
        }
    }

    /// Whether the process on the other side belongs to this user.
    ///
    /// - Parameter acceptsRoot: Whether root is accepted: a client may be root, which can read everything anyway; a server
    ///   must be the user's own monitor, because its numbers are believed.
    static func isTrusted(_ descriptor: Int32, acceptsRoot: Bool) -> Bool {
        var (user, process) = (uid_t(), pid_t())
        guard csystem_peer(descriptor, &user, &process) == 0 else { return false }
        return user == geteuid() || acceptsRoot && user == 0
    }

    /// The process on the other side: the one that connected, or the one that listens.
    static func process(_ descriptor: Int32) -> pid_t? {
        var (user, process) = (uid_t(), pid_t())
        guard csystem_peer(descriptor, &user, &process) == 0, process > 0 else { return nil }
        return process
    }

    /// Sends what the socket accepts without blocking; returns the number of bytes, or -1 with `errno`.
    static func send(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Int {
        bytes.withUnsafeBytes {
            Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
        }
    }

    /// Receives available bytes; returns their number, 0 at the end, or -1 with `errno`.
    static func receive(_ buffer: inout [UInt8], from descriptor: Int32) -> Int {
        recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
    }

    /// The system's message for the last call that failed.
    static var reason: String { String(cString: strerror(errno)) }
}
