import CSystem
import Glibc

/// A file that only the user can read, in a folder that only the user can enter; replaced as a whole or not at all.
///
/// After a crash, a power cut or a full disk the file is either the old or the new one. A symbolic link stays, and its
/// target is replaced.
public enum PrivateFile {
    /// The default limit of ``read(_:limit:)``, in bytes.
    public static let usualLimit = 1 << 20

    /// Reads a file.
    ///
    /// - Returns: The bytes; `nil` when there is no such file.
    /// - Throws: ``UserFileError``: `.notAFile`, `.tooLarge`, `.unreadable`.
    public static func read(_ path: String, limit: Int = usualLimit) throws(UserFileError) -> [UInt8]? {
        // Non-blocking, because opening a named pipe would wait for its writer.
        guard let file = Descriptor(opening: path, O_RDONLY | O_NONBLOCK | O_NOCTTY) else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw .unreadable(path: path, reason: UserFileError.systemReason)
        }
        var status = stat()
        guard fstat(file.number, &status) == 0 else {
            throw .unreadable(path: path, reason: UserFileError.systemReason)
        }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notAFile(path: path) }
        guard let bytes = file.readAll(limit: limit) else {
            throw .unreadable(path: path, reason: UserFileError.systemReason)
        }
        guard bytes.count <= limit else { throw .tooLarge(path: path, limit: limit) }
        return bytes
    }

    /// Replaces a file atomically, or creates it and its folder.
    ///
    /// It is written beside the old one under another name (mode 0600), synchronized to the disk and renamed.
    ///
    /// - Throws: ``UserFileError``: `.noFolder`, `.notAFile`, `.unwritable`; then the old file is untouched.
    public static func replace(_ path: String, with bytes: [UInt8]) throws(UserFileError) {
        let target = try destination(of: path)
        let (folder, name) = splitPath(target)
        try createFolder(folder)
        let temporary = "\(folder)/.\(name).\(getpid())-\(UInt32.random(in: .min ... .max))"
        do throws(UserFileError) {
            try write(bytes, to: temporary, insteadOf: path)
            guard rename(temporary, target) == 0 else {
                throw .unwritable(path: path, reason: UserFileError.systemReason)
            }
        } catch {
            unlink(temporary)
            throw error
        }
        synchronizeFolder(folder)
    }

    /// Removes a file; one that is not there is no error.
    ///
    /// - Throws: ``UserFileError/unremovable(path:reason:)``.
    public static func remove(_ path: String) throws(UserFileError) {
        guard unlink(path) == 0 || errno == ENOENT || errno == ENOTDIR else {
            throw .unremovable(path: path, reason: UserFileError.systemReason)
        }
    }

    /// Creates a folder and its missing parents, each with mode 0700; an existing folder is left unchanged.
    ///
    /// - Throws: ``UserFileError/noFolder(path:reason:)``.
    public static func createFolder(_ path: String) throws(UserFileError) {
        if isFolder(path) { return }
        let parent = splitPath(path).folder
        if parent != path, !isFolder(parent) { try createFolder(parent) }
        // Another program may create it at the same time.
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
            throw .noFolder(path: path, reason: UserFileError.systemReason)
        }
        guard isFolder(path) else { throw .noFolder(path: path, reason: String(cString: strerror(ENOTDIR))) }
        synchronizeFolder(parent)
    }

    /// Renames an unusable file to `NAME.SUFFIX`, so that its content is kept.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - suffix: What follows the name, such as `broken-2026-11-20`; a number follows when that name is taken.
    /// - Returns: Where it is now.
    /// - Throws: ``UserFileError/unwritable(path:reason:)``.
    public static func setAside(_ path: String, suffix: String) throws(UserFileError) -> String {
        for number in 1...1000 {
            let aside = number == 1 ? "\(path).\(suffix)" : "\(path).\(suffix)-\(number)"
            if csystem_rename_to_new_name(path, aside) == 0 {
                synchronizeFolder(splitPath(path).folder)
                return aside
            }
            if errno != EEXIST { break }
        }
        throw .unwritable(path: path, reason: UserFileError.systemReason)
    }

    /// Whether a file exists that this user, or every user, may not write.
    public static func isReadOnly(_ path: String) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0 else { return false }
        // The superuser may write everything, except files that were made read-only on purpose.
        return status.st_mode & 0o222 == 0 || access(path, W_OK) != 0
    }

    // MARK: Steps

    private static func write(_ bytes: [UInt8], to temporary: String, insteadOf path: String) throws(UserFileError) {
        guard let file = Descriptor(opening: temporary, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600),
            // The umask may have removed bits from the mode.
            fchmod(file.number, 0o600) == 0,
            file.writeAll(bytes)
        else { throw .unwritable(path: path, reason: UserFileError.systemReason) }
    }

    /// The file to replace: the path itself, or the target of the link.
    private static func destination(of path: String) throws(UserFileError) -> String {
        var status = stat()
        guard lstat(path, &status) == 0 else { return path }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return path
        case S_IFLNK:
            guard let target = resolvedPath(path) else {
                throw .unwritable(path: path, reason: UserFileError.systemReason)
            }
            guard stat(target, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { throw .notAFile(path: path) }
            return target
        default: throw .notAFile(path: path)
        }
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Synchronizes a folder to the disk; some file systems cannot do that, which is ignored.
    private static func synchronizeFolder(_ path: String) {
        guard let folder = Descriptor(opening: path, O_RDONLY | O_DIRECTORY) else { return }
        _ = fsync(folder.number)
    }
}

