import CSystem
import Glibc
import UserFiles

/// The store's file: private, of the present version, and never the reason why something is lost.
public enum StoreFile {
    /// The file's name in the user's data folder.
    public static let name = "store.sqlite"

    /// An opened store.
    struct Opened {
        /// The connection to it.
        var database: SQLiteDatabase
        /// Where the damaged store that stood there before is now; `nil` when there was none.
        var damagedStore: String?
    }

    /// Opens the store for writing, and makes it and its folder where there is none.
    ///
    /// The folder gets mode 0700 and the file 0600. What is damaged, or no store, is given another name beside it with
    /// all that belongs to it, and a new store is begun.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - day: The date that becomes part of a damaged store's name, such as `2026-01-02`.
    /// - Throws: ``StoreFailure``.
    static func open(_ path: String, day: String) throws(StoreFailure) -> Opened {
        do {
            return Opened(database: try connect(path))
        } catch {
            guard error.kind == .corrupt else { throw error }
            let aside = try setAside(path, suffix: "damaged-\(day)")
            return Opened(database: try connect(path), damagedStore: aside)
        }
    }

    /// Opens the store for reading; `nil` where there is none.
    ///
    /// - Throws: ``StoreFailure``.
    static func openForReading(_ path: String) throws(StoreFailure) -> SQLiteDatabase? {
        guard access(path, F_OK) == 0 || errno != ENOENT else { return nil }
        let database = try SQLiteDatabase(path: path, for: .read)
        // An empty file is a store in which nothing was ever written.
        let version = try Schema.checkedVersion(of: database)
        guard version > 0 else { return nil }
        try Schema.requireTables(of: version, in: database)
        return database
    }

    private static func connect(_ path: String) throws(StoreFailure) -> SQLiteDatabase {
        try makePrivate(path)
        let database = try SQLiteDatabase(path: path)
        // What cannot be used is not written to either, not even to set how it is written.
        _ = try Schema.checkedVersion(of: database)
        // Readers do not hold writers up, nor the other way round, and a kill leaves nothing half written.
        try database.execute("PRAGMA journal_mode = WAL")
        // Each of the few transactions a second is on the disk when it ends, so a power cut takes no more than the last.
        try database.execute("PRAGMA synchronous = FULL")
        try database.execute("PRAGMA foreign_keys = ON")
        try Schema.migrate(database)
        return database
    }

    /// Makes folder and file with their modes before SQLite would, because SQLite goes by the umask.
    private static func makePrivate(_ path: String) throws(StoreFailure) {
        if let slash = path.lastIndex(of: "/"), slash != path.startIndex {
            do {
                try PrivateFile.createFolder(String(path[..<slash]))
            } catch {
                throw StoreFailure(.unreachable, error.description)
            }
        }
        let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY, 0o600)
        guard descriptor >= 0 else {
            // SQLite tells why, with its own codes, when it opens the file.
            return
        }
        // Quirk sqlite-locks: nothing of SQLite's may be open here yet, for closing any descriptor of a file lets go of
        // all locks that the process holds on it.
        fchmod(descriptor, 0o600)
        close(descriptor)
    }

    /// Renames a store with the files that SQLite keeps beside it.
    private static func setAside(_ path: String, suffix: String) throws(StoreFailure) -> String {
        do {
            let aside = try PrivateFile.setAside(path, suffix: suffix)
            // Without these a damaged store would be damaged more, and the new one would read the old one's log.
            for tail in ["-wal", "-shm"] where access(path + tail, F_OK) == 0 { rename(path + tail, aside + tail) }
            return aside
        } catch {
            throw StoreFailure(.unreachable, error.description)
        }
    }
}
