import CommandLineTool
import EventLoop
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
        if arguments.has(.systemdUnit) { return RecordCommand.printUnit(arguments) }
        switch arguments.subcommand {
        case .status: return StatusCommand.run(arguments) { body in onMainThread(body) }
        case .decode: return DecodeCommand.run(arguments)
        case .alarms: return AlarmsCommand.run(arguments)
        case .history: return HistoryCommand.run(arguments)
        case .export: return ExportCommand.run(arguments)
        case .config: return ConfigCommand.run(arguments)
        case .doctor: return onMainThread { await DoctorCommand.run(arguments) }
        case .dashboard: return onMainThread { await DashboardCommand.run(arguments) }
        case .replay: return onMainThread { await ReplayCommand.run(arguments) }
        case .simulate: return onMainThread { await SimulateCommand.run(arguments) }
        case .record:
            do {
                let command = try RecordCommand(arguments)
                return onMainThread { await command.run(on: ScreenActor.loop) }
            } catch {
                complain(error.sentence)
                return error.status
            }
        case .watch:
            do {
                let command = try WatchCommand(arguments)
                return onMainThread { await command.run(on: ScreenActor.loop) }
            } catch {
                complain(error.sentence)
                return error.status
            }
        }
    }

    /// Runs something asynchronous with the main thread in the screen's loop.
    private static func onMainThread(_ body: @escaping @Sendable @ScreenActor () async -> ExitStatus) -> ExitStatus {
        // Every thread that is started from now on leaves the signals to the loop that waits for them.
        SignalWatch.block([SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGTSTP])
        let result = Result()
        Task(executorPreference: ScreenActor.loop) {
            result.status = await body()
            ScreenActor.loop.stop()
        }
        ScreenActor.loop.run()
        return result.status
    }

    /// What the task that does the work leaves behind for the thread that runs it.
    private final class Result: @unchecked Sendable {
        // `@unchecked Sendable`: written by the loop on the main thread, read there after the loop has ended.
        var status = ExitStatus.systemError
    }
}
