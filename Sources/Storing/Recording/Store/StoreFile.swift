import CSystem
import Glibc
import UserFiles

/// Opens the store's file: private, and migrated to the present version.
public enum StoreFile {
    /// The file's name in the user's data folder.
    public static let name = "store.sqlite"

    /// The size in bytes to which the unused write-ahead log shrinks.
    static let logSizeLimit: Int64 = 8_000_000

    /// An opened store.
    struct Opened {
        /// The connection to it.
        var database: SQLiteDatabase
        /// The new path of a damaged store; `nil` for none.
        var damagedStore: String?
    }

    /// Opens the store for recording, and creates it and its folder if missing.
    ///
    /// The folder gets mode 0700 and the file 0600. A file that is certainly damaged or foreign is renamed with its
    /// companions, and a new store is created, because recording must continue.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - day: The date for a damaged store's name, such as `2026-01-02`.
    ///   - isDoubted: Whether an error suggests that the file is damaged, so that the whole file is checked.
    /// - Throws: ``StoreError``.
    static func open(_ path: String, day: String, isDoubted: Bool = false) throws(StoreError) -> Opened {
        var isUnusable = false
        if isDoubted { isUnusable = try Self.isUnusable(path) }
        if !isUnusable {
            do throws(StoreError) {
                return Opened(database: try connect(path, .patient))
            } catch {
                guard error.kind == .corrupt else { throw error }
                guard try Self.isUnusable(path) else {
                    throw StoreError(.unreachable, "\(path) could not be read, though it is whole; it is tried again")
                }
            }
        }
        let aside = try setAside(path, day: day)
        return Opened(database: try connect(path, .patient), damagedStore: aside)
    }

    /// Opens the store for a command that adds to it, and creates it and its folder if missing.
    ///
    /// A damaged store is not renamed: the caller decides about it.
    ///
    /// - Throws: ``StoreError``.
    static func openForAdding(_ path: String) throws(StoreError) -> SQLiteDatabase {
        try connect(path, QueryWatch())
    }

    /// Opens the store for reading; `nil` if there is none.
    ///
    /// - Throws: ``StoreError``.
    static func openForReading(_ path: String) throws(StoreError) -> SQLiteDatabase? {
        guard try isThere(path) else { return nil }
        do {
            return try reader(path, .read)
        } catch {
            guard [.unreachable, .readOnly, .full].contains(error.kind), access(path, R_OK) == 0 else { throw error }
            // A database with a log needs two files beside it, which cannot be created on a read-only disk or folder.
            // Without a log it is read as an unchanging file.
            let log = try sizeOfLog(path)
            guard log == 0 else {
                throw StoreError(
                    .readOnly,
                    "the newest \(log) bytes of \(path) are in \(path)-wal, which cannot be used where nothing can be"
                        + " written; copy both into a folder of yours and read the copy")
            }
            return try reader(path, .readUnchanging)
        }
    }

    static func reader(
        _ path: String, _ access: SQLiteDatabase.Access, watch: QueryWatch = QueryWatch()
    ) throws(StoreError) -> SQLiteDatabase? {
        let database = try SQLiteDatabase(path: path, for: access, watch: watch)
        // An empty file is an empty store.
        return try checkedVersion(of: database) > 0 ? database : nil
    }

    /// The version of an opened file; 0 for an empty one.
    ///
    /// SQLite's first query of a file creates others beside it, so another version's is refused before that.
    private static func checkedVersion(of database: SQLiteDatabase) throws(StoreError) -> Int64 {
        if let header = try database.fileStart(StoreHeader.size).flatMap({ StoreHeader($0.bytes) }) {
            try Schema.refuseOtherVersion(header.applicationIdentifier, header.version, of: database.path)
        }
        return try Schema.checkedVersion(of: database)
    }

    private static func sizeOfLog(_ path: String) throws(StoreError) -> Int64 {
        var status = stat()
        if stat(path + "-wal", &status) == 0 { return Int64(status.st_size) }
        if errno == ENOENT { return 0 }
        throw StoreError(.unreachable, "\(path)-wal cannot be read: \(String(cString: strerror(errno)))")
    }

