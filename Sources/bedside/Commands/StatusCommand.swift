import CommandLineTool
import Configuration
import Dashboard
import EventLoop
import Glibc
import MonitorSocket
import Terminal
import UserFiles
import Vitals

/// `bedside status`: prints what the running monitor shows in one line, once or at each change.
enum StatusCommand {
    /// Runs something on the main thread's loop.
    typealias MainThread = (@escaping @Sendable @ScreenActor () async -> ExitStatus) -> ExitStatus

    /// Prints what the options ask for.
    ///
    /// - Throws: ``CommandFailure`` for a command line or a configuration that cannot be understood.
    static func run(
        _ arguments: CommandLineArguments, onMainThread: MainThread
    ) throws(CommandFailure) -> ExitStatus {
        let manner = try StatusManner(arguments)
        if arguments.has(.follow) { return onMainThread { await StatusFollower(manner).run() } }
        return print(manner)
    }

    private static func print(_ manner: StatusManner) -> ExitStatus {
        let found: MonitorFinder.Found?
        do throws(MonitorSocketError) {
            found = try manner.finder.find(.once)
        } catch {
            return tellAbsence(manner, "monitor does not answer", error.description, .unavailable)
        }
        guard let found else { return tellAbsence(manner, StatusManner.none, manner.absence, .noMonitor) }
        return printText(manner.text(found.glance) + "\n")
    }

    /// Says that nobody answered: a person by a sentence and a status, a bar by a block.
    private static func tellAbsence(
        _ manner: StatusManner, _ words: String, _ sentence: String, _ status: ExitStatus
    ) -> ExitStatus {
        if manner.format == .plain {
            complain(sentence)
            return status
        }
        let printed = printText(manner.text(nil, orElse: words) + "\n")
        return manner.format.isBar || printed != .success ? printed : status
    }
}

/// How a status is found and printed.
struct StatusManner: Sendable {
    /// What is said in a few words where no monitor runs.
    static let none = "no monitor"

    /// The form.
    let format: StatusFormat
    /// Where to look.
    let finder: MonitorFinder
    private let unit: TemperatureUnit
    private let isASCII: Bool

    /// Understands the command line.
    init(_ arguments: CommandLineArguments) throws(CommandFailure) {
        let word = arguments.value(of: .statusFormat) ?? (arguments.has(.json) ? "json" : "plain")
        guard let format = StatusFormat(rawValue: word.lowercased()) else {
            let known = StatusFormat.allCases.map(\.rawValue).joined(separator: ", ")
            let hint = UsageError.hint(word, StatusFormat.allCases.map(\.rawValue))
            let problem = "'\(harmlessText(word))' is no format; there are \(known)\(hint)"
            throw CommandFailure(UsageError(problem, subcommand: .status).description, status: .usage)
        }
        self.format = format
        let settings = try Settings.toStart(arguments)
        unit = settings.screen.units == .fahrenheit ? .fahrenheit : .celsius
        // Bars of the desktop read UTF-8 in any locale; what goes to a terminal goes by its locale.
        let goesToTerminal = format == .plain || format == .tmux
        isASCII =
            arguments.has(.ascii) || settings.screen.glyphs == .ascii
            || goesToTerminal && TerminalTraits.current().suitableGlyphs == .ascii
        do throws(UserFileError) {
            finder = MonitorFinder(
                patient: settings.patient.name, isSimulatedOnly: arguments.has(.simulatedMonitor),
                directories: try UserDirectories.current())
        } catch {
            throw CommandFailure(error.description, status: .noInput)
        }
    }

    /// The words for a glance; for `nil` that there is none, and why.
    func text(_ glance: Glance?, orElse reason: String = none) -> String {
        format.text(glance, orElse: reason, unit: unit, isASCII: isASCII)
    }

    /// That no monitor runs, in a sentence.
    var absence: String {
        let whose = finder.patient.map { " of the patient '\($0)'" } ?? ""
        return finder.isSimulatedOnly
            ? "No monitor of simulated sensors runs. Start one with: bedside --simulate"
            : "No monitor\(whose) runs. Start one with: bedside\(finder.patient.map { " --patient '\($0)'" } ?? "")"
    }
}
