import CommandLineInterface
import Glibc
import TestSupport
import Testing

@Suite("The command line", .startsPrograms)
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

    @Test("fits help into the terminal, or into what COLUMNS says; without a terminal into 80 columns")
    func width() async throws {
        func widest(_ environment: [String: String]) async throws -> Int {
            let text = try await ProgramWithPipes.run(["help", "watch"], environment: environment).output
            return text.split(separator: "\n").map(\.count).max() ?? 0
        }
        #expect(try await (75...80).contains(widest([:])))
        #expect(try await (95...100).contains(widest(["COLUMNS": "100"])))
        #expect(try await widest(["COLUMNS": "nonsense"]) == widest([:]))
        // Each line of the terminal ends where the text does: none was broken.
        let narrow = try await ProgramInTerminal.start(["help", "help"], columns: 50, rows: 40)
        #expect(try await narrow.waitForExit() == .exited(0))
        let lines = await narrow.screen.text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        let help = HelpText.text(for: .help, width: 50).split(separator: "\n").map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        #expect(lines.filter { !$0.isEmpty } == help)
    }

    @Test("has colours where --color or the terminal says so, and NO_COLOR does not", arguments: ["doctor", "decode"])
    func colors(command: String) async throws {
        let words = command == "decode" ? ["decode", "--explain", "2A37", "064D"] : [command]
        func isColored(_ more: [String], _ environment: [String: String] = [:]) async throws -> Bool {
            try await ProgramWithPipes.run(words + more, environment: environment).output.contains("\u{1B}[")
        }
        #expect(try await !isColored([]))
        #expect(try await isColored(["--color", "always"], ["NO_COLOR": "1"]))
        #expect(try await !isColored(["--color=never"]))
        for (more, environment, expected) in [
            ([], [:], true), ([], ["NO_COLOR": "1"], false), ([], ["TERM": "dumb"], false),
            (["--color=never"], [:], false), (["--color=always"], ["NO_COLOR": "1"], true),
        ] as [([String], [String: String], Bool)] {
            let shown = try await ProgramInTerminal.start(words + more, environment: environment)
            _ = try await shown.waitForExit()
            #expect(await shown.hasWritten("\u{1B}[") == expected, "\(environment)")
        }
    }

    @Test("shows pages by a pager only where --pager asks for it, in colour, and says when there is none")
    func pager() async throws {
        let folder = try TemporaryFolder()
        // Not run as a program: a process that starts beside this test may have it open for writing for a moment.
        let script = try folder.write("echo PAGED; cat\n", to: "pager")
        let pager = "sh \(script)"
        let words = ["decode", "--explain", "2A37", "064D"]
        func shown(_ words: [String], _ pager: String) async throws -> (
            text: String, isColored: Bool, status: ExitStatus
        ) {
            let program = try await ProgramInTerminal.start(words, environment: ["PAGER": pager])
            let status = try await program.waitForExit()
            return await (program.screen.text, program.hasWritten("\u{1B}["), status)
        }
        let asked = try await shown(words + ["--pager"], pager)
        #expect(asked.text.contains("PAGED") && asked.isColored, "\(asked.text)")
        #expect(asked.status == .exited(0))
        #expect(try await !shown(words, pager).text.contains("PAGED"))
        // The status is the command's own.
        #expect(try await shown(["decode", "--explain", "2A37", "", "--pager"], pager).status == .exited(65))
        let missing = try await shown(["help", "--pager"], "/no/such/pager")
        #expect(missing.text.contains("There is no pager") && missing.status == .exited(69), "\(missing.text)")
        let closed = try await shown(["help", "--pager"], script)
        #expect(closed.text.contains("There is no pager") && closed.status == .exited(69), "\(closed.text)")
        // Without a terminal nobody could turn pages.
        let piped = try await ProgramWithPipes.run(["help", "--pager"], environment: ["PAGER": pager])
        #expect(piped.output.hasPrefix("Usage: bedside"))
    }

    @Test("suggests the intended one for every option whose value is one of some words")
    func misspelledValues() async throws {
        var count = 0
        for subcommand in Subcommand.allCases {
            for option in subcommand.options {
                guard let word = option.completion.words.max(by: { $0.count < $1.count }),
                    !option.completion.takesFiles, word.count >= 4
                else { continue }
                // Two letters exchanged, such as "dakr".
                let typo = String(word.dropLast(2)) + String(word.suffix(2).reversed())
                let own = subcommand.isDefault ? [] : [subcommand.rawValue]
                let more = subcommand == .decode ? ["2A37", "064D"] : []
                let outcome = try await ProgramWithPipes.run(own + ["--\(option.name)=\(typo)"] + more)
                let place = "\(subcommand) --\(option.name)=\(typo): \(outcome.errorOutput)"
                #expect([.exited(64), .exited(78)].contains(outcome.status), "\(place)")
                #expect(outcome.errorOutput.contains("did you mean"), "\(place)")
                #expect(outcome.errorOutput.contains(word), "\(place)")
                count += 1
            }
        }
        #expect(count > 20)
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
