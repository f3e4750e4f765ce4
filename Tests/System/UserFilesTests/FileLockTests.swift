import Foundation
import TestSupport
import Testing
import UserFiles

@Suite("The lock of a file")
struct FileLockTests {
    @Test("keeps a second one out as long as it lasts, and lets it in afterwards")
    func exclusive() throws {
        let folder = try ScratchFolder()
        let path = folder.path + "/below/file"
        do {
            let first = try FileLock(for: path)
            #expect(throws: UserFileError.busy(path: path)) { _ = try FileLock(for: path, timeout: 0) }
            _ = consume first
        }
        // A program that another test starts in this moment has it, too, until it has begun.
        _ = try FileLock(for: path, timeout: 60_000)
    }

    @Test("loses no change that many make at the same time")
    func concurrent() async throws {
        let folder = try ScratchFolder()
        let path = folder.path + "/file"
        let (writers, changes): (UInt8, Int) = (4, 20)
        let failures = await withTaskGroup(of: Int.self) { group in
            for writer in 0..<writers {
                group.addTask {
                    var failures = 0
                    for _ in 0..<changes {
                        do {
                            // However slow the machine is, every writer gets the lock at last.
                            let lock = try FileLock(for: path, timeout: 60_000)
                            try PrivateFile.replace(path, with: (try PrivateFile.read(path) ?? []) + [writer])
                            _ = consume lock
                        } catch {
                            failures += 1
                        }
                    }
                    return failures
                }
            }
            return await group.reduce(0, +)
        }
        #expect(failures == 0)
        let bytes = try #require(try PrivateFile.read(path))
        for writer in 0..<writers { #expect(bytes.count { $0 == writer } == changes) }
    }
}
