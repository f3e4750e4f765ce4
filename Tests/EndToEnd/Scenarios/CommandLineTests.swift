import Glibc
import Testing

@Suite("The command line")
struct CommandLineTests {
    @Test("answers what can be asked without sensors", arguments: ["--help", "--version", "--man"])
    func questions(option: String) async throws {
        let outcome = try await ProgramWithPipes.run([option])
        #expect(outcome.status == .exited(0))
        #expect(outcome.errorOutput.isEmpty)
        #expect(outcome.output.lowercased().contains("bedside"))
    }

    @Test(
        "explains a mistake in one sentence",
        arguments: [
            (["--conect", "all"], "did you mean '--connect'?"), (["wacth"], "did you mean 'watch'?"),
            (["--connect"], "needs a value"), (["watch", "--json", "--for", "soon"], "'soon' is not a length of time"),
            (["watch", "--json", "--count", "-1"], "'-1' is not a number of readings"),
            (["--glyphs", "runes"], "braille"), (["help", "wacth"], "did you mean 'watch'?"),
            (["completions", "fihs"], "did you mean 'fish'?"), (["completions"], "bash, zsh, fish"),
        ])
    func mistakes(arguments: [String], words: String) async throws {
        let bedside = try await ProgramInTerminal.start(arguments)
        #expect(try await bedside.waitForExit() == .exited(64))
        let screen = await bedside.screen
        #expect(screen.text.contains(words), "\(screen.text)")
        #expect(!screen.modes.isAlternateScreen)
    }

    @Test("prints the help of a command in either way", arguments: ["watch", "help", "completions"])
    func help(command: String) async throws {
        let option = try await ProgramWithPipes.run([command, "--help"])
        let outcome = try await ProgramWithPipes.run(["help", command])
        #expect(outcome.status == .exited(0))
        #expect(outcome.output == option.output)
        #expect(outcome.output.hasPrefix("Usage: bedside \(command) "))
        #expect(try await ProgramWithPipes.run(["help"]).output == ProgramWithPipes.run(["--help"]).output)
    }

    @Test("needs a terminal for the screen, and names what needs none")
    func noTerminal() async throws {
        let outcome = try await ProgramWithPipes.run([])
        #expect(outcome.status == .exited(64))
        #expect(outcome.output.isEmpty)
        #expect(outcome.errorOutput.contains("terminal"))
        #expect(outcome.errorOutput.contains("bedside watch"))
        #expect(outcome.errorOutput.split(separator: "\n").count == 1)
    }

    @Test("needs a terminal that it knows")
    func unknownTerminal() async throws {
        let bedside = try await ProgramInTerminal.start(environment: ["TERM": "no-such-terminal"])
        guard case .exited(let status) = try await bedside.waitForExit() else {
            Issue.record("the program was killed")
            return
        }
        #expect(status != 0)
        #expect(await bedside.screen.text.contains("no-such-terminal"))
        #expect(await bedside.damageToTerminal.isEmpty)
    }

    @Test("reports file, line and field of an error in a scenario")
    func scenarioMistake() async throws {
        let folder = try TemporaryFolder()
        let text = """
            {
              sensors: [
                { name: 'A', address: 'C0:52:49:00:00:01', kind: 'thermometer', temprature: 37 },
              ],
            }
            """
        let file = try folder.write(text, to: "ward.json5")
        for arguments in [["simulate", file], ["watch", "--json", "--simulate=\(file)"]] {
            let outcome = try await ProgramWithPipes.run(arguments)
            #expect(outcome.status == .exited(65))
            #expect(outcome.errorOutput.contains("ward.json5:3"), "\(outcome.errorOutput)")
            #expect(outcome.errorOutput.contains("temprature"), "\(outcome.errorOutput)")
        }
        let missing = try await ProgramWithPipes.run(["simulate", folder.path + "/none.json5"])
        #expect(missing.status == .exited(66))
        #expect(missing.errorOutput.contains("none.json5"))
    }

    @Test("simulate ends its bus and leaves nothing behind")
    func simulateEnds() async throws {
        let world = try await World.simulated("steady")
        let path = try #require(world.address.firstMatch(of: /unix:path=([^,]+)/)?.1)
        #expect(access(String(path), F_OK) == 0)
        try await world.endSimulator()
        #expect(access(String(path), F_OK) != 0)
    }

    @Test("watch ends after as many readings as --count says, and labels what is simulated")
    func count() async throws {
        let outcome = try await ProgramWithPipes.run([
            "watch", "--json", "--simulate=steady", "--connect", "all", "--count", "5",
        ])
        #expect(outcome.status == .exited(0))
        let lines = try outcome.output.split(separator: "\n").map { try WatchLine(String($0)) }
        #expect(lines.count { $0.event == "reading" } == 5)
        #expect(lines.allSatisfy { $0.fields["simulated"] as? Bool == true })
    }
}
