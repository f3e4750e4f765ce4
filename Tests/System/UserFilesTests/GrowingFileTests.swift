import Foundation
import Glibc
import TestSupport
import Testing

@testable import UserFiles

@Suite("A file that grows")
struct GrowingFileTests {
    private let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
    }

    @Test("has what was appended at once, for its user only, in a folder that is made")
    func appended() throws {
        let path = folder.path + "/traces/one"
        var file = try GrowingFile(path, limit: 100)
        try file.append([1, 2])
        try file.append([3])
        #expect(try PrivateFile.read(path) == [1, 2, 3])
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test("replaces no file, and follows no link")
    func new() throws {
        let path = folder.path + "/one"
        try PrivateFile.replace(path, with: [7])
        #expect(throws: UserFileError.exists(path: path)) { _ = try GrowingFile(path, limit: 9) }
        let link = folder.path + "/link"
        #expect(symlink(folder.path + "/elsewhere", link) == 0)
        #expect(throws: UserFileError.exists(path: link)) { _ = try GrowingFile(link, limit: 9) }
        #expect(try PrivateFile.read(path) == [7])
    }

    @Test("takes nothing beyond its limit, and keeps what it has")
    func limited() throws {
        let path = folder.path + "/one"
        var file = try GrowingFile(path, limit: 4)
        try file.append([1, 2, 3])
        #expect(throws: UserFileError.tooLarge(path: path, limit: 4)) { try file.append([4, 5]) }
        try file.append([4])
        #expect(try PrivateFile.read(path) == [1, 2, 3, 4])
    }
}
