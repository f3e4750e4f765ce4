import Base
import CommandLineInterface
import Configuration
import Engine
import EventLoops
import Formats
import Glibc
import Monitoring
import UserFiles
import Vitals

/// `bedside trace`: prints the traffic with sensors, and writes it as a capture, until it is interrupted.
///
/// It reads the running monitor where there is one, and else monitors by itself.
struct TraceCommand {
    private let arguments: CommandLineArguments
    private let settings: Settings
    private let sensor: String?
    private let duration: Duration?
    private let attempts: [TraceAttempt]
    private let files: TraceFiles?

    /// Parses the command line, asks before anything is to be written to a device, and creates the capture.
    ///
    /// - Throws: ``CommandError`` for an invalid value or configuration file, or an unusable capture.
    init(_ arguments: CommandLineArguments) throws(CommandError) {
        self.arguments = arguments
        sensor = arguments.operands.first
        duration = try arguments[.duration]
        attempts = try TraceAttempt.all(arguments)
        if !attempts.isEmpty, sensor == nil {
            throw arguments.mistake("--read, --subscribe and --write need the sensor that is meant")
        }
        var settings = try Settings.toStart(arguments)
        if let sensor, !settings.sensors.connect.contains(sensor) { settings.sensors.connect.append(sensor) }
        self.settings = settings
        try TraceAttempt.confirm(attempts, of: sensor ?? "", arguments)
        Privileges.giveUp(settings)
        files = try Self.files(arguments)
        Confinement.begin(settings, arguments)
    }

    private static func files(_ arguments: CommandLineArguments) throws(CommandError) -> TraceFiles? {
        guard let path = arguments.value(of: .traceOutput) else { return nil }
        do throws(UserFileError) {
            return try TraceFiles(capture: path, lines: nil)
        } catch {
            throw CommandError(error.description, status: .inputOutputError)
        }
    }

    /// Runs until the time, a signal or a closed output ends it.
    ///
    /// - Throws: ``CommandError`` when it cannot start.
    func run(on loop: EventLoop) async throws(CommandError) -> ExitStatus {
        if arguments.has(.view) { return await view(on: loop) }
        switch MonitorLock.toStart(arguments, settings) {
        case .ours(let lock): return try await monitor(holding: lock, on: loop)
        case .taken: return await view(on: loop)
        }
    }

    private func monitor(
        holding lock: sending HeldMonitorLock, on loop: EventLoop
    ) async throws(CommandError) -> ExitStatus {
        let source: SensorSource
        do throws(CommandError) {
            source = try await SensorSource.open(arguments)
        } catch {
            lock.release()
            throw error
        }
        let monitor = engine(of: .live(LiveFeed(source, settings, on: loop)), on: loop)
        await monitor.serve(command: arguments.subcommand.rawValue, holding: lock)
        return await trace(monitor, on: loop)
    }

    /// Traces the sensors of another monitor.
    private func view(on loop: EventLoop) async -> ExitStatus {
        let finder = MonitorFinder(settings.patient.name, toView: arguments)
        return await trace(engine(of: .view(ViewFeed(finder, on: loop)), on: loop), on: loop)
    }

    private func engine(of feed: MonitorFeed, on loop: EventLoop) -> MonitorEngine {
        MonitorEngine(feed, settings, keepingIn: ConfigurationFile(arguments), on: loop)
    }

    private func trace(_ monitor: MonitorEngine, on loop: EventLoop) async -> ExitStatus {
        let presenter = TracePresenter(sensor, attempts, files)
        let status = await HeadlessSession(duration: duration).run(monitor, presenter, on: loop)
        await files?.finish(on: loop)
        return status
    }
}
