import CommandLineInterface

/// `bedside completions`: the completion of the command line for a shell.
enum CompletionsCommand {
    /// Prints the script for the shell that the operand names.
    static func run(_ arguments: CommandLineArguments) throws(CommandError) -> ExitStatus {
        let names = Shell.allCases.map(\.rawValue)
        guard let name = arguments.operands.first else {
            throw arguments.mistake("say for which shell: \(names.joined(separator: ", "))")
        }
        guard let shell = Shell(rawValue: name) else {
            throw arguments.mistake("there is no completion for '\(name)'\(UsageError.hint(name, names))")
        }
        return printText(shell.completionScript)
    }
}
