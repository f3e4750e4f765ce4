import Glibc
import Monitoring
import UserFiles

/// The free space of a disk.
enum DiskRoom {
    /// The state of a disk.
    enum State: Hashable {
        /// It is writable; with the free bytes for the user.
        case left(Int64)
        /// It is read-only, as after a disk error.
        case readOnly
        /// The file system does not report it.
        case unknown
    }

    /// The state of the disk of a file's folder.
    static func state(beside path: String) -> State {
        var status = statvfs()
        guard statvfs(splitPath(path).folder, &status) == 0 else { return .unknown }
        if status.f_flag & UInt(ST_RDONLY) != 0 { return .readOnly }
        // Some network file systems do not report their size.
        guard status.f_blocks > 0 else { return .unknown }
        return .left(
            Int64(clamping: status.f_bavail).multipliedReportingOverflow(by: Int64(clamping: status.f_frsize))
                .partialValue)
    }

    /// The free bytes for the user on the disk of a file's folder; `nil` if unknown.
    static func left(beside path: String) -> Int64? {
        if case .left(let room) = state(beside: path) { room } else { nil }
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
    /// - Parameters:
    ///   - room: The free bytes; `nil` if unknown.
    ///   - log: The size of its write-ahead log in bytes. It grows while a program holds a snapshot of the store, which
    ///     Bedside does only briefly.
    ///   - damaged: The names of damaged stores beside it.
    init(room: Int64?, log: Int64 = 0, damaged: [String] = []) {
        let earlier = damaged.first.map { first in
            "earlier values are in \(first)\(damaged.count == 1 ? "" : " and \(damaged.count - 1) more")"
        }
        let bound = [20, 50, 100, 200].first { Int64($0) * 1_000_000 > room ?? .max }
        let little =
            bound.map { "less than \($0) MB left" }
            ?? [1000, 400, 100].first { Int64($0) * 1_000_000 < log }.map {
                "another program holds more than \($0) MB of its log"
            }
        self =
            switch (little, earlier) {
            case (let little?, let earlier):
                .nearlyFull(reason: [little, earlier].compactMap(\.self).joined(separator: "; "))
            case (nil, let earlier?): .incomplete(reason: earlier)
            case (nil, nil): .working
            }
    }
}
