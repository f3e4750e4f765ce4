import Glibc

/// A private file that grows until a limit, and keeps what was written when the program is killed.
///
/// What is appended is in it as a whole or not at all, so that a full disk leaves a file that can be read.
public struct GrowingFile: ~Copyable {
    private let path: String
    private let file: Descriptor
    private let limit: Int
    /// The bytes in it.
    public private(set) var size = 0

    /// Creates a file, and its folder if needed.
    ///
    /// - Parameters:
    ///   - path: The name, which no file has; the mode is 0600.
    ///   - limit: The most bytes.
    /// - Throws: ``UserFileError``: `.exists`, `.noFolder`, `.unwritable`.
    public init(_ path: String, limit: Int) throws(UserFileError) {
        try PrivateFile.createFolder(splitPath(path).folder)
        guard let file = Descriptor(opening: path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600) else {
            throw errno == EEXIST ? .exists(path: path) : .unwritable(path: path, reason: UserFileError.systemReason)
        }
        (self.path, self.limit) = (path, limit)
        self.file = consume file
    }

    /// Appends bytes.
    ///
    /// - Throws: ``UserFileError``: `.tooLarge` beyond the limit, `.unwritable`, such as on a full disk; then nothing
    ///   was appended.
    public mutating func append(_ bytes: [UInt8]) throws(UserFileError) {
        guard bytes.count <= limit - size else { throw .tooLarge(path: path, limit: limit) }
        guard file.write(bytes) else {
            let reason = UserFileError.systemReason
            // A part may have been written.
            _ = ftruncate(file.number, off_t(size))
            throw .unwritable(path: path, reason: reason)
        }
        size += bytes.count
    }
}
