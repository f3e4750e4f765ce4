import Foundation
import TestSupport
import Testing

@testable import Configuration

@Suite("Invalid configurations")
struct InvalidFileTests {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Invalid")

    static let names =
        (try? FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".toml") }.sorted())
        ?? []

    @Test("each is refused with line, column, reason and what helps, as reviewed")
    func sentences() throws {
        #expect(Self.names.count > 40)
        var text = ""
        for name in Self.names {
            let bytes = try [UInt8](Data(contentsOf: Self.folder.appending(path: name)))
            let mistakes = try #require(throws: ConfigurationErrors.self, "\(name)") {
                _ = try Settings(ConfigurationDocument(bytes: bytes))
            }
            text += mistakes.text(file: name)
        }
        try expectGolden(text, "invalid.txt")
    }
}
