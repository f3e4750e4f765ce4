import CommandLineInterface

/// `bedside help`: the help of a subcommand.
enum HelpCommand {
    /// Prints the help of the subcommand in the operand.
    ///
    /// - Throws: ``CommandError`` when there is no such subcommand.
    static func run(_ arguments: CommandLineArguments) throws(CommandError) -> ExitStatus {
        guard let name = arguments.operands.first else { return print(.dashboard) }
        guard let subcommand = Subcommand(rawValue: name) else {
            let hint = UsageError.hint(name, Subcommand.allCases.map(\.rawValue))
            throw arguments.mistake("there is no command '\(name)'\(hint)")
        }
        return print(subcommand)
    }

    /// Prints the help of a subcommand, as wide as standard output.
    static func print(_ subcommand: Subcommand) -> ExitStatus {
        printText(HelpText.text(for: subcommand, width: StandardOutput.width))
    }
}
