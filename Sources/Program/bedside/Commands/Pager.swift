import CommandLineInterface
import Glibc

/// The program that shows a text page by page; it runs only with `--pager`.
enum Pager {
    /// Runs a command with its standard output shown by the pager, until both have ended.
    ///
    /// - Parameters:
    ///   - arguments: The command line.
    ///   - body: The command; its command line has the colours of the terminal, which the pager hides from it.
    /// - Returns: The command's status.
    /// - Throws: ``CommandError`` of the command, or without a pager.
    static func show(
        _ arguments: CommandLineArguments,
        _ body: (CommandLineArguments) throws(CommandError) -> ExitStatus
    ) throws(CommandError) -> ExitStatus {
        guard arguments.has(.pager), StandardOutput.isTerminal else { return try body(arguments) }
        var inner = arguments
        if arguments.subcommand.options.contains(.color) {
            do throws(UsageError) {
                inner = arguments.adding(.color, value: try StandardOutput.showsColors(arguments) ? "always" : "never")
            } catch {
                throw CommandError(error)
            }
        }
        setenv("COLUMNS", String(StandardOutput.width), 1)
        // Colours are shown, a text that fits on one page is printed, and the text stays afterwards.
        setenv("LESS", "FRX", 0)
        guard let pipe = popen("${PAGER:-less}", "w") else { throw missing }
        let terminal = dup(STDOUT_FILENO)
        dup2(fileno(pipe), STDOUT_FILENO)
        // Ctrl-C belongs to the pager; when it ends, the next write fails.
        let interrupt = signal(SIGINT, SIG_IGN)
        defer { signal(SIGINT, interrupt) }
        func wait() -> Int32 {
            dup2(terminal, STDOUT_FILENO)
            close(terminal)
            return pclose(pipe)
        }
        let status: ExitStatus
        do throws(CommandError) {
            status = try body(inner)
        } catch {
            _ = wait()
            throw error
        }
        // 126 and 127: the shell cannot run such a program, or has not found it, and has said so.
        if [126, 127].contains(wait() >> 8) { throw missing }
        return status
    }

    private static var missing: CommandError {
        CommandError(
            "There is no pager; set PAGER, install less, or leave --pager away to print the text.", status: .unavailable
        )
    }
}
