import Testing

@testable import CommandLineInterface

@Suite("The command line")
struct CommandLineArgumentsTests {
    @Test("nothing at all means the dashboard")
    func empty() throws {
        let arguments = try CommandLineArguments(parsing: [])
        #expect(arguments.subcommand == .dashboard)
        #expect(arguments.options.isEmpty)
    }

    @Test("options are found with their values, wherever they stand")
    func options() throws {
        let arguments = try CommandLineArguments(
            parsing: ["watch", "--json", "--connect", "all", "-c", "Polar H10", "--simulate=ward.json5", "--count=3"])
        #expect(arguments.subcommand == .watch)
        #expect(arguments.has(.json))
        #expect(arguments.values(of: .connect) == ["all", "Polar H10"])
        #expect(arguments.value(of: .simulate) == "ward.json5")
        #expect(arguments.value(of: .count) == "3")
        #expect(arguments.operands.isEmpty)
    }

    @Test("an optional value that is left out is none, and the next word is no value of it")
    func optionalValue() throws {
        let arguments = try CommandLineArguments(parsing: ["--simulate", "--bed", "Bed 12"])
        #expect(arguments.has(.simulate))
        #expect(arguments.value(of: .simulate) == nil)
        #expect(arguments.value(of: .bed) == "Bed 12")
    }

    @Test("dashes alone are operands")
    func dashes() throws {
        let arguments = try CommandLineArguments(parsing: ["decode", "-", "-"])
        #expect(arguments.operands == ["-", "-"])
    }

    @Test("help needs nothing else to be right")
    func help() throws {
        #expect(try CommandLineArguments(parsing: ["decode", "--help"]).has(.help))
        #expect(try CommandLineArguments(parsing: ["decode", "-h", "2A37"]).has(.help))
    }

    @Test(
        "what cannot be understood gets one sentence",
        arguments: [
            (["--connct", "x"], "there is no option '--connct'; did you mean '--connect'? (see bedside --help)"),
            (["--hepl"], "there is no option '--hepl'; did you mean '--help'? (see bedside --help)"),
            (["watch", "--jsno"], "there is no option '--jsno'; did you mean '--json'? (see bedside watch --help)"),
            (
                ["--simulate", "x.json5"],
                "'x.json5' is one argument too many; did you mean '--simulate=x.json5'? (see bedside --help)"
            ),
            (
                ["watch", "--connect", "all", "--simulate", "x.json5"],
                "'x.json5' is one argument too many; did you mean '--simulate=x.json5'? (see bedside watch --help)"
            ),
            (["--fahrenheit", "x"], "'x' is one argument too many (see bedside --help)"),
            (["watc"], "there is no command 'watc'; did you mean 'watch'? (see bedside --help)"),
            (["xyzzy"], "there is no command 'xyzzy' (see bedside --help)"),
            (["-x"], "there is no option '-x' (see bedside --help)"),
            (["--connect"], "the option --connect needs a value: --connect NAME (see bedside --help)"),
            (["-c"], "the option --connect needs a value: --connect NAME (see bedside --help)"),
            (["--json"], "there is no option '--json' (see bedside --help)"),
            (["watch", "--for"], "the option --for needs a value: --for TIME (see bedside watch --help)"),
            (["--fahrenheit=3"], "the option --fahrenheit takes no value (see bedside --help)"),
            (["--co", "x"], "the option --co could mean --connect, --color, --colors, --config (see bedside --help)"),
            (["simulate", "a", "b"], "'b' is one argument too many (see bedside simulate --help)"),
            (["--", "x"], "'x' is one argument too many (see bedside --help)"),
        ])
    func mistakes(_ words: [String], _ sentence: String) {
        let error = #expect(throws: UsageError.self) { try CommandLineArguments(parsing: words) }
        #expect(error?.description == sentence)
    }
}
