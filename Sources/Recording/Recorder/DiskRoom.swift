import Glibc
import Monitoring

/// The free space of a disk.
enum DiskRoom {
    /// The free bytes for the user on the disk of a file's folder; `nil` if unknown.
    static func left(beside path: String) -> Int64? {
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        var status = statvfs()
        guard statvfs(folder.isEmpty ? "/" : folder, &status) == 0 else { return nil }
        return Int64(clamping: status.f_bavail).multipliedReportingOverflow(by: Int64(clamping: status.f_frsize))
            .partialValue
    }

    /// The size of a store's write-ahead log in bytes; 0 without one.
    static func sizeOfLog(of path: String) -> Int64 {
        var status = stat()
        return stat(path + "-wal", &status) == 0 ? Int64(status.st_size) : 0
    }
}

extension StorageState {
    /// The state of a writable store by the free bytes on its disk.
    ///
    /// 200 MB hold the readings of ten days; in steps, so that the text does not change constantly.
    ///
    /// - Parameter log: The size of its write-ahead log in bytes. It grows while a program holds a snapshot of the
    ///   store, which Bedside does only briefly.
    init(room: Int64?, log: Int64 = 0) {
        let bound = [20, 50, 100, 200].first { Int64($0) * 1_000_000 > room ?? .max }
        self =
            bound.map { .nearlyFull(reason: "less than \($0) MB left") }
            ?? [1000, 400, 100].first { Int64($0) * 1_000_000 < log }.map {
                .nearlyFull(reason: "another program holds more than \($0) MB of its log")
            } ?? .working
    }
}
