import Glibc
import TestSupport
import Testing

@testable import UserFiles

@Suite("A file that is written piece by piece")
struct NewFileTests {
    private let folder: ScratchFolder
    private var path: String { "\(folder.path)/export.csv" }

    init() throws {
        folder = try ScratchFolder()
    }

    private func text() throws -> String? {
        try PrivateFile.read(path).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test("is there when it is complete, private, and not before")
    func complete() throws {
        var file = try NewFile(path, isReplacing: false)
        try file.write(Array("one,".utf8))
        #expect(try text() == nil)
        try file.write(Array("two".utf8))
        try file.finish(isReplacing: false)
        #expect(try text() == "one,two")
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    }

    @Test("leaves nothing behind when it is given up")
    func givenUp() throws {
        do {
            let file = try NewFile(path, isReplacing: false)
            try file.write([1, 2, 3])
        }
        let list = try #require(opendir(folder.path))
        defer { closedir(list) }
        var names = 0
        while readdir(list) != nil { names += 1 }
        #expect(names == 2)
    }

    @Test("takes no other file's place unless it may, not even one that comes meanwhile")
    func replacing() throws {
        _ = try folder.write("old", to: "export.csv")
        #expect(throws: UserFileError.exists(path: path)) { _ = try NewFile(path, isReplacing: false) }
        var file = try NewFile(path, isReplacing: true)
        try file.write(Array("new".utf8))
        #expect(try text() == "old")
        try file.finish(isReplacing: true)
        #expect(try text() == "new")

        unlink(path)
        var late = try NewFile(path, isReplacing: false)
        try late.write(Array("late".utf8))
        _ = try folder.write("meanwhile", to: "export.csv")
        let refused: Bool
        do {
            try late.finish(isReplacing: false)
            refused = false
        } catch {
            refused = error == .exists(path: path)
        }
        #expect(refused)
        #expect(try text() == "meanwhile")
    }

    @Test("is refused where there is no folder, or where something else stands")
    func impossible() throws {
        let missing = "\(folder.path)/missing/export.csv"
        #expect {
            _ = try NewFile(missing, isReplacing: false)
        } throws: {
            if case .unwritable(missing, _) = $0 as? UserFileError { true } else { false }
        }
        #expect(throws: UserFileError.notAFile(path: folder.path)) { _ = try NewFile(folder.path, isReplacing: true) }
    }
}
