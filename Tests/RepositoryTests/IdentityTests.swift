import Foundation
import TestSupport
import Testing

/// What a program says that it was built from.
@Suite("What is built")
struct IdentityTests {
    private static let version = "1.2.3"

    /// Has a shell run commands in a folder, and returns their output.
    @discardableResult
    private static func run(_ commands: String, in folder: String) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-e", "-c", commands]
        process.currentDirectoryURL = URL(filePath: folder)
        // Nothing of the user's own git.
        process.environment = [
            "PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": folder, "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.org", "GIT_AUTHOR_DATE": "2026-01-02T03:04:05Z",
            "GIT_COMMITTER_NAME": "A", "GIT_COMMITTER_EMAIL": "a@example.org",
            "GIT_COMMITTER_DATE": "2026-01-02T03:04:05Z",
        ]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(commands)")
        return text.trimmingCharacters(in: .newlines)
    }

    @Test("is the same commit in a clone and in a source archive; changes and an unknown commit are said")
    func commits() throws {
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/git") else {
            return print("NOT CHECKED: the commit of what is built, because there is no git")
        }
        let scratch = try ScratchFolder()
        let clone = scratch.path + "/clone"
        let product = "Sources/Exchange/Formats"
        try Self.run("mkdir -p clone/.make clone/\(product) archive", in: scratch.path)
        for file in [".make/identity", ".make/commit", ".gitattributes"] {
            try FileManager.default.copyItem(
                at: Repository.root.appending(path: file), to: URL(filePath: "\(clone)/\(file)"))
        }
        try Self.run("echo '    static let version = \"\(Self.version)\"' >\(product)/Product.swift", in: clone)
        #expect(try Self.run(".make/identity words", in: clone) == "built from an unknown commit")

        try Self.run("git init --quiet . && git add --all && git commit --quiet --message First", in: clone)
        let commit = try Self.run("git rev-parse HEAD", in: clone)
        let words = "commit \(commit.prefix(12)) of 2026-01-02"
        #expect(try Self.run(".make/identity words", in: clone) == words)
        let identity = try Self.run(".make/identity", in: clone)
        #expect(identity.contains("label='\(Self.version)+git20260102030405.\(commit.prefix(8))'"))
        try Self.run("git archive HEAD | tar --extract --directory ../archive", in: clone)
        #expect(try Self.run(".make/identity", in: scratch.path + "/archive") == identity)
        #expect(try Self.run(".make/identity words", in: scratch.path + "/archive") == words)

        try Self.run("touch new", in: clone)
        #expect(try Self.run(".make/identity words", in: clone) == words + ", with changes")

        try Self.run("git tag v\(Self.version) && rm -r new ../archive && mkdir ../archive", in: clone)
        try Self.run("git archive HEAD | tar --extract --directory ../archive", in: clone)
        for folder in ["clone", "archive"] {
            let released = try Self.run(".make/identity", in: "\(scratch.path)/\(folder)")
            #expect(released.contains("\nlabel='\(Self.version)'"), "\(released)")
        }
    }
}
