import CommandLineInterface
import Configuration
import Engine

extension MonitorLock {
    /// Prepares the start of a monitoring command.
    ///
    /// Simulated monitors have no patient: several may run at the same time, and beside a real one.
    static func toStart(_ arguments: CommandLineArguments, _ settings: Settings) -> MonitorLock {
        if arguments.has(.simulate) { return .ours(HeldMonitorLock()) }
        return make(for: settings.patient.name, command: arguments.subcommand.rawValue)
    }
}

extension HeldMonitorLock {
    /// Prepares the start of a command that must monitor.
    ///
    /// - Throws: ``CommandError`` if another program monitors the patient.
    static func toStart(
        _ arguments: CommandLineArguments, _ settings: Settings
    ) throws(CommandError) -> sending HeldMonitorLock {
        switch MonitorLock.toStart(arguments, settings) {
        case .ours(let hold): return hold
        case .taken(let monitor):
            let sentence = MonitorLock.sentence(settings.patient.name, monitor)
            throw CommandError(sentence, status: .alreadyMonitored)
        }
    }
}
