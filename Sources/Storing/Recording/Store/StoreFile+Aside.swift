import CSystem
import Glibc
import UserFiles

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
        let slash = path.lastIndex(of: "/")
        let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let start = String(path[(slash.map(path.index(after:)) ?? path.startIndex)...]) + ".\(damagedMark)"
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
