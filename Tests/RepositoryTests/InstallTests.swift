import Foundation
import TestSupport
import Testing

@Suite("What is installed")
struct InstallTests {
    /// What the rule `install` of the Makefile does.
    private static func recipe() throws -> [Substring] {
        let lines = try Repository.text("Makefile").split(separator: "\n", omittingEmptySubsequences: false)
        let start = try #require(lines.firstIndex { $0.hasPrefix("install:") })
        return Array(lines[(start + 1)...].prefix { $0.hasPrefix("\t") })
    }

    @Test("is linked with all symbols bound at its start and no folder for libraries, and refused otherwise")
    func linking() throws {
        let makefile = try Repository.text("Makefile").replacing("\\\n\t", with: "")
        let options = try #require(makefile.split(separator: "\n").first { $0.hasPrefix("STATIC := ") })
        for option in [
            "--static-swift-stdlib", "--disable-local-rpath", "-Xlinker -z -Xlinker now", "$(HARDENED)",
            "$(REPRODUCIBLE)",
        ] {
            #expect(options.contains(option))
        }
        let recipe = try Self.recipe()
        let check = try #require(recipe.firstIndex { $0.contains(".make/check-binary $(PROGRAM)") })
        let install = try #require(recipe.firstIndex { $0.contains(".make/install install $(PROGRAM)") })
        #expect(check < install)
    }

    @Test("has the functions of modules that exist behind the others, each by the name that its symbols have")
    func seldomRun() throws {
        let script = try Repository.text(".make/seldom.ld")
        let modules = Set(try DescribedModule.all().map(\.name))
        let lines = script.matches(of: /\*(\w+)\.build\/\*\(\.text\.\$s(\d+)(\w+)\*\)/)
        #expect(lines.count > 5)
        for line in lines {
            let (_, folder, count, name) = line.output
            #expect(folder == name && Int(count) == name.count && modules.contains(String(name)), "\(folder)")
        }
    }

    /// How the check of a program ends.
    private static func check(_ program: String) throws -> (status: Int32, errorOutput: String) {
        let process = Process()
        process.executableURL = Repository.root.appending(path: ".make/check-binary")
        process.arguments = [program]
        let errors = Pipe()
        process.standardError = errors
        try process.run()
        let errorOutput = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, errorOutput)
    }

    @Test("is checked by what is in the file")
    func check() throws {
        // Every program of the tests is linked with folders of its own to look for libraries in.
        let tests = try #require(
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
        let (status, errorOutput) = try Self.check(tests)
        if errorOutput.contains("no readelf") { return print("NOT CHECKED: linking, because there is no readelf") }
        #expect(status == 70)
        #expect(errorOutput.contains("RUNPATH"))
        // Debian's own programs are linked as ours must be.
        #expect(try Self.check("/bin/sh") == (0, ""))
    }

    @Test(
        "is refused for each property that it lacks",
        arguments: [
            (["-no-pie"], "no PIE"), (["-Wl,-z,lazy"], "not bound"), (["-Wl,-z,norelro"], "RELRO"),
            (["-Wl,-z,execstack"], "stack is executable"), (["-Wl,-rpath,/opt"], "RUNPATH"),
            (["-fno-stack-protector"], "stack protector"), (["-U_FORTIFY_SOURCE"], "_FORTIFY_SOURCE"), ([], ""),
        ])
    func refusals(options: [String], reason: String) throws {
        let folder = try ScratchFolder()
        let source = try folder.write(
            """
            #include <stdio.h>
            int main(int count, char **words) {
                char text[16];
                snprintf(text, sizeof text, "%d%s", count, words[0]);
                return text[0];
            }

            """, to: "main.c")
        let compiler = Process()
        compiler.executableURL = URL(filePath: "/usr/bin/gcc")
        compiler.arguments =
            [
                "-O2", "-D_FORTIFY_SOURCE=2", "-fstack-protector-strong", "-pie", "-fPIE", "-Wl,-z,relro,-z,now", "-o",
                folder.path + "/main",
            ] + options + [source]
        guard (try? compiler.run()) != nil else {
            return print("NOT CHECKED: the refusal of programs, because there is no gcc")
        }
        compiler.waitUntilExit()
        try #require(compiler.terminationStatus == 0)
        let (status, errorOutput) = try Self.check(folder.path + "/main")
        if errorOutput.contains("no readelf") { return print("NOT CHECKED: linking, because there is no readelf") }
        #expect(status == (reason.isEmpty ? 0 : 70), "\(errorOutput)")
        #expect(errorOutput.contains(reason) || reason.isEmpty, "\(errorOutput)")
    }
}