    /// Whether the path is a regular file; opening anything else, such as a named pipe, might block.
    private static func isThere(_ path: String) throws(StoreError) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0 else {
            if errno == ENOENT { return false }
            throw StoreError(.unreachable, "\(path) cannot be read: \(String(cString: strerror(errno)))")
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw StoreError(.unreachable, "\(path) is not an ordinary file; move it away")
        }
        return true
    }

    private static func connect(_ path: String, _ watch: QueryWatch) throws(StoreError) -> SQLiteDatabase {
        try makePrivate(path)
        let hasLog = try sizeOfLog(path) > 0
        let database = try SQLiteDatabase(path: path, watch: watch)
        // An unusable file is not modified, not even its journal mode, and nothing is left beside it.
        do {
            _ = try checkedVersion(of: database)
        } catch {
            if hasLog { database.leaveLog() }
            throw error
        }
        // Readers and writers do not block each other, and a kill leaves no partial transaction.
        try database.execute("PRAGMA journal_mode = WAL")
        // The log grows during slow reads, and shrinks to this size afterwards.
        try database.execute("PRAGMA journal_size_limit = \(logSizeLimit)")
        try database.sync(true)
        // The writer's numbers come from these tables, whose rows are never removed: looking each up again would be a
        // third of what a reading costs SQLite. Tests check the whole file.
        try database.execute("PRAGMA foreign_keys = OFF")
        // A writer appends and reads little: 256 KiB of pages instead of SQLite's usual 2 MB, which a collector would
        // need for each of hundreds of beds.
        try database.execute("PRAGMA cache_size = -256")
        // No health data in a folder for temporary files, which a restricted monitor cannot reach anyway.
        try database.execute("PRAGMA temp_store = MEMORY")
        try Schema.migrate(database)
        database.refuseViews()
        return database
    }

    /// Creates folder and file with their modes before SQLite would, because SQLite uses the umask.
    private static func makePrivate(_ path: String) throws(StoreError) {
        if let slash = path.lastIndex(of: "/"), slash != path.startIndex {
            do {
                try PrivateFile.createFolder(String(path[..<slash]))
            } catch {
                throw StoreError(.unreachable, error.description)
            }
        }
        _ = try isThere(path)
        let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY, 0o600)
        guard descriptor >= 0 else {
            // SQLite reports the error when it opens the file.
            return
        }
        // Quirk sqlite-locks: SQLite must not have the file open yet, because closing any descriptor of a file releases
        // all locks of the process on it.
        fchmod(descriptor, 0o600)
        close(descriptor)
    }
}

extension StoreFile {
    /// Whether a file is a store, or a companion file of one, by whatever name.
    ///
    /// Call it only in a process that has none of these files open (quirk sqlite-locks).
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - stores: Known stores; others are recognised by their content.
    public static func isPartOfStore(_ path: String, of stores: [String] = []) -> Bool {
        guard let identity = FileIdentity(path) else { return false }
        let real = resolvedPath(path)
        let endings = StoreIdentity.tails + [".use"]
        for store in stores where endings.contains(where: { FileIdentity(store + $0) == identity }) { return true }
        for ending in endings {
            let name = real ?? path
            if name.hasSuffix(ending), isStore(String(name.dropLast(ending.count))) { return true }
        }
        return false
    }

    /// Whether the header of a file marks it as a store, or a checkpoint may turn it into one.
    private static func isStore(_ path: String) -> Bool {
        let descriptor = Glibc.open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: StoreHeader.size)
        guard pread(descriptor, &bytes, bytes.count, 0) == bytes.count,
            let identifier = StoreHeader(bytes)?.applicationIdentifier
        else { return false }
        return [Schema.applicationIdentifier, Schema.developmentIdentifier].contains(identifier)
            || identifier == 0 && access(path + "-wal", F_OK) == 0
    }
}

