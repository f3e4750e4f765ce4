import Foundation
import Glibc
import TestSupport
import Testing

@testable import Recording

@Suite("The files of nights")
struct NightFilesTests {
    private let folder: ScratchFolder
    private let files: NightFiles
    private static let address = "C0:52:49:00:00:09"

    init() throws {
        folder = try ScratchFolder()
        files = NightFiles(beside: "\(folder.path)/bedside.sqlite")
    }

    @Test("are beside the store, by address and name, as they came, for the user alone")
    func written() throws {
        let octets = (0...255).map { UInt8($0) } + [0, 10, 13, 26]
        #expect(try files.read(name: "20260921221320", from: Self.address) == nil)
        try files.write(octets, name: "20260921221320", from: Self.address)
        #expect(try files.read(name: "20260921221320", from: Self.address) == octets)
        let path = "\(folder.path)/nights/C0-52-49-00-00-09/20260921221320.dat"
        #expect(files.path(of: "20260921221320", from: Self.address) == path)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let folderMode = try FileManager.default.attributesOfItem(atPath: "\(folder.path)/nights")[.posixPermissions]
        #expect(folderMode as? Int == 0o700)
    }

    @Test("are replaced as a whole, and nothing else is left in the folder")
    func replaced() throws {
        try files.write([1, 2, 3], name: "a", from: Self.address)
        try files.write([4], name: "a", from: Self.address)
        #expect(try files.read(name: "a", from: Self.address) == [4])
        let place = "\(folder.path)/nights/C0-52-49-00-00-09"
        #expect(try FileManager.default.contentsOfDirectory(atPath: place) == ["a.dat"])
    }

    @Test(
        "are never written for a hostile name or address",
        arguments: [
            "", ".", "..", "../../../etc/passwd", "a/b", "/a", "a.dat", ".hidden", "a b", "a\n", "a\u{0}", "é",
            "a\u{1B}[2J",
            "~", "$HOME", "*", String(repeating: "a", count: 65),
        ])
    func hostileNames(_ name: String) throws {
        #expect(throws: NightFileError.unsuitableName) { try files.write([1], name: name, from: Self.address) }
        #expect(throws: NightFileError.unsuitableName) { try files.write([1], name: "a", from: name) }
        #expect(throws: NightFileError.unsuitableName) { try files.read(name: name, from: Self.address) }
        #expect(try folder.names().isEmpty)
    }

    @Test("that cannot be written say so, and change nothing")
    func unwritable() throws {
        _ = try folder.write("no folder", to: "nights")
        #expect {
            try files.write([1], name: "a", from: Self.address)
        } throws: { error in
            guard case NightFileError.file(.noFolder)? = error as? NightFileError else { return false }
            return "\(error)".contains("\(folder.path)/nights")
        }
        #expect(try folder.names() == ["nights"])
    }
}
