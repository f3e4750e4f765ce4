import CommandLineInterface

/// `bedside help`: the help of a subcommand.
enum HelpCommand {
    /// Prints the help of the subcommand that the operand names.
    static func run(_ arguments: CommandLineArguments) throws(CommandError) -> ExitStatus {
        guard let name = arguments.operands.first else { return printText(HelpText.text(for: .dashboard)) }
        guard let subcommand = Subcommand(rawValue: name) else {
            let hint = UsageError.hint(name, Subcommand.allCases.map(\.rawValue))
            throw arguments.mistake("there is no command '\(name)'\(hint)")
        }
        return printText(HelpText.text(for: subcommand))
    }
}
