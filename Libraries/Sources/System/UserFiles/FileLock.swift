import CSystem
import Glibc

/// Lets one program at a time read a file, change it and write it back.
///
/// The lock is a separate file, `NAME.lock`, because the file itself is replaced. It is released with this value and
/// when the process ends, however it ends.
public struct FileLock: ~Copyable {
    /// How long to wait for another program, in milliseconds; many times longer than a change takes.
    public static let defaultTimeout = 2000

    private let file: Descriptor?

    /// Waits for the lock of a file, and creates the file's folder if it is missing.
    ///
    /// On a file system without locks nothing is locked: a rare conflict is better than remembering nothing.
    ///
    /// - Parameters:
    ///   - path: The file to read and replace.
    ///   - timeout: How long to wait for another program at most, in milliseconds.
    /// - Throws: ``UserFileError``: `.noFolder`, `.unwritable`, `.busy`.
    public init(for path: String, timeout: Int = defaultTimeout) throws(UserFileError) {
        try PrivateFile.createFolder(splitPath(path).folder)
        guard let file = Descriptor(opening: "\(path).lock", O_RDWR | O_CREAT | O_NOCTTY, mode: 0o600) else {
            throw .unwritable(path: path, reason: UserFileError.systemReason)
        }
        switch file.lock(LOCK_EX, timeout: timeout) {
        case 0: self.file = consume file
        case EWOULDBLOCK: throw .busy(path: path)
        default: self.file = nil
        }
    }

    /// Whether a process holds the lock of a file; creates no lock file.
    public static func isHeld(for path: String) -> Bool {
        guard let file = Descriptor(opening: "\(path).lock", O_RDONLY | O_NOCTTY) else { return false }
        // Shared, so that two processes that check do not see each other; released at the end of this function.
        return file.lock(LOCK_SH, timeout: 0) == EWOULDBLOCK
    }

    /// Writes a note for programs that find the file locked; it replaces the note before.
    ///
    /// - Returns: Whether the note was written; nothing depends on it.
    @discardableResult
    public borrowing func leave(note bytes: [UInt8]) -> Bool {
        switch file {
        case .some(let file):
            ftruncate(file.number, 0) == 0 && lseek(file.number, 0, SEEK_SET) == 0 && file.write(bytes)
        case .none: false
        }
    }

    /// The note of the process that holds, or held, the lock of a file; bounded.
    public static func content(for path: String) -> [UInt8]? {
        try? PrivateFile.read("\(path).lock", limit: 4096)
    }
}