/// A file that is written piece by piece and appears only when it is complete.
///
/// Until then it has no name, so even a kill leaves nothing behind. A file system without unnamed files gets another
/// name in the same folder. Its mode is 0600. It is discarded when this value ends before ``finish(isReplacing:)``.
public struct NewFile: ~Copyable {
    private let path: String
    private let file: Descriptor
    /// The temporary name, where one is needed.
    private var temporaryName: String?

    /// Begins a file.
    ///
    /// - Parameters:
    ///   - path: The final name.
    ///   - isReplacing: Whether it may replace an existing file.
    /// - Throws: ``UserFileError``: `.exists`, `.notAFile`, `.unwritable`.
    public init(_ path: String, isReplacing: Bool) throws(UserFileError) {
        self.path = path
        var status = stat()
        if lstat(path, &status) == 0 {
            guard isReplacing else { throw .exists(path: path) }
            guard status.st_mode & S_IFMT == S_IFREG else { throw .notAFile(path: path) }
        }
        let folder = splitPath(path).folder
        if let file = Descriptor(csystem_open_nameless(folder, 0o600)) {
            self.file = consume file
            temporaryName = nil
        } else {
            let name = Self.otherName(beside: path)
            guard let file = Descriptor(opening: name, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600) else {
                throw .unwritable(path: path, reason: UserFileError.systemReason)
            }
            self.file = consume file
            temporaryName = name
        }
    }

    deinit {
        if let temporaryName { unlink(temporaryName) }
    }

    /// Appends bytes.
    ///
    /// - Throws: ``UserFileError/unwritable(path:reason:)``.
    public borrowing func write(_ bytes: [UInt8]) throws(UserFileError) {
        guard file.write(bytes) else { throw .unwritable(path: path, reason: UserFileError.systemReason) }
    }

    /// Synchronizes the file to the disk and gives it its name.
    ///
    /// - Parameter isReplacing: Whether it may replace an existing file.
    /// - Throws: ``UserFileError``: `.exists`, `.unwritable`.
    public mutating func finish(isReplacing: Bool) throws(UserFileError) {
        guard fsync(file.number) == 0 else { throw .unwritable(path: path, reason: UserFileError.systemReason) }
        if temporaryName == nil {
            if csystem_name_file(file.number, path) == 0 { return }
            guard errno == EEXIST, isReplacing else { throw failure() }
            // `rename` replaces a name only by another name.
            let name = Self.otherName(beside: path)
            guard csystem_name_file(file.number, name) == 0 else { throw failure() }
            temporaryName = name
        }
        guard let name = temporaryName else { return }
        guard (isReplacing ? rename(name, path) : csystem_rename_to_new_name(name, path)) == 0 else { throw failure() }
        temporaryName = nil
    }

    private borrowing func failure() -> UserFileError {
        errno == EEXIST ? .exists(path: path) : .unwritable(path: path, reason: UserFileError.systemReason)
    }

    private static func otherName(beside path: String) -> String {
        let (folder, name) = splitPath(path)
        return "\(folder)/.\(name).\(getpid())-\(UInt32.random(in: .min ... .max))"
    }
}
