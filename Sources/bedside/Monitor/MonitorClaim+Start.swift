import CommandLineTool
import Configuration

extension MonitorClaim {
    /// What a command that is to monitor starts with.
    ///
    /// Simulated sensors are no patient's: many of them may run side by side, and beside a real one.
    static func toStart(_ arguments: CommandLineArguments, _ settings: Settings) -> MonitorClaim {
        if arguments.has(.simulate) { return .ours(MonitorHold()) }
        return make(for: settings.patient.name, arguments.subcommand)
    }
}
