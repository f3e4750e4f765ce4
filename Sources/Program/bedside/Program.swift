import CBuild
import CommandLineInterface
import EventLoops
import Formats
import Glibc
import Loudspeaker
import Terminal

/// What this program was built from.
enum Build {
    /// The commit and its date, such as "commit 0123456789ab of 2026-01-02"; `nil` where the build did not know them.
    static var words: String? { cbuild_words().map { String(cString: $0) } }
}

/// The program: runs each subcommand.
enum Program {
    /// Runs a command line without the program's name.
    static func run(_ words: [String]) -> ExitStatus {
        // A closed pipe is an error of the write, and must not end the program.
        signal(SIGPIPE, SIG_IGN)
        if words.first == SpeakerProcess.command, words.count <= 2 {
            Privileges.giveUp()
            return SpeakerProcess.run(cardFolder: words.dropFirst().first ?? Speaker.cardFolder)
                ? .success : .systemError
        }
        if words == [TerminalGuardProcess.command] {
            Privileges.giveUp()
            TerminalGuardProcess.run()
            return .success
        }
        if words.count == 2, words[0] == SoundCheck.command, let extent = SoundCheck.Extent(rawValue: words[1]) {
            SoundCheck.runProcess(extent)
            return .success
        }
        let arguments: CommandLineArguments
        do {
            arguments = try CommandLineArguments(parsing: words)
        } catch {
            complain(error.description)
            return .usage
        }
        if arguments.has(.help) { return HelpCommand.print(arguments.subcommand) }
        if arguments.has(.version) { return printText(Product.line(build: Build.words) + "\n") }
        if arguments.has(.manual) { return ManualCommand.run(arguments) }
        if arguments.has(.systemdUnit) { return RecordCommand.printUnit(arguments) }
        do {
            return try Pager.show(arguments) { arguments throws(CommandError) in try run(arguments) }
        } catch {
            return error.report()
        }
    }

    private static func run(_ arguments: CommandLineArguments) throws(CommandError) -> ExitStatus {
        // Only the settings show whether these run a command for alarms.
        if ![.dashboard, .watch, .record, .trace].contains(arguments.subcommand) { Privileges.giveUp() }
        switch arguments.subcommand {
        case .status: return try StatusCommand.run(arguments) { body in onMainThread(body) }
        case .decode: return DecodeCommand.run(arguments)
        case .enter: return try EnterCommand.run(arguments)
        case .confirm: return try ConfirmCommand.run(arguments)
        case .import: return try ImportCommand.run(arguments)
        case .alarms: return try AlarmsCommand.run(arguments)
        case .history: return try HistoryCommand.run(arguments)
        case .report: return try ReportCommand.run(arguments)
        case .night: return try NightCommand.run(arguments)
        case .export: return try ExportCommand.run(arguments)
        case .send: return try SendCommand.run(arguments)
        case .collect:
            let command = try CollectCommand(arguments)
            return onMainThread { () async throws(CommandError) in await command.run(on: ScreenActor.loop) }
        case .ward: return onMainThread { () async throws(CommandError) in try await WardCommand.run(arguments) }
        case .sound: return try SoundCommand.run(arguments)
        case .help: return try HelpCommand.run(arguments)
        case .completions: return try CompletionsCommand.run(arguments)
        case .config: return ConfigCommand.run(arguments)
        case .setup: return onMainThread { () async throws(CommandError) in try await SetupCommand.run(arguments) }
        case .doctor:
            return onMainThread { () async throws(CommandError) in try await DoctorCommand.run(arguments) }
        case .dashboard:
            return onMainThread { () async throws(CommandError) in try await DashboardCommand.run(arguments) }
        case .replay: return onMainThread { () async throws(CommandError) in try await ReplayCommand.run(arguments) }
        case .simulate:
            return onMainThread { () async throws(CommandError) in try await SimulateCommand.run(arguments) }
        case .record:
            let command = try RecordCommand(arguments)
            return onMainThread { () async throws(CommandError) in try await command.run(on: ScreenActor.loop) }
        case .trace:
            let command = try TraceCommand(arguments)
            return onMainThread { () async throws(CommandError) in try await command.run(on: ScreenActor.loop) }
        case .watch:
            let command = try WatchCommand(arguments)
            return onMainThread { () async throws(CommandError) in try await command.run(on: ScreenActor.loop) }
        }
    }

    /// Runs an asynchronous function while the main thread runs the screen's loop, and reports its failure.
    private static func onMainThread(
        _ body: @escaping @Sendable @ScreenActor () async throws(CommandError) -> ExitStatus
    ) -> ExitStatus {
        // Threads that are started later leave signals to the loop that waits for them.
        SignalWatch.block([SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGTSTP])
        let result = Result()
        Task(executorPreference: ScreenActor.loop) {
            do throws(CommandError) {
                result.status = try await body()
            } catch {
                result.status = error.report()
            }
            ScreenActor.loop.stop()
        }
        ScreenActor.loop.run()
        return result.status
    }

    /// The result of the task for the thread that runs it.
    private final class Result: @unchecked Sendable {
        // `@unchecked Sendable`: written by the loop on the main thread, read there after the loop has ended.
        var status = ExitStatus.systemError
    }
}
