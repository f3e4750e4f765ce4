import CSystem
import Glibc

/// Whether another user can change or replace a file.
///
/// The rule is that of OpenSSH (`StrictModes` in sshd_config(5)): it checks the file and each folder above it.
public enum FileTrust {
    /// How another user can change a file's content.
    public enum Fault: Hashable, Sendable {
        /// Others can write to the file; with its mode.
        case fileIsOpen(path: String, mode: UInt16)
        /// Others can replace it, because they can write to this folder; with its mode.
        case folderIsOpen(path: String, mode: UInt16)
        /// The file, or a folder above it, belongs to a user other than this one and root.
        case isForeign(path: String)

        /// A sentence with the problem and its remedy.
        public var sentence: String {
            switch self {
            case .fileIsOpen(let path, let mode):
                "\(path) is not used, because other users can change it (mode \(String(mode, radix: 8))). Look at what it "
                    + "says, then: chmod go-w \(path)"
            case .folderIsOpen(let path, let mode):
                "What is in \(path) is not used, because other users can put something else there (mode "
                    + "\(String(mode, radix: 8))). Look at what it says, then: chmod go-w \(path)"
            case .isForeign(let path): "What is at \(path) is not used, because it belongs to another user."
            }
        }
    }

    /// Checks a file, its link target, and each folder above both.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - acceptsForeign: Whether it may belong to another user, because this one has named it.
    /// - Returns: The first fault; `nil` when there is none, or no such file.
    public static func fault(_ path: String, acceptsForeign: Bool) -> Fault? {
        var status = stat()
        guard stat(path, &status) == 0, let target = resolvedPath(path) else { return nil }
        if let fault = fault(of: target, status, isFolder: false, acceptsForeign) { return fault }
        let places = [target] + (resolvedPath(splitPath(path).folder).map { ["\($0)/file"] } ?? [])
        for place in places {
            var folder = splitPath(place).folder
            while true {
                guard stat(folder, &status) == 0 else { break }
                if let fault = fault(of: folder, status, isFolder: true, acceptsForeign) { return fault }
                if folder == "/" { break }
                folder = splitPath(folder).folder
            }
        }
        return nil
    }

    private static func fault(of path: String, _ status: stat, isFolder: Bool, _ acceptsForeign: Bool) -> Fault? {
        if !acceptsForeign, status.st_uid != 0, status.st_uid != geteuid() { return .isForeign(path: path) }
        let mode = UInt16(truncatingIfNeeded: status.st_mode & 0o7777)
        // In a folder such as /tmp (sticky bit) users cannot replace each other's files.
        if isFolder, status.st_mode & S_ISVTX != 0 { return nil }
        let isOpen =
            status.st_mode & S_IWOTH != 0
            || status.st_mode & S_IWGRP != 0 && !isPrivateGroup(status.st_gid, of: status.st_uid)
        guard isOpen else { return nil }
        return isFolder ? .folderIsOpen(path: path, mode: mode) : .fileIsOpen(path: path, mode: mode)
    }

    /// Whether a group is root's, or a user's own one without other members, as Debian creates for each account.
    private static func isPrivateGroup(_ group: gid_t, of user: uid_t) -> Bool {
        guard group != 0 else { return true }
        guard let account = getpwuid(user), account.pointee.pw_gid == group else { return false }
        let name = String(cString: account.pointee.pw_name)
        guard let entry = getgrgid(group), String(cString: entry.pointee.gr_name) == name else { return false }
        return entry.pointee.gr_mem.pointee == nil
    }
}

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
