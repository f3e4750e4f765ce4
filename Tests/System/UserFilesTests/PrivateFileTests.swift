import CSystem
import Foundation
import Glibc
import Testing
import TestSupport

@testable import UserFiles

@Suite("A private file")
struct PrivateFileTests {
    private let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
    }

    private func mode(_ path: String) throws -> Int {
        try #require(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }

    @Test("comes back as it was written, and its folders are made: 0700 and 0600 whatever the umask")
    func written() throws {
        let path = folder.path + "/a/b/file"
        #expect(try PrivateFile.read(path) == nil)
        try PrivateFile.replace(path, with: [1, 2, 3])
        #expect(try PrivateFile.read(path) == [1, 2, 3])
        #expect(try mode(path) == 0o600)
        #expect(try mode(folder.path + "/a") == 0o700)
        #expect(try mode(folder.path + "/a/b") == 0o700)
    }

    @Test("is replaced as a whole, by a shorter one too, and nothing else is left in the folder")
    func replaced() throws {
        let path = folder.path + "/file"
        try PrivateFile.replace(path, with: Array(repeating: 7, count: 200_000))
        try PrivateFile.replace(path, with: [])
        #expect(try PrivateFile.read(path) == [])
        #expect(try folder.names() == ["file"])
    }

    @Test("that others could read cannot be read by them once it is replaced")
    func tightened() throws {
        let path = try folder.write("old", to: "file")
        chmod(path, 0o644)
        try PrivateFile.replace(path, with: [])
        #expect(try mode(path) == 0o600)
    }

    @Test("behind a symbolic link is replaced where it is, and the link stays")
    func link() throws {
        let target = try folder.write("old", to: "target")
        let path = folder.path + "/link"
        #expect(symlink(target, path) == 0)
        try PrivateFile.replace(path, with: [42])
        #expect(try PrivateFile.read(target) == [42])
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == target)
    }

    @Test("is not read beyond its limit, and the limit itself is allowed")
    func limit() throws {
        let path = try folder.write("12345", to: "file")
        #expect(try PrivateFile.read(path, limit: 5)?.count == 5)
        #expect(throws: UserFileError.tooLarge(path: path, limit: 4)) { try PrivateFile.read(path, limit: 4) }
    }

    @Test("is neither a folder nor a named pipe, which is not opened")
    func oddities() throws {
        let pipe = folder.path + "/pipe"
        #expect(mkfifo(pipe, 0o600) == 0)
        for path in [pipe, folder.path] {
            #expect(throws: UserFileError.notAFile(path: path)) { try PrivateFile.read(path) }
            #expect(throws: UserFileError.notAFile(path: path)) { try PrivateFile.replace(path, with: []) }
        }
    }

    @Test("stays as it was when its folder is no folder, and the sentence names it")
    func noFolder() throws {
        let file = try folder.write("here", to: "file")
        #expect(try PrivateFile.read(file + "/below") == nil)
        let error = #expect(throws: UserFileError.self) { try PrivateFile.replace(file + "/below", with: []) }
        #expect(error?.description.contains("\(file) cannot be used: Not a directory") == true)
        #expect(try PrivateFile.read(file) == Array("here".utf8))
    }

    @Test("that cannot be written whole stays as it was, and no part of the new one is left")
    func cannotWrite() throws {
        // The name is allowed, but with what marks the temporary file it is too long for any file system.
        let name = String(repeating: "n", count: 255)
        let path = try folder.write("old", to: name)
        #expect(throws: UserFileError.self) { try PrivateFile.replace(path, with: [1]) }
        #expect(try PrivateFile.read(path) == Array("old".utf8))
        #expect(try folder.names() == [name])
    }

    @Test("is set aside under a name of its own, and none that was set aside before is lost")
    func setAside() throws {
        let path = folder.path + "/file"
        for (text, name) in [("one", "file.broken"), ("two", "file.broken-2"), ("three", "file.broken-3")] {
            _ = try folder.write(text, to: "file")
            let aside = try PrivateFile.setAside(path, suffix: "broken")
            #expect(aside == folder.path + "/" + name)
            #expect(try PrivateFile.read(path) == nil)
            #expect(try PrivateFile.read(aside) == Array(text.utf8))
        }
        #expect(throws: UserFileError.self) { try PrivateFile.setAside(path, suffix: "broken") }
    }
}

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
