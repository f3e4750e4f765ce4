import Glibc
import UserFiles

/// The folder of a socket, which only the user may enter.
enum SocketFolder {
    /// The folder of a path.
    static func of(_ path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    }

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
