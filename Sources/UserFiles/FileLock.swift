import CSystem
import Glibc

/// Lets one program at a time read a file, change it and write it back.
///
/// The lock is a file of its own beside it, `NAME.lock`, because the file itself is replaced. It ends with this value
/// and with the process, however that ends.
public struct FileLock: ~Copyable {
    /// How long another program is waited for, in milliseconds: many times as long as a change takes.
    public static let usualPatience = 2000

    private let file: Descriptor?

    /// Waits for the lock of a file, and makes the file's folder if it is missing.
    ///
    /// Where the file system knows no locks nothing is locked: a rare clash is better than nothing remembered.
    ///
    /// - Parameters:
    ///   - path: The file that is to be read and replaced.
    ///   - timeout: How long to wait for another program at most, in milliseconds.
    /// - Throws: ``UserFileError``: `.noFolder`, `.unwritable`, `.busy`.
    public init(for path: String, timeout: Int = usualPatience) throws(UserFileError) {
        if let slash = path.lastIndex(of: "/"), slash != path.startIndex {
            try PrivateFile.createFolder(String(path[..<slash]))
        }
        guard let file = Descriptor(opening: "\(path).lock", O_RDWR | O_CREAT | O_NOCTTY, mode: 0o600) else {
            throw .unwritable(path: path, reason: UserFileError.systemReason)
        }
        switch file.lock(LOCK_EX, timeout: timeout) {
        case 0: self.file = consume file
        case EWOULDBLOCK: throw .busy(path: path)
        default: self.file = nil
        }
    }

    /// Whether somebody has the lock of a file; nothing is made where there is none.
    public static func isHeld(for path: String) -> Bool {
        guard let file = Descriptor(opening: "\(path).lock", O_RDONLY | O_NOCTTY) else { return false }
        // Shared, so that two who ask do not find each other; it ends with this function.
        return file.lock(LOCK_SH, timeout: 0) == EWOULDBLOCK
    }

    /// Leaves a note in the lock's file for those who find it locked, in the place of what is there.
    ///
    /// - Returns: Whether it is there; nothing hangs on it.
    @discardableResult
    public borrowing func leave(note octets: [UInt8]) -> Bool {
        switch file {
        case .some(let file):
            ftruncate(file.number, 0) == 0 && lseek(file.number, 0, SEEK_SET) == 0 && file.write(octets)
        case .none: false
        }
    }

    /// The note that whoever has the lock of a file has left, or had; bounded.
    public static func content(for path: String) -> [UInt8]? {
        try? PrivateFile.read("\(path).lock", limit: 4096)
    }
}
