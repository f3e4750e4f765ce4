import Base
import CommandLineInterface
import Configuration
import EventLoops
import Engine

/// `bedside watch`: prints events as lines of text or JSON, on one thread, until it is interrupted.
struct WatchCommand {
    private let arguments: CommandLineArguments
    private let settings: Settings
    private let interval: Duration
    private let readingLimit: Int?
    private let duration: Duration?

    /// Parses the command line.
    ///
    /// - Throws: ``CommandError`` for an invalid value or configuration file.
    init(_ arguments: CommandLineArguments) throws(CommandError) {
        self.arguments = arguments
        duration = try arguments[.duration]
        let interval = try arguments[.interval]
        if interval != nil, arguments.has(.json) {
            throw arguments.mistake("--interval is for lines of text; with --json every event is a line")
        }
        self.interval = interval ?? .seconds(10)
        readingLimit = try arguments[.readingCount]
        settings = try Settings.toStart(arguments)
        Privileges.giveUp(settings)
        Confinement.begin(settings, arguments)
    }

    /// Runs until the time, the count, a signal or a closed output ends it.
    ///
    /// - Throws: ``CommandError`` when it cannot start.
    func run(on loop: EventLoop) async throws(CommandError) -> ExitStatus {
        if arguments.has(.view) { return await view(on: loop) }
        let lock = try HeldMonitorLock.toStart(arguments, settings)
        let source = try await SensorSource.open(arguments)
        let feed = MonitorFeed.live(LiveFeed(source, settings, on: loop))
        let monitor = monitor(of: feed, on: loop)
        await monitor.serve(command: arguments.subcommand.rawValue, holding: lock)
        return await HeadlessSession(duration: duration).run(monitor, presenter(of: monitor), on: loop)
    }

    /// Runs until the end of the recording, or until the count, a signal or a closed output ends it.
    func run(_ recording: ReplayFeed, on loop: EventLoop) async -> ExitStatus {
        // The recording limits its own duration.
        let monitor = monitor(of: .replay(recording), on: loop)
        return await HeadlessSession().run(monitor, presenter(of: monitor), on: loop)
    }

    /// Writes the events of another monitor.
    private func view(on loop: EventLoop) async -> ExitStatus {
        let feed = MonitorFeed.view(ViewFeed(MonitorFinder(settings.patient.name, toView: arguments), on: loop))
        let monitor = monitor(of: feed, on: loop)
        return await HeadlessSession(duration: duration).run(monitor, presenter(of: monitor), on: loop)
    }

    private func monitor(of feed: MonitorFeed, on loop: EventLoop) -> MonitorEngine {
        MonitorEngine(
            feed, settings, keepingIn: ConfigurationFile(arguments),
            speakers: arguments.has(.sound) ? .insteadOfBell : .none, on: loop)
    }

    private func presenter(of monitor: MonitorEngine) async -> LinePresenter {
        let lines = WatchLines(isJSON: arguments.has(.json), interval: interval, settings, await monitor.context)
        return LinePresenter(lines, readingLimit: readingLimit)
    }
}
