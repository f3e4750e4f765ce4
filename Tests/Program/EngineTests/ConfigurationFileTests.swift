import Configuration
import Foundation
import Glibc
import TestSupport
import Testing

@testable import Engine

@Suite("Keeping settings in a file")
struct ConfigurationFileTests {
    private func changed(_ file: ConfigurationFile) throws -> (old: Settings, new: Settings) {
        let old = try file.read()?.settings ?? Settings()
        var new = old
        new.screen.bed = "12"
        return (old, new)
    }

    private func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    @Test("makes TOML of a file of the form before, and keeps that file")
    func oldForm() throws {
        let folder = try ScratchFolder()
        let path = folder.path + "/ward.conf"
        try "[screen]\nunits = fahrenheit # hers\n".write(toFile: path, atomically: true, encoding: .utf8)
        let file = ConfigurationFile(path: path)
        let (old, new) = try changed(file)
        try file.save(changesFrom: old, to: new)
        #expect(try text(path).hasPrefix("[screen]\nunits = \"fahrenheit\" # hers\n"))
        #expect(try text(path).hasSuffix("\nbed = \"12\"\n"))
        #expect(try text(path + ".before-toml") == "[screen]\nunits = fahrenheit # hers\n")
        // What is TOML needs no copy.
        try file.save(changesFrom: new, to: old)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 2)
        // A second old file does not replace the first copy.
        try "[screen]\nunits = celsius\n".write(toFile: path, atomically: true, encoding: .utf8)
        let (second, next) = try changed(file)
        try file.save(changesFrom: second, to: next)
        #expect(try text(path + ".before-toml-2") == "[screen]\nunits = celsius\n")
    }

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
            #expect(throws: ConfigurationFileError.self) {
                try ConfigurationFile(path: path).save(changesFrom: Settings(), to: new)
            }
            #expect(try text(path) == content)
        }
    }
}
