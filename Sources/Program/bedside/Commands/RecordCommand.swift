import CommandLineInterface
import Configuration
import EventLoops
import Glibc
import Engine
import UserFiles

/// `bedside record`: a monitor in the background, until it is interrupted.
struct RecordCommand {
    private let arguments: CommandLineArguments
    private let settings: Settings
    private let duration: Duration?

    /// Parses the command line.
    ///
    /// - Throws: ``CommandError`` for an invalid value or configuration file.
    init(_ arguments: CommandLineArguments) throws(CommandError) {
        self.arguments = arguments
        for option in [CommandLineInterface.Option.hardened, .perPatient] where arguments.has(option) {
            throw arguments.mistake("--\(option.name) is for --systemd-unit")
        }
        duration = try arguments[.duration]
        settings = try Settings.toStart(arguments)
        Privileges.giveUp(settings)
        Confinement.begin(settings, arguments)
    }

    /// Runs until the time or a signal ends it.
    ///
    /// - Throws: ``CommandError`` when it cannot start.
    func run(on loop: EventLoop) async throws(CommandError) -> ExitStatus {
        // First, because processes started later are not the service.
        let call = ServiceManager.Call.take()
        let lock = try HeldMonitorLock.toStart(arguments, settings)
        let source = try await SensorSource.open(arguments)
        let arguments = arguments
        let session = HeadlessSession(
            duration: duration,
            rereadSettings: { () throws(ConfigurationFileError) in try Settings.reread(arguments) })
        let stream = Environment.value("JOURNAL_STREAM")
        let monitor = MonitorEngine(
            MonitorFeed.live(LiveFeed(source, settings, on: loop)), settings, keepingIn: ConfigurationFile(arguments),
            speakers: arguments.has(.sound) ? .insteadOfBell : .none, on: loop)
        let presenter = JournalPresenter(await monitor.context, call, stream: stream)
        await monitor.serve(command: arguments.subcommand.rawValue, holding: lock)
        return await session.run(monitor, presenter, on: loop)
    }

    /// Prints the unit that runs this command line as a service.
    static func printUnit(_ arguments: CommandLineArguments) -> ExitStatus {
        let given = arguments.options.last { $0.option == .systemdUnit }?.value
        let program = given ?? ownProgramPath
        guard let program, program.hasPrefix("/") else {
            let word = given.map { "'\($0)'" } ?? "the path of this program"
            complain(arguments.mistake("\(word) is not an absolute path of a program, which systemd requires").sentence)
            return .usage
        }
        if arguments.has(.perPatient), arguments.has(.patient) {
            complain(arguments.mistake("--per-patient names the patient by the instance, not by --patient").sentence)
            return .usage
        }
        let ofUnit: [CommandLineInterface.Option] = [.systemdUnit, .hardened, .perPatient]
        let words = arguments.options.filter { !ofUnit.contains($0.option) }.map { given in
            given.value.map { "--\(given.option.name)=\($0)" } ?? "--\(given.option.name)"
        }
        if arguments.subcommand == .send { return printText(SystemdUnit.sender(program: program, words)) }
        return printText(
            SystemdUnit.text(
                program: program, words, isHardened: arguments.has(.hardened),
                isPerPatient: arguments.has(.perPatient)))
    }
}