// Sets unusable stores aside: they are kept, and reported as long as they exist.
extension StoreFile {
    /// The least free space, in bytes, for a new store.
    private static let leastRoom: Int64 = 65_536

    /// Whether a failed store is damaged or foreign by its own content.
    ///
    /// A full, failing or read-only disk interrupts a checkpoint of SQLite, and leaves a file that is shorter than its
    /// header says; together with its log it is complete. So only a check of both, on a readable disk, proves that a
    /// store is damaged.
    ///
    /// - Returns: `false` if the store is intact.
    /// - Throws: ``StoreError``: the cause outside of the file.
    static func isUnusable(_ path: String) throws(StoreError) -> Bool {
        try requireWorkingDisk(of: path)
        do throws(StoreError) {
            try SQLiteDatabase(path: path, for: .read).readWhole()
            guard let database = try reader(path, .read, watch: .patient) else { return false }
            return try database.text("PRAGMA integrity_check(1)") != "ok"
        } catch {
            guard error.kind == .corrupt else { throw error }
            return true
        }
    }

    /// The free bytes for the user on the disk of a store, which need not exist; `nil` if they are not known.
    public static func room(beside path: String) -> Int64? { DiskRoom.left(beside: path) }

    /// Checks that no problem of the disk explains why a store fails.
    ///
    /// - Throws: ``StoreError``: `readOnly` or `full`.
    static func requireWorkingDisk(of path: String) throws(StoreError) {
        switch DiskRoom.state(beside: path) {
        case .readOnly:
            throw StoreError(.readOnly, "the disk of \(path) can only be read at present; check the disk")
        case .left(let room) where room < leastRoom:
            throw StoreError(.full, "there is no room left to write \(path); make room on the disk")
        case .left, .unknown: break
        }
    }

    /// Renames a store with the files that SQLite keeps beside it.
    ///
    /// - Returns: Its new path.
    static func setAside(_ path: String, day: String) throws(StoreError) -> String {
        do {
            let aside = try PrivateFile.setAside(path, suffix: "\(damagedMark)\(day)")
            // Otherwise the new store would read the old one's log.
            for tail in ["-wal", "-shm"] where access(path + tail, F_OK) == 0 { rename(path + tail, aside + tail) }
            return aside
        } catch {
            throw StoreError(.unreachable, error.description)
        }
    }

    /// Renames companion files of a missing store: used with another store, they would damage it.
    ///
    /// - Parameter isOld: Whether a file with this suffix belongs to the left store.
    static func leaveTails(of path: String, day: String, isOld: (String) -> Bool) {
        for tail in ["-wal", "-shm"] where isOld(tail) {
            var status = stat()
            // The index of a log is useless without it, and an empty log contains nothing.
            if tail == "-shm" || stat(path + tail, &status) == 0 && status.st_size == 0 {
                unlink(path + tail)
            } else {
                _ = try? PrivateFile.setAside(path + tail, suffix: "left-\(day)")
            }
        }
    }

    private static let damagedMark = "damaged-"

    /// The names of the damaged stores beside a store, in their order; empty if the folder cannot be read.
    ///
    /// - Parameter path: The store.
    public static func damagedStores(beside path: String) -> [String] {
        let (folder, name) = splitPath(path)
        let start = "\(name).\(damagedMark)"
        return (FolderListing.names(in: folder) ?? []).filter { name in
            name.hasPrefix(start) && !StoreIdentity.tails.dropFirst().contains(where: name.hasSuffix)
        }
    }

    /// A sentence about the damaged stores beside a store, with their folder; `nil` without one.
    ///
    /// - Parameter path: The store.
    public static func damagedStoresSentence(beside path: String) -> String? {
        let names = damagedStores(beside: path)
        guard let first = names.first else { return nil }
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        let more = names.count == 1 ? "" : " and \(names.count - 1) more beside it"
        return "Values from before are missing here: the store was damaged, and is kept as \(folder)\(first)\(more)."
    }
}
