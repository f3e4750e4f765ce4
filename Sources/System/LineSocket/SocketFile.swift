import CSystem
import Glibc
import UserFiles

/// A socket in the file system, identified by its inode, because another one may replace its name.
struct SocketFile {
    private let path: String
    private let device: dev_t
    private let inode: ino_t

    /// Creates a listening socket, then renames it to its path, replacing an existing file.
    static func listen(at path: String) throws(LineSocketError) -> (descriptor: Int32, file: SocketFile) {
        try SocketFolder.prepare(splitPath(path).folder)
        let descriptor = SocketCalls.make()
        guard descriptor >= 0 else { throw .cannotListen(path: path, reason: SocketCalls.reason) }
        // One byte longer, so that the error for a path that is too long names the path itself.
        let temporary = "\(path)~"
        do throws(LineSocketError) {
            let file = try name(descriptor, temporary, path)
            return (descriptor, file)
        } catch {
            unlink(temporary)
            Glibc.close(descriptor)
            throw error
        }
    }

    private static func name(
        _ descriptor: Int32, _ temporary: String, _ path: String
    ) throws(LineSocketError) -> SocketFile {
        unlink(temporary)
        var status = stat()
        guard try SocketCalls.withAddress(of: temporary, { bind(descriptor, $0, $1) }) == 0,
            chmod(temporary, 0o600) == 0, Glibc.listen(descriptor, 16) == 0, lstat(temporary, &status) == 0,
            rename(temporary, path) == 0
        else { throw .cannotListen(path: path, reason: SocketCalls.reason) }
        return SocketFile(path: path, device: status.st_dev, inode: status.st_ino)
    }

    /// Whether the path still refers to this socket.
    var isThere: Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_dev == device && status.st_ino == inode
    }

    /// Removes the file if it is still this socket.
    func remove() {
        if isThere { unlink(path) }
    }
}

/// The folder of a socket, which only the user may enter.
enum SocketFolder {
    /// Creates the folder if it is missing, and checks that it belongs to the user and is closed to others.
    static func prepare(_ folder: String) throws(LineSocketError) {
        do throws(UserFileError) {
            try PrivateFile.createFolder(folder)
        } catch {
            guard case .noFolder(let path, let reason) = error else {
                throw .noFolder(path: folder, reason: error.description)
            }
            throw .noFolder(path: path, reason: reason)
        }
        var status = stat()
        guard lstat(folder, &status) == 0 else { throw .noFolder(path: folder, reason: SocketCalls.reason) }
        guard status.st_uid == geteuid() else { throw .noFolder(path: folder, reason: "it belongs to another user") }
        if status.st_mode & 0o077 == 0 { return }
        guard chmod(folder, 0o700) == 0 else { throw .noFolder(path: folder, reason: SocketCalls.reason) }
    }
}

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
