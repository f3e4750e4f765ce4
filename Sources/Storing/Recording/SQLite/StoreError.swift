import Base
import CSQLite
import Glibc
import Vitals

/// Why the store cannot be read or written: the kind of error, and a sentence for the user.
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of errors, by remedy.
    public enum Kind: String, CaseIterable, Hashable, Sendable {
        /// The disk is full, or a quota is used up.
        case full
        /// The file or its folder may not be written to.
        case readOnly = "read_only"
        /// Another program locks the file for too long.
        case locked
        /// The file is not a store of Bedside, or is damaged.
        case corrupt
        /// A newer version of the program wrote it, or a development version.
        case otherVersion = "other_version"
        /// The file was removed, moved or replaced while it was open.
        case replaced
        /// The system failed to read or write, or the file cannot be opened.
        case unreachable
        /// The program was asked to end while reading.
        case interrupted
        /// Any other error; probably a programming error.
        case other
    }

    public var kind: Kind
    /// What happened and where, and what to do, in one sentence.
    public var description: String

    public init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }

    /// Creates an error from SQLite's result.
    ///
    /// - Parameters:
    ///   - code: The extended result code (<https://www.sqlite.org/rescode.html>).
    ///   - message: SQLite's message.
    ///   - path: The file.
    ///   - systemError: The system's error (`errno`) that SQLite knows; 0 for none. It is used only for failures to read,
    ///     write or open.
    init(code: Int32, message: String, path: String, systemError: Int32 = 0) {
        let systemError = Kind(code: code) == .unreachable ? systemError : 0
        let ofSystem = Kind(systemError: systemError)
        kind = ofSystem ?? Kind(code: code)
        let message = systemError == 0 ? message : String(cString: strerror(systemError))
        description =
            switch kind {
            case .full: "there is no room left to write \(path); make room on the disk"
            case .readOnly where ofSystem != nil:
                "\(path) may not be written to (\(message)); check the disk and the rights of the folder"
            case .readOnly: "\(path) may not be written to; check the rights of the file and of its folder"
            case .locked: "another program holds \(path); close what else has it open"
            case .corrupt: "\(path) is damaged or not a store of Bedside (\(message))"
            case .unreachable: "\(path) cannot be read or written (\(message)); check the disk and the folder"
            case .otherVersion, .replaced, .interrupted, .other: "the store \(path) fails: \(message)"
            }
    }
}

extension StoreError.Kind {
    /// The kind for a system error with its own remedy; `nil` for any other error.
    init?(systemError: Int32) {
        switch systemError {
        case ENOSPC, EDQUOT: self = .full
        case EROFS: self = .readOnly
        default: return nil
        }
    }

    /// The kind of a result code of SQLite.
    init(code: Int32) {
        // The low byte is the primary code.
        switch code & 0xFF {
        case SQLITE_FULL: self = .full
        case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH: self = .readOnly
        case SQLITE_BUSY, SQLITE_LOCKED: self = .locked
        case SQLITE_CORRUPT, SQLITE_NOTADB: self = .corrupt
        case SQLITE_CANTOPEN, SQLITE_IOERR: self = .unreachable
        default: self = .other
        }
    }
}

extension StoreError {
    /// A short reason for an alarm's line: paths are shortened to file names.
    ///
    /// - Parameter path: The store's file; its folders are shortened in the same way.
    func reason(shortening path: String) -> String {
        var text = description
        // The longest path is removed first, because a shorter one would leave its rest.
        var rest = path[...]
        while let slash = rest.lastIndex(of: "/"), slash != rest.startIndex {
            text = text.exchanging(String(rest), for: String(rest[rest.index(after: slash)...]))
            rest = rest[..<slash]
        }
        return text
    }
}
