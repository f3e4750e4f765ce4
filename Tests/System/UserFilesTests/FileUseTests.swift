import Foundation
import TestSupport
import Testing
import UserFiles

@Suite("Using a file together")
struct FileUseTests {
    private let folder: ScratchFolder
    private var path: String { folder.path + "/store" }

    init() throws {
        folder = try ScratchFolder()
    }

    /// Whether somebody who comes now, and goes at once, is the only one.
    private func isAlone(timeout: Int = 0) throws -> Bool {
        let use = try FileUse(of: path, timeout: timeout)
        let isFirst = use.isFirst
        _ = consume use
        return isFirst
    }

    @Test("the first one knows that it is alone, the others know that they are not, and all locks end with their value")
    func together() async throws {
        let first = try FileUse(of: path)
        let isFirst = first.isFirst
        #expect(isFirst)
        first.share()
        let second = try FileUse(of: path)
        let isSecondFirst = second.isFirst
        #expect(!isSecondFirst)
        _ = consume first
        #expect(try !isAlone())
        _ = consume second
        // A program that another test starts at this very moment holds what is open here until it begins.
        try await awaitCondition("it is not used") { try isAlone() }
    }

    @Test("a use that ends while somebody comes is no other use")
    func ending() throws {
        let first = try FileUse(of: path)
        first.share()
        let path = path
        let (starts, answers) = (DispatchSemaphore(value: 0), Recorder<Bool>())
        let done = DispatchSemaphore(value: 0)
        // A thread of its own: who waits for a lock would keep one from other tests.
        Thread.detachNewThread {
            starts.signal()
            if let use = try? FileUse(of: path, patience: 60_000) { answers.record(use.isFirst) }
            done.signal()
        }
        starts.wait()
        _ = consume first
        done.wait()
        #expect(answers.elements == [true])
    }

    @Test("no other program can begin before the first one shares")
    func busy() throws {
        let first = try FileUse(of: path)
        #expect(throws: UserFileError.busy(path: path)) { _ = try isAlone() }
        first.share()
        #expect(try !isAlone())
        _ = consume first
    }
}
