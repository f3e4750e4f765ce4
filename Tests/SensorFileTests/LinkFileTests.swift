import TestSupport
import Testing
import UserFiles
import Vitals

@testable import SensorFile

@Suite("The file of links that are ours")
struct LinkFileTests {
    private let folder: ScratchFolder
    private let file: LinkFile

    init() throws {
        folder = try ScratchFolder()
        let path = folder.path
        file = LinkFile(
            in: try UserDirectories(for: "bedside", environment: { _ in path }, accountHome: { nil }))
    }

    @Test("gives back what was put into it, the last time only")
    func kept() throws {
        #expect(file.load() == [])
        let links = ["C0:52:49:00:00:02", "C0:52:49:00:00:03"].map {
            OwnedLink(address: $0, bus: "0123456789abcdef", daemon: ":1.3", client: ":1.7")
        }
        try file.save(links)
        #expect(file.load() == links)
        try file.save([])
        #expect(file.load() == [])
    }

    @Test(
        "is as good as none when it is broken, and an entry that lacks something is left out",
        arguments: [
            "", "{", "[]", "null", #"{"links":{}}"#, #"{"version":1,"links":[1,null,{},[]]}"#,
            #"{"links":[{"address":"C0:52:49:00:00:02","bus":"b","daemon":":1.3"}]}"#,
            #"{"links":[{"address":"C0:52:49:00:00:02","bus":"b","daemon":":1.3","client":""}]}"#,
            String(repeating: "[", count: 100_000),
        ])
    func broken(text: String) throws {
        try PrivateFile.replace(file.path, with: Array(text.utf8))
        #expect(file.load() == [])
        try PrivateFile.replace(file.path, with: [0xFF, 0xFE, 0x00])
        #expect(file.load() == [])
    }

    @Test("of a simulator is another one")
    func simulated() throws {
        let path = folder.path
        let simulated = LinkFile(
            in: try UserDirectories(for: "bedside", environment: { _ in path }, accountHome: { nil }),
            isSimulated: true)
        #expect(simulated.path != file.path)
    }
}
