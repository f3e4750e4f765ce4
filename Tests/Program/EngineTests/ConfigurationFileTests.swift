import Configuration
import Foundation
import Glibc
import TestSupport
import Testing

@testable import Engine

@Suite("Keeping settings in a file")
struct ConfigurationFileTests {
    private func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    @Test("leaves a file alone that is read-only, or wrong by now")
    func untouched() throws {
        let folder = try ScratchFolder()
        let path = folder.path + "/ward.toml"
        for (content, mode) in [("[screen]\nbed = \"1\"\n", mode_t(0o444)), ("[screen]\nbed = 1\n", 0o600)] {
            unlink(path)
            try content.write(toFile: path, atomically: true, encoding: .utf8)
            #expect(chmod(path, mode) == 0)
            var new = Settings()
            new.screen.bed = "12"
            let error = #expect(throws: ConfigurationFileError.self) {
                try ConfigurationFile(path: path).save(changesFrom: Settings(), to: new)
            }
            let isReadOnly = error?.sentences.first?.hasPrefix("\(path) is read-only. It is used as it is") == true
            #expect(isReadOnly == (mode == 0o444))
            #expect(try text(path) == content)
        }
    }
}
