import Base
import CommandLineInterface
import Configuration
import Dashboard
import EventLoops
import Formats
import Glibc
import Engine
import LineSocket
import Status
import Terminal
import UserFiles
import VitalDecoders
import Vitals
import Wording

/// `bedside status`: prints the running monitor's status in one line, once or at each change.
enum StatusCommand {
    /// Runs something on the main thread's loop.
    typealias MainThread = (@escaping @Sendable @ScreenActor () async -> ExitStatus) -> ExitStatus

    /// Prints the status.
    ///
    /// - Throws: ``CommandError`` for an invalid command line or configuration.
    static func run(
        _ arguments: CommandLineArguments, onMainThread: MainThread
    ) throws(CommandError) -> ExitStatus {
        let options = try StatusOptions(arguments)
        if arguments.has(.follow) { return onMainThread { await StatusFollower(options).run() } }
        return print(options)
    }

    private static func print(_ options: StatusOptions) -> ExitStatus {
        do throws(NoMonitorError) {
            return printText(options.text(try options.finder.ask()) + "\n")
        } catch {
            return report(error, options)
        }
    }

    /// Reports a missing monitor: by a sentence and an exit status, or in a status bar by a block.
    private static func report(_ absence: NoMonitorError, _ options: StatusOptions) -> ExitStatus {
        let status: ExitStatus = absence.runs ? .unavailable : .noMonitor
        if options.format == .plain {
            complain(options.sentence(absence))
            return status
        }
        let printed = printText(options.text(absence) + "\n")
        return options.format.isBar || printed != .success ? printed : status
    }
}

/// The options of `bedside status`.
struct StatusOptions: Sendable {
    /// The form.
    let format: StatusFormat
    /// Finds the monitor.
    let finder: MonitorFinder
    private let unit: DisplayUnits
    private let isASCII: Bool

    /// Parses the command line.
    init(_ arguments: CommandLineArguments) throws(CommandError) {
        let format = try arguments[.statusFormat] ?? (arguments.has(.json) ? .json : .plain)
        if format == .openMetrics, arguments.has(.follow) {
            throw arguments.mistake("--follow does not go with --format openmetrics")
        }
        self.format = format
        let settings = try Settings.toStart(arguments)
        unit = DisplayUnits(settings)
        // Desktop bars read UTF-8 in any locale; a terminal reads its locale's encoding.
        let goesToTerminal = format == .plain || format == .tmux
        isASCII =
            arguments.has(.ascii) || settings.screen.glyphs == .ascii
            || goesToTerminal && TerminalTraits.current().suitableGlyphs == .ascii
        do throws(UserFileError) {
            finder = MonitorFinder(
                of: settings.patient.name, in: try UserDirectories.current(),
                accepting: arguments.has(.simulatedMonitor) ? .simulated : .any)
        } catch {
            throw CommandError(error.description, status: .noInput)
        }
    }

    func text(_ summary: StatusSummary) -> String {
        format.text(summary, orElse: "", unit: unit, isASCII: isASCII)
    }

    /// The text for a missing monitor.
    func text(_ absence: NoMonitorError) -> String {
        format.text(nil, orElse: absence.text, remedy: absence.remedy, unit: unit, isASCII: isASCII)
    }

    /// A sentence for the user about a missing status.
    func sentence(_ absence: NoMonitorError) -> String {
        let whose = finder.patient.map { " of the patient '\($0)'" } ?? ""
        switch absence {
        case .none where finder.accepted == .simulated:
            return "No monitor of simulated sensors runs. Start one with: bedside --simulate"
        case .none:
            let option = finder.patient.map { " --patient '\($0)'" } ?? ""
            return "No monitor\(whose) runs. Start one with: bedside\(option)"
        case .ended(let monitor):
            return """
                The monitor\(whose), bedside \(monitor.command), process \(monitor.process), has ended. One of \
                simulated sensors would be asked with: --simulate
                """
        case .stopped(let process):
            let consequence = RunningMonitor.stopConsequence(process)
            return "The monitor\(whose), process \(process), does not answer. \(consequence)"
        case .silent:
            return "The monitor\(whose) runs and does not answer in time: it hangs, or the computer is too busy."
        case .hidden(let monitor):
            return """
                A monitor\(whose) runs, bedside \(monitor.command), process \(monitor.process), and cannot be asked: \
                no program listens at \(sanitized(monitor.socket, limit: 200)).
                """
        case .failed(let error): return error.description
        }
    }
}
