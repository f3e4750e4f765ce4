import CSystem
import Foundation
import TestSupport
import Testing
import UserFiles

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
