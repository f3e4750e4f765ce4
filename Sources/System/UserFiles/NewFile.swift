import CSystem
import Glibc

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
        let folder = PrivateFile.split(path).folder
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
        let name = path.split(separator: "/").last.map(String.init) ?? ""
        return "\(PrivateFile.split(path).folder)/.\(name).\(getpid())-\(UInt32.random(in: .min ... .max))"
    }
}
