import CSystem
import Glibc

/// Lets programs that use the same file detect each other.
///
/// Each program holds a shared lock of `NAME.use` for the life of this value, at most until the process ends. A program
/// that finds the lock free is the only user of the file.
public struct FileUse: ~Copyable, Sendable {
    /// Whether no other program used the file when this value was created.
    public let isFirst: Bool
    private let file: Descriptor

    /// Begins to use a file; until ``share()`` no other program can begin.
    ///
    /// A child process that the former user has just started holds the inherited lock until it runs its own program
    /// (`fork(2)`). Mistaken for another user, it would keep the alarms of the previous run from being restored.
    ///
    /// - Parameters:
    ///   - path: The file; its folder must exist.
    ///   - timeout: How long to wait for another program that is beginning, in milliseconds.
    ///   - patience: How long to wait for a use that is ending, in milliseconds.
    /// - Throws: ``UserFileError``: `.unwritable`, `.busy`.
    public init(of path: String, timeout: Int = FileLock.defaultTimeout, patience: Int = 200) throws(UserFileError) {
        guard let file = Descriptor(opening: "\(path).use", O_RDWR | O_CREAT | O_NOCTTY, mode: 0o600) else {
            throw .unwritable(path: path, reason: UserFileError.systemReason)
        }
        let isFirst = file.lock(LOCK_EX, timeout: patience) == 0
        guard isFirst || file.lock(LOCK_SH, timeout: timeout) == 0 else { throw .busy(path: path) }
        self.isFirst = isFirst
        self.file = consume file
    }

    /// Lets other programs use the file, too.
    public borrowing func share() {
        _ = file.lock(LOCK_SH, timeout: 0)
    }
}
