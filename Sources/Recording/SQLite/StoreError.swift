import CSQLite

/// Why the store cannot be read or written: what kind of trouble, and a sentence for people.
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of trouble that ask for different remedies.
    public enum Kind: String, CaseIterable, Hashable, Sendable {
        /// The disk is full, or a quota is used up.
        case full
        /// The file or its folder may not be written to.
        case readOnly = "read_only"
        /// Another program holds the file for longer than we wait.
        case locked
        /// The file is no store of ours, or damaged.
        case corrupt
        /// A newer version of the program made it.
        case tooNew = "too_new"
        /// The file was removed, moved or replaced while it was open.
        case replaced
        /// The system failed to read or write, or the file cannot be opened.
        case unreachable
        /// The program was asked to end while it read.
        case interrupted
        /// Anything else; an error of ours, most likely.
        case other
    }

    /// What kind of trouble it is.
    public var kind: Kind
    /// What happened and where, and what to do, in one sentence.
    public var description: String

    public init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }

    /// Creates a failure of what SQLite says.
    ///
    /// - Parameters:
    ///   - code: The extended result code (<https://www.sqlite.org/rescode.html>).
    ///   - message: SQLite's own words.
    ///   - path: The file.
    init(code: Int32, message: String, path: String) {
        kind = Kind(code: code)
        description =
            switch kind {
            case .full: "there is no room left to write \(path); make room on the disk"
            case .readOnly: "\(path) may not be written to; check the rights of the file and of its folder"
            case .locked: "another program holds \(path); close what else has it open"
            case .corrupt: "\(path) is damaged or no store of Bedside's (\(message))"
            case .unreachable: "\(path) cannot be read or written (\(message)); check the disk and the folder"
            case .tooNew, .replaced, .interrupted, .other: "the store \(path) fails: \(message)"
            }
    }
}

extension StoreError.Kind {
    /// The kind of trouble that a result code of SQLite stands for.
    init(code: Int32) {
        // The low octet is the primary code.
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
