import CSystem
import Glibc

/// Lets the programs that use a file at the same time know of each other.
///
/// Each holds a lock of `NAME.use` together with the others, for as long as this value lives and no longer than the
/// process does, however that ends. So whoever comes while nobody else holds it knows that the others are over.
public struct FileUse: ~Copyable, Sendable {
    /// Whether nobody else used the file when this value was made.
    public let isFirst: Bool
    private let file: Descriptor

    /// Begins to use a file; until ``share()`` nobody else can begin.
    ///
    /// - Parameters:
    ///   - path: The file; its folder must exist.
    ///   - timeout: How long to wait for another program that is beginning, in milliseconds.
    /// - Throws: ``UserFileError``: `.unwritable`, `.busy`.
    public init(of path: String, timeout: Int = FileLock.usualPatience) throws(UserFileError) {
        guard let file = Descriptor(opening: "\(path).use", O_RDWR | O_CREAT | O_NOCTTY, mode: 0o600) else {
            throw .unwritable(path: path, reason: UserFileError.systemReason)
        }
        let isFirst = file.lock(LOCK_EX, timeout: 0) == 0
        guard isFirst || file.lock(LOCK_SH, timeout: timeout) == 0 else { throw .busy(path: path) }
        self.isFirst = isFirst
        self.file = consume file
    }

    /// Lets others use the file, too.
    public borrowing func share() {
        _ = file.lock(LOCK_SH, timeout: 0)
    }
}
