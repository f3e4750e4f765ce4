import CommandLineInterface
import Configuration
import Monitor

extension MonitorClaim {
    /// What a command that is to monitor starts with.
    ///
    /// Simulated sensors are no patient's: many of them may run side by side, and beside a real one.
    static func toStart(_ arguments: CommandLineArguments, _ settings: Settings) -> MonitorClaim {
        if arguments.has(.simulate) { return .ours(MonitorHold()) }
        return make(for: settings.patient.name, arguments.subcommand)
    }
}

extension MonitorHold {
    /// What a command that is to monitor, or to do nothing, starts with.
    ///
    /// - Throws: ``CommandFailure`` where another program monitors the patient.
    static func toStart(
        _ arguments: CommandLineArguments, _ settings: Settings
    ) throws(CommandFailure) -> sending MonitorHold {
        switch MonitorClaim.toStart(arguments, settings) {
        case .ours(let hold): return hold
        case .taken(let monitor):
            let sentence = MonitorClaim.sentence(settings.patient.name, monitor)
            throw CommandFailure(sentence, status: .alreadyMonitored)
        }
    }
}
