import Foundation
import TestSupport
import Testing

@Suite("What is installed", .startsPrograms)
struct InstalledFilesTests {
    private static let script = "\(#filePath)".components(separatedBy: "/Tests/EndToEnd/")[0] + "/.make/install"

    /// The paths of all files below a folder, from there.
    private static func files(below folder: String) throws -> [String: Int] {
        var files: [String: Int] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder) {
            let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(path)")
            guard attributes[.type] as? FileAttributeType != .typeDirectory else { continue }
            files["/" + path] = attributes[.posixPermissions] as? Int
        }
        return files
    }

    private func make(_ action: String, _ destination: String) async throws -> String {
        let outcome = try await ProgramWithPipes.run(
            [action, Harness.program, destination, "/opt/bed side"], program: Self.script)
        #expect(outcome.status == .exited(0), "\(outcome.errorOutput)")
        #expect(outcome.errorOutput.isEmpty, "\(outcome.errorOutput)")
        return outcome.output
    }

    @Test("is what the list says, twice in the same place, and is removed without the files of others")
    func list() async throws {
        let folder = try TemporaryFolder()
        let other = folder.path + "/opt/bed side/share/applications"
        try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
        try Data().write(to: URL(filePath: other + "/other.desktop"))
        let listed = try await make("list", folder.path).split(separator: "\n").map(String.init)
        #expect(listed.count >= 11)
        for _ in 1...2 {
            _ = try await make("install", folder.path)
            var files = try Self.files(below: folder.path)
            files["/opt/bed side/share/applications/other.desktop"] = nil
            #expect(Set(files.keys) == Set(listed))
            for (path, mode) in files { #expect(mode == (path.hasSuffix("/bin/bedside") ? 0o755 : 0o644), "\(path)") }
        }
        let installed = folder.path + "/opt/bed side"
        let version = try await ProgramWithPipes.run(["--version"], program: installed + "/bin/bedside")
        #expect(version.output.hasPrefix("bedside "))
        func text(_ path: String) throws -> String {
            try String(contentsOfFile: "\(installed)/share/\(path)", encoding: .utf8)
        }
        #expect(try text("systemd/user/bedside.service").contains("ExecStart=\"/opt/bed side/bin/bedside\" record\n"))
        #expect(
            try text("systemd/user/bedside@.service").contains(
                "ExecStart=\"/opt/bed side/bin/bedside\" record --patient=%i\n"))
        #expect(try text("man/man5/bedside.toml.5").hasPrefix(".TH BEDSIDE.TOML 5 "))
        #expect(try text("man/man5/bedside-scenario.5").hasPrefix(".TH BEDSIDE\\-SCENARIO 5 "))
        #expect(try text("metainfo/io.bedside.bedside.metainfo.xml").contains("<binary>bedside</binary>"))
        #expect(try text("man/man1/bedside.1").hasPrefix(".TH BEDSIDE 1 "))
        #expect(try text("bash-completion/completions/bedside").contains("complete -F _bedside bedside"))
        #expect(try text("zsh/site-functions/_bedside").hasPrefix("#compdef bedside\n"))
        #expect(try text("applications/bedside.desktop").contains("Terminal=true\n"))
        _ = try await make("uninstall", folder.path)
        #expect(
            try Self.files(below: folder.path).keys.elementsEqual(["/opt/bed side/share/applications/other.desktop"]))
    }

    @Test("is nothing where it is neither installed nor removed")
    func otherAction() async throws {
        let folder = try TemporaryFolder()
        let outcome = try await ProgramWithPipes.run(["-", "-", folder.path, "/usr"], program: Self.script)
        #expect(outcome.status == .exited(64))
        #expect(try Self.files(below: folder.path).isEmpty)
    }
}
