import Glibc
import Monitoring

/// How much room there is on a disk.
enum DiskRoom {
    /// The octets that are left to the user on the disk of a file's folder; `nil` when that cannot be found out.
    static func left(beside path: String) -> Int64? {
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        var status = statvfs()
        guard statvfs(folder.isEmpty ? "/" : folder, &status) == 0 else { return nil }
        return Int64(clamping: status.f_bavail).multipliedReportingOverflow(by: Int64(clamping: status.f_frsize))
            .partialValue
    }

    /// How many octets the write-ahead log of a store has; 0 where it has none.
    static func sizeOfLog(of path: String) -> Int64 {
        var status = stat()
        return stat(path + "-wal", &status) == 0 ? Int64(status.st_size) : 0
    }
}

extension StorageState {
    /// What is to be said of a store that can be written with so many octets left on its disk.
    ///
    /// 200 MB hold the readings of ten days; in steps, so that the words do not change all the time.
    ///
    /// - Parameter log: How many octets its write-ahead log has. It grows for as long as a program reads one moment of the
    ///   store, and ours do so for a blink only.
    init(room: Int64?, log: Int64 = 0) {
        let bound = [20, 50, 100, 200].first { Int64($0) * 1_000_000 > room ?? .max }
        self =
            bound.map { .nearlyFull(reason: "less than \($0) MB left") }
            ?? [1000, 400, 100].first { Int64($0) * 1_000_000 < log }.map {
                .nearlyFull(reason: "another program holds more than \($0) MB of its log")
            } ?? .working
    }
}
