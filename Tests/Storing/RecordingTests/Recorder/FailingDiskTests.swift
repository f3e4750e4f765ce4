import CFaultyDisk
import CSQLite
import CSystem
import Glibc
import Monitoring
import TestSupport
import Testing
import UserFiles
import Vitals

@testable import Recording

@Suite("A disk that fails in the middle of a write")
struct FailingDiskTests {
    /// A way in which a disk fails, as SQLite and the system tell it.
    struct Fault: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var kinds: Int
        var code: Int32
        var error: Int32

        init(_ name: String, _ kinds: Int, _ code: Int32, _ error: Int32) {
            (testDescription, self.kinds, self.code, self.error) = (name, kinds, code, error)
        }

        /// Whether what it stops is reported as a full disk.
        var isFull: Bool { error == ENOSPC || error == EDQUOT }

        static let all = [
            Fault("no room", FAULTY_WRITE, SQLITE_FULL, ENOSPC),
            Fault("a quota", FAULTY_WRITE, ioError(3), EDQUOT),
            Fault("an error of the disk", FAULTY_WRITE, ioError(3), EIO),
            Fault("mounted anew to be read only", FAULTY_WRITE | FAULTY_TRUNCATE, ioError(3), EROFS),
            Fault("what was written does not arrive", FAULTY_SYNC, ioError(4), EIO),
            Fault("no change of size", FAULTY_TRUNCATE, ioError(6), EIO),
            Fault("no room for the index", FAULTY_MAP, ioError(19), ENOSPC),
            Fault("nothing can be read", FAULTY_READ, ioError(1), EACCES),
            // What SQLite makes of an error of the disk, and reports as damage.
            Fault("the disk cannot be read", FAULTY_READ, ioError(33), EIO),
        ]

