import Foundation
import Glibc
import TestSupport
import Testing

@Suite("The configuration file", .startsPrograms)
struct ConfigurationTests {
    /// Where the program looks when `XDG_CONFIG_HOME` names a folder, with a file in it.
    private func folder(with text: String? = nil) throws -> (TemporaryFolder, [String: String]) {
        let folder = try TemporaryFolder()
        if let text {
            try FileManager.default.createDirectory(atPath: folder.path + "/bedside", withIntermediateDirectories: true)
            _ = try folder.write(text, to: "bedside/bedside.toml")
        }
        return (folder, ["XDG_CONFIG_HOME": folder.path])
    }

    @Test("is printed with its usual values, and that is right")
    func printAndCheck() async throws {
        let printed = try await ProgramWithPipes.run(["config"])
        #expect(printed.status == .exited(0))
        #expect(printed.output.contains("\n[fever]\n"))
        let (folder, environment) = try folder(with: printed.output)
        defer { withExtendedLifetime(folder) {} }
        let path = try await ProgramWithPipes.run(["config", "path"], environment: environment)
        #expect(path.output == folder.path + "/bedside/bedside.toml\n")
        let checked = try await ProgramWithPipes.run(["config", "check"], environment: environment)
        #expect(checked.status == .exited(0))
        #expect(checked.output == folder.path + "/bedside/bedside.toml is valid.\n")
    }

    @Test("may be missing, but not when it is named")
    func missing() async throws {
        let (folder, environment) = try folder()
        defer { withExtendedLifetime(folder) {} }
        let usual = try await ProgramWithPipes.run(["config", "check"], environment: environment)
        #expect(usual.status == .exited(0))
        #expect(usual.output.contains("all settings have their defaults"))
        for arguments in [["config", "check", folder.path + "/none"], ["--config", folder.path + "/none"]] {
            let named = try await ProgramWithPipes.run(arguments, environment: environment)
            #expect(named.status == .exited(66))
            #expect(named.errorOutput.contains("There is no file \(folder.path)/none."))
        }
    }

    @Test("that is wrong is refused with file, line, column and reason, and nothing starts")
    func wrong() async throws {
        let (folder, environment) = try folder(with: "[fever]\n# early\nthreshold = 37.5\n\n[screeen]\n")
        defer { withExtendedLifetime(folder) {} }
        for arguments in [[], ["watch", "--json", "--simulate=steady"]] {
            let outcome = try await ProgramWithPipes.run(arguments, environment: environment)
            #expect(outcome.status == .exited(78), "\(arguments)")
            #expect(outcome.output.isEmpty)
            #expect(
                outcome.errorOutput.hasPrefix(
                    "bedside: \(folder.path)/bedside/bedside.toml:5:2: there is no section [screeen]; did you mean"))
            #expect(outcome.errorOutput.contains("--no-config"))
        }
        let checked = try await ProgramWithPipes.run(["config", "check"], environment: environment)
        #expect(checked.status == .exited(78))
    }

    @Test("that is wrong does not hold up who starts without it")
    func without() async throws {
        let (folder, environment) = try folder(with: "nonsense\n")
        defer { withExtendedLifetime(folder) {} }
        let outcome = try await ProgramWithPipes.run(
            ["watch", "--json", "--simulate=steady", "--no-config", "--connect", "all", "--count", "1"],
            environment: environment)
        #expect(outcome.status == .exited(0))
        #expect(outcome.errorOutput.isEmpty, "\(outcome.errorOutput)")
    }

    @Test("decides what is connected; the command line goes before it")
    func connects() async throws {
        let (folder, environment) = try folder(with: "[sensors]\nconnect = [\"all\"]\n[screen]\nbed = \"Bed 7\"\n")
        defer { withExtendedLifetime(folder) {} }
        let outcome = try await ProgramWithPipes.run(
            ["watch", "--json", "--simulate=steady", "--count", "1"], environment: environment)
        #expect(outcome.status == .exited(0), "\(outcome.errorOutput)")

        let bedside = try await ProgramInTerminal.start(
            ["--simulate=steady", "--set", "screen.units=fahrenheit"], environment: environment)
        _ = try await bedside.waitFor("Bed 7")
        _ = try await bedside.waitFor("°F")
    }

    @Test(
        "on the command line a setting is checked as in the file",
        arguments: [
            ("fever.treshold=38", "did you mean 'fever.threshold'?"), ("fever.threshold", "SETTING=VALUE"),
            ("fever.threshold=100.4", "from 35.0 to 42.0"), ("fever.threshold=37", "must not be below"),
        ])
    func assignments(text: String, words: String) async throws {
        let outcome = try await ProgramWithPipes.run(["watch", "--json", "--set", text])
        #expect(outcome.status == .exited(64))
        #expect(outcome.errorOutput.contains(words), "\(outcome.errorOutput)")
    }
}
