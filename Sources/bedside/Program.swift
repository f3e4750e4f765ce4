import CommandLineTool
import Glibc

/// The program: what each subcommand does.
enum Program {
    /// Runs the command line that follows the program's name.
    static func run(_ words: [String]) -> ExitStatus {
        // A closed pipe is an error of the write, not the end of the program.
        signal(SIGPIPE, SIG_IGN)
        let arguments: CommandLineArguments
        do {
            arguments = try CommandLineArguments(parsing: words)
        } catch {
            complain(error.description)
            return .usage
        }
        if arguments.has(.help) { return printText(HelpText.text(for: arguments.subcommand)) }
        if arguments.has(.version) { return printText("bedside \(Product.version)\n") }
        if arguments.has(.manual) { return printText(ManualPage.text()) }
        return .success
    }
}