        /// An extended result code of SQLite, whose macro cannot be used from Swift.
        private static func ioError(_ number: Int32) -> Int32 { SQLITE_IOERR | number << 8 }
    }

    private let folder: ScratchFolder
    private let running = RunningLoop()

    init() throws {
        folder = try ScratchFolder(isInMemory: true)
        try #require(faulty_disk_install() == SQLITE_OK)
    }

    private func recorder(
        _ path: String, _ inbox: RecorderInbox, onNotice: @escaping @Sendable (String) -> Void = { _ in },
        onState: @escaping @Sendable (StorageState) -> Void = { _ in }
    ) -> Recording.Recorder {
        Recording.Recorder(
            .init(path: path, day: "2026-01-02", programVersion: "1.0"), inbox: inbox, loop: running.loop,
            retryDelay: .seconds(3600), now: { .at(1) }, onNotice: onNotice, onState: onState)
    }

    /// The state of a recorder that a fault stops.
    private static func isExpected(_ state: StorageState?, _ fault: Fault) -> Bool {
        switch state {
        case .full: fault.isFull
        case .failed(let reason):
            !fault.isFull && (reason.contains(String(cString: strerror(fault.error))) || fault.kinds == FAULTY_READ)
        case .working, .nearlyFull, .incomplete, nil: false
        }
    }

    /// Lets a disk fail from an operation on while a recorder writes, repairs it, and looks what became of the store.
    ///
    /// - Parameters:
    ///   - fault: How it fails.
    ///   - number: The number of the first operation that fails.
    ///   - path: The store.
    ///   - earlier: How many values an existing store holds; it is opened on the failing disk. `nil` for a new one.
    /// - Returns: Whether anything has failed.
    private func fails(_ fault: Fault, at number: Int, _ path: String, with earlier: Int? = nil) async throws -> Bool {
        let inbox = RecorderInbox()
        let states = TestSupport.Recorder<StorageState>()
        let notices = TestSupport.Recorder<String>()
        let recorder = recorder(path, inbox, onNotice: { notices.record($0) }, onState: { states.record($0) })
        let place = folder.path
        // In one go, because each change of threads takes its time on a computer that is busy.
        return try await recorder.alone { recorder in
            let comment: Comment = "\(fault), \(number)"
            var (given, disk, failures) = (earlier ?? 0, Int32(-1), Int32(0))
            for step in (earlier == nil ? 0 : 1)..<4 {
                switch step {
                case 0:
                    _ = recorder.open(at: .at(0))
                    try recorder.checkpoint(every: 1)
                case 1:
                    disk = faulty_disk_break(place, Int32(fault.kinds), Int32(number), fault.code, fault.error)
                    try #require(disk >= 0)
                    if earlier != nil { _ = recorder.open(at: .at(1000)) }
                case 3:
                    let isExpected = !recorder.isWaiting || Self.isExpected(states.elements.last, fault)
                    #expect(isExpected, "\(comment): \(states.elements)")
                    failures = faulty_disk_failures(disk)
                    faulty_disk_repair(disk)
                default: break
                }
                for _ in 0..<5 {
                    given += 1
                    inbox.append(Reading.rate(60 + given % 100, at: .at(given)))
                }
                recorder.flush()
            }
            let isWaiting = recorder.isWaiting
            #expect(!isWaiting, comment)
            #expect(states.elements.last ?? .working == .working, comment)
            try Self.isWhole(path, given, comment)
            let lost = recorder.close()
            #expect(lost == 0, comment)
            try Self.isWhole(path, given, comment)
            #expect(StoreFile.damagedStores(beside: path).isEmpty && notices.elements.isEmpty, comment)
            return failures > 0
        }
    }

    /// What the store holds is what was given, each value once.
    private static func isWhole(_ path: String, _ given: Int, _ comment: Comment) throws {
        var found: [Reading] = []
        try StoredHistory.open(path)?.forEachReading(in: .min..<(.max)) {
            found.append($0.reading)
            return true
        }
        #expect(found == (1...given).map { .rate(60 + $0 % 100, at: .at($0)) }, comment)
        #expect(try SQLiteDatabase(path: path, for: .read).text("PRAGMA integrity_check") == "ok", comment)
    }

    @Test(
        "at any write of any batch or checkpoint costs nothing, and the same store goes on",
        arguments: Fault.all.filter { $0.kinds != FAULTY_MAP })
    func anyWrite(_ fault: Fault) async throws {
        var number = 0
        while try await fails(fault, at: number, "\(folder.path)/\(number)/store.sqlite") { number += 1 }
        #expect(number > 0, "nothing has failed")
    }

    @Test(
        "in the middle of a checkpoint leaves a store that is opened and goes on, wherever it fails again",
        arguments: Fault.all.filter { $0.kinds != FAULTY_TRUNCATE })
    func anyOpening(_ fault: Fault) async throws {
        let torn = "\(folder.path)/torn/store.sqlite"
        let inbox = RecorderInbox()
        await recorder(torn, inbox).alone { recorder in
            _ = recorder.open(at: .at(0))
            for given in 1...100 { inbox.append(Reading.rate(60 + given % 100, at: .at(given))) }
            recorder.flush()
            // The database file cannot grow; its header is written all the same.
            let full = faulty_disk_break(torn, Int32(FAULTY_WRITE), 1, SQLITE_FULL, ENOSPC)
            recorder.close()
            faulty_disk_repair(full)
        }
        var number = 0
        while true {
            let path = "\(folder.path)/\(number)/store.sqlite"
            try copyStore(torn, to: path)
            if try await !fails(fault, at: number, path, with: 100) { break }
            number += 1
        }
        #expect(number > 0, "nothing has failed")
    }

    /// Copies a store whose database file is shorter than its header says, with its log.
    private func copyStore(_ path: String, to copy: String) throws {
        try #require(mkdir(String(copy[..<(copy.lastIndex(of: "/") ?? copy.endIndex)]), 0o700) == 0)
        for tail in ["", "-wal"] {
            let bytes = try #require(try PrivateFile.read(path + tail))
            try PrivateFile.replace(copy + tail, with: bytes)
            if tail.isEmpty {
                let pages = bytes[28..<32].reduce(0) { $0 << 8 | Int($1) }
                try #require(bytes.count < pages * 4096)
            }
        }
    }
}

extension Recording.Recorder {
    /// Runs something on its thread.
    func alone<Result: Sendable>(
        _ body: @Sendable (isolated Recording.Recorder) throws -> Result
    ) rethrows -> Result { try body(self) }

    /// Has SQLite bring its log into the file after so many pages.
    func checkpoint(every pages: Int) throws {
        _ = try store?.database.integer("PRAGMA wal_autocheckpoint = \(pages)")
    }
}
