import Foundation
import HealthDevices
import TestSupport
import Testing

private let strap = BluetoothAddress(rawValue: 0xC052_4900_0002)

@Suite("Files of lists")
struct StoredListFileTests {
    private struct Refused: Error {}

    private func withFile(_ body: (StoredListFile<RememberedDevices>, URL) throws -> Void) throws {
        let folder = try ScratchFolder()
        let path = URL(filePath: "\(folder.path)/new/devices.json")
        try body(StoredListFile(path.path), path)
    }

    private func mode(_ path: URL) throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: path.path)[.posixPermissions] as? Int)
    }

    @Test("a file that is not there is an empty list, and is made for its user alone by the first change")
    func first() throws {
        try withFile { file, path in
            #expect(try file.read() == RememberedDevices())
            try file.update { #expect($0.devices.isEmpty) }
            #expect(!FileManager.default.fileExists(atPath: path.path))
            try file.update { try $0.remember(strap, named: "Strap", kind: "HeartRateSensor", at: 1) }
            #expect(try file.read()[strap]?.name == "Strap")
            #expect(try mode(path) == 0o600)
            #expect(try mode(path.deletingLastPathComponent()) == 0o700)
            #expect(try file.update { $0.forget(strap)?.name } == "Strap")
            #expect(try file.read() == RememberedDevices())
        }
    }

    @Test("a change that fails leaves the file as it was")
    func failedChange() throws {
        try withFile { file, path in
            try file.update { try $0.remember(strap, named: "Strap", kind: "HeartRateSensor", at: 1) }
            let before = try Data(contentsOf: path)
            #expect(throws: Refused.self) {
                try file.update {
                    $0.forget(strap)
                    throw Refused()
                }
            }
            #expect(throws: RememberingError.noName) { try file.update { try $0.rename(strap, to: "\u{200B}") } }
            #expect(try Data(contentsOf: path) == before)
        }
    }

    @Test(
        "a file that is no such list gives an error that names it, and is left alone",
        arguments: [
            "", "no JSON", #"{"format":"measurements to confirm","version":1,"content":{}}"#,
            #"{"format":"remembered devices","version":9,"content":{}}"#,
            #"{"format":"remembered devices","version":1,"content":{"devices":[{}]}}"#,
            String(repeating: " ", count: (1 << 20) + 1),
        ])
    func unusable(content: String) throws {
        try withFile { file, path in
            try FileManager.default.createDirectory(
                at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(content.utf8).write(to: path)
            var wasCalled = false
            for read in [{ _ = try file.read() }, { try file.update { _ in wasCalled = true } }] {
                do {
                    try read()
                    Issue.record("it was read")
                } catch let error as StoredListFileError {
                    #expect("\(error)".contains("devices.json") && "\(error)".hasSuffix("Move it away to begin anew."))
                }
            }
            #expect(!wasCalled)
            #expect(try Data(contentsOf: path) == Data(content.utf8))
        }
    }

    @Test("a folder in the place of the file is an error")
    func folder() throws {
        try withFile { file, path in
            try FileManager.default.createDirectory(at: path, withIntermediateDirectories: true)
            #expect(throws: StoredListFileError.self) { try file.read() }
            #expect(throws: StoredListFileError.self) {
                try file.update { try $0.remember(strap, named: "Strap", kind: "HeartRateSensor", at: 1) }
            }
        }
    }

    @Test("changes at the same time are all kept")
    func together() async throws {
        let folder = try ScratchFolder()
        let file = StoredListFile<RememberedDevices>("\(folder.path)/devices.json")
        try await withThrowingTaskGroup { group in
            for number in 0..<20 {
                group.addTask {
                    let address = BluetoothAddress(rawValue: UInt64(number))
                    try file.update { try $0.remember(address, named: "\(number)", kind: "Kind", at: 0) }
                }
            }
            try await group.waitForAll()
        }
        #expect(try Set(file.read().devices.map(\.name)) == Set((0..<20).map { "\($0)" }))
    }

    @Test("a file is named by its program")
    func named() throws {
        let file = try StoredListFile<PendingMeasurements>(named: "measurements.json", of: "pulse")
        #expect(file.path.hasSuffix("/pulse/measurements.json") && file.path.hasPrefix("/"))
    }
}
