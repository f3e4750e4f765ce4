import CSystem
import Glibc

/// Lets the programs that use a file at the same time know of each other.
///
/// Each holds a lock of `NAME.use` together with the others, for as long as this value lives and no longer than the
/// process does, however that ends. So whoever comes while nobody else holds it knows that the others are over.
public struct FileUse: ~Copyable, Sendable {
    /// Whether nobody else used the file when this value was made.
    public let isFirst: Bool
    private let descriptor: Int32

    /// Begins to use a file; until ``share()`` nobody else can begin.
    ///
    /// - Parameters:
    ///   - path: The file; its folder must exist.
    ///   - patience: How long to wait for another program that is beginning, in milliseconds.
    /// - Throws: ``UserFileError``: `.unwritable`, `.busy`.
    public init(of path: String, patience: Int = FileLock.usualPatience) throws(UserFileError) {
        let opened = open("\(path).use", O_RDWR | O_CREAT | O_NOCTTY | O_CLOEXEC, 0o600)
        guard opened >= 0 else { throw .unwritable(path: path, reason: UserFileError.systemReason) }
        let isFirst = flock(opened, LOCK_EX | LOCK_NB) == 0
        guard isFirst || Self.share(opened, patience: patience) else {
            close(opened)
            throw .busy(path: path)
        }
        self.isFirst = isFirst
        descriptor = opened
    }

    deinit {
        close(descriptor)
    }

    /// Waits until the lock is shared; whether it is.
    private static func share(_ file: Int32, patience: Int) -> Bool {
        var waited = 0
        while flock(file, LOCK_SH | LOCK_NB) != 0 {
            if errno == EINTR { continue }
            if waited >= patience || errno != EWOULDBLOCK { return false }
            usleep(5000)
            waited += 5
        }
        return true
    }

    /// Lets others use the file, too.
    public borrowing func share() {
        _ = flock(descriptor, LOCK_SH | LOCK_NB)
    }
}
