import Glibc

/// A socket in the file system, identified by its inode, because another one may replace its name.
struct SocketFile {
    private let path: String
    private let device: dev_t
    private let inode: ino_t

    /// Creates a listening socket, then renames it to its path, replacing an existing file.
    static func listen(at path: String) throws(LineSocketError) -> (descriptor: Int32, file: SocketFile) {
        try SocketFolder.prepare(SocketFolder.of(path))
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
