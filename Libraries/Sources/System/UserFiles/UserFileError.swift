import Glibc

/// Why a user's file could not be read or written; the description is a sentence that says what helps.
public enum UserFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Neither `HOME` nor the list of accounts names a home folder.
    case noHome
    /// A folder could not be created or entered; `reason` is the system's.
    case noFolder(path: String, reason: String)
    /// The path is not a regular file.
    case notAFile(path: String)
    /// It has more bytes than may be read.
    case tooLarge(path: String, limit: Int)
    /// It could not be read; `reason` is the system's.
    case unreadable(path: String, reason: String)
    /// It could not be written, and is as it was before; `reason` is the system's.
    case unwritable(path: String, reason: String)
    /// It could not be removed; `reason` is the system's.
    case unremovable(path: String, reason: String)
    /// There is a file already, which must not be replaced.
    case exists(path: String)
    /// Another program held its lock for too long.
    case busy(path: String)

    /// What happened, and what to do.
    public var description: String {
        switch self {
        case .noHome:
            "There is no home folder to keep files in. Set HOME to a folder that you can write to."
        case .noFolder(let path, let reason):
            "The folder \(path) cannot be used: \(reason). Check that it is a folder and that you may write to it."
        case .notAFile(let path):
            "\(path) is not an ordinary file. Move it away."
        case .tooLarge(let path, let limit):
            "\(path) has more than \(limit) bytes, more than Bedside writes. Move it away."
        case .unreadable(let path, let reason):
            "\(path) cannot be read: \(reason). Check who owns it and who may read it."
        case .unwritable(let path, let reason):
            "\(path) cannot be written: \(reason). What it held before is unchanged."
        case .unremovable(let path, let reason):
            "\(path) cannot be removed: \(reason). Remove it yourself if it is to go."
        case .exists(let path):
            "There is a file \(path) already."
        case .busy(let path):
            "\(path) is locked by another program that does not release it. End or continue that program."
        }
    }

    /// The system's message for the last call that failed.
    static var systemReason: String { String(cString: strerror(errno)) }
}
