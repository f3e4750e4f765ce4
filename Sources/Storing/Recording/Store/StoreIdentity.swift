import Glibc

/// The identities of a store's files, to detect that they were moved or replaced.
///
/// The descriptors of a removed, moved or replaced file stay valid: writing succeeds, but the data are lost.
struct StoreIdentity {
    /// The suffixes of an open store's files.
    static let tails = ["", "-wal", "-shm"]

    private let path: String
    private let files: [File]
    /// The largest size of the database file so far, in bytes; a file of at least this size is not suspect, even if its
    /// header claims more.
    private var knownSize: Int64

    private struct File {
        var tail: String
        var path: String
        var identity: FileIdentity?
    }

    /// Reads the identities of a store's files just after it was opened.
    init(_ path: String) {
        self.path = path
        files = Self.tails.map { File(tail: $0, path: path + $0, identity: FileIdentity(path + $0)) }
        var status = stat()
        knownSize = stat(path, &status) == 0 ? Int64(status.st_size) : 0
    }

    /// Whether a file of the store is unchanged at its path.
    func isInPlace(_ tail: String) -> Bool {
        files.contains { $0.tail == tail && $0.identity == FileIdentity($0.path) }
    }

    /// Checks that the store's files are still at their paths.
    ///
    /// - Throws: ``StoreError``: `replaced` if a file is missing or another one, `corrupt` if another program has
    ///   written into it, others if that cannot be determined.
    mutating func check(_ database: SQLiteDatabase) throws(StoreError) {
        for known in files {
            let present = FileIdentity(known.path)
            if present == known.identity { continue }
            if present == nil, errno != ENOENT, errno != ENOTDIR {
                throw StoreError(.unreachable, "the store cannot be reached: \(String(cString: strerror(errno)))")
            }
            let file = known.tail.isEmpty ? "the store" : "the store's file \(known.tail)"
            throw StoreError(.replaced, "\(file) was \(present == nil ? "removed or moved" : "replaced")")
        }
        try checkContent(database)
    }

    /// Checks the header of a database file: its format, number of pages and application identifier.
    ///
    /// A checkpoint writes the header first. If a full or failing disk interrupts it, the file stays shorter than the
    /// header says until the next one, and the rest is in the log. So only a file that has become shorter is suspect,
    /// and only a check of the whole store proves damage.
    private mutating func checkContent(_ database: SQLiteDatabase) throws(StoreError) {
        let foreign = StoreError(.corrupt, "the store was overwritten or cut by another program")
        guard let start = try database.fileStart(StoreHeader.size), let header = StoreHeader(start.bytes),
            // In a new store it may be in the log only.
            [Schema.applicationIdentifier, 0].contains(header.applicationIdentifier)
        else { throw foreign }
        if start.size < min(header.fileSize, knownSize), try StoreFile.isUnusable(path) { throw foreign }
        knownSize = start.size
    }
}

/// The header of a database file (<https://www.sqlite.org/fileformat.html>, 1.3).
struct StoreHeader {
    /// Its size, in bytes.
    static let size = 100
    private static let magic = Array("SQLite format 3\0".utf8)

    private let bytes: [UInt8]

    /// Reads a header; `nil` where this is none of SQLite.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= Self.size, bytes.starts(with: Self.magic) else { return nil }
        self.bytes = bytes
    }

    /// What `application_id` says.
    var applicationIdentifier: Int64 { number(68..<72) }
    /// What `user_version` says.
    var version: Int64 { Int64(Int32(truncatingIfNeeded: number(60..<64))) }
    /// The size of the file, in bytes.
    var fileSize: Int64 { number(28..<32) * (number(16..<18) == 1 ? 65_536 : number(16..<18)) }

    private func number(_ range: Range<Int>) -> Int64 { bytes[range].reduce(0) { $0 << 8 | Int64($1) } }
}

/// The identity of a file, independent of its name.
struct FileIdentity: Hashable {
    var device: dev_t
    var inode: ino_t

    /// The identity of the file at a path; `nil` with `errno` without one.
    init?(_ path: String) {
        var status = stat()
        // Not as an argument, which would copy the text; a batch checks six times.
        guard path.withCString({ stat($0, &status) }) == 0 else { return nil }
        (device, inode) = (status.st_dev, status.st_ino)
    }
}
