import Foundation
import Glibc
import Testing
import TestSupport
import UserFiles

@Suite("A file that is believed")
struct FileTrustTests {
    private let folder: ScratchFolder
    private let file: String

    init() throws {
        folder = try ScratchFolder()
        try FileManager.default.createDirectory(atPath: folder.path + "/a/b", withIntermediateDirectories: true)
        for path in ["/a", "/a/b"] { try #require(chmod(folder.path + path, 0o755) == 0) }
        file = folder.path + "/a/b/bedside.toml"
        try "".write(toFile: file, atomically: false, encoding: .utf8)
        try #require(chmod(file, 0o644) == 0)
    }

    private func fault() -> FileTrust.Fault? { FileTrust.fault(file, acceptsForeign: false) }

    @Test("is one that nobody else can change", arguments: [0o600, 0o644, 0o755, 0o444] as [mode_t])
    func closed(mode: mode_t) throws {
        try #require(chmod(file, mode) == 0)
        #expect(fault() == nil)
    }

    @Test("is none that everybody can change", arguments: [0o666, 0o646, 0o602, 0o777] as [mode_t])
    func open(mode: mode_t) throws {
        try #require(chmod(file, mode) == 0)
        let target = try #require(realpath(file, nil).map { String(cString: $0) })
        #expect(fault() == .fileIsOpen(path: target, mode: UInt16(mode)))
        #expect(FileTrust.fault(file, acceptsForeign: true) == fault())
    }

    @Test("is none in whose place everybody can put another one, in any folder above", arguments: ["/a", "/a/b"])
    func openFolder(name: String) throws {
        try #require(chmod(folder.path + name, 0o777) == 0)
        guard case .folderIsOpen(let path, 0o777)? = fault() else {
            Issue.record("\(String(describing: fault()))")
            return
        }
        #expect(path.hasSuffix(name))
        // In a folder such as /tmp nobody can remove or rename what belongs to somebody else.
        try #require(chmod(folder.path + name, 0o1777) == 0)
        #expect(fault() == nil)
    }

    @Test("is none behind a link, if either end can be replaced")
    func links() throws {
        let link = folder.path + "/a/link.toml"
        try #require(symlink(file, link) == 0)
        #expect(FileTrust.fault(link, acceptsForeign: false) == nil)
        try #require(chmod(folder.path + "/a/b", 0o777) == 0)
        #expect(FileTrust.fault(link, acceptsForeign: false) != nil)
        try #require(chmod(folder.path + "/a/b", 0o755) == 0)
        let other = folder.path + "/c"
        try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: false)
        try #require(chmod(other, 0o777) == 0)
        try #require(symlink(file, other + "/link.toml") == 0)
        #expect(FileTrust.fault(other + "/link.toml", acceptsForeign: false) != nil)
    }

    @Test("is none of another user, unless it was named", .enabled(if: geteuid() == 0))
    func foreign() throws {
        try #require(chown(file, 65_534, 65_534) == 0)
        guard case .isForeign? = fault() else {
            Issue.record("\(String(describing: fault()))")
            return
        }
        #expect(FileTrust.fault(file, acceptsForeign: true) == nil)
        // A group of several people.
        try #require(chown(file, 0, 65_534) == 0 && chmod(file, 0o664) == 0)
        guard case .fileIsOpen(_, 0o664)? = fault() else {
            Issue.record("\(String(describing: fault()))")
            return
        }
    }

    @Test("may be missing")
    func missing() {
        #expect(FileTrust.fault(folder.path + "/none", acceptsForeign: false) == nil)
    }
}

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
