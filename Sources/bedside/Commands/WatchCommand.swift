import CommandLineTool
import Configuration
import EventLoop

/// `bedside watch`: prints what happens in lines, of words or of JSON, on one thread, until it is interrupted.
struct WatchCommand {
    private let arguments: CommandLineArguments
    private let settings: Settings
    private let interval: Duration
    private let readingLimit: Int?
    private let duration: Duration?

    /// Understands what the command is to do.
    ///
    /// - Throws: ``CommandFailure`` for a value that cannot be understood, or a configuration file that is wrong.
    init(_ arguments: CommandLineArguments) throws(CommandFailure) {
        self.arguments = arguments
        duration = try arguments.duration(of: .duration)
        let interval = try arguments.duration(of: .interval)
        if interval != nil, arguments.has(.json) {
            throw arguments.mistake("--interval is for lines of words; with --json every event is a line")
        }
        self.interval = interval ?? .seconds(10)
        if let text = arguments.value(of: .count) {
            guard let count = Int(text), count > 0 else {
                throw arguments.mistake("'\(text)' is no number of readings")
            }
            readingLimit = count
        } else {
            readingLimit = nil
        }
        settings = try Settings.toStart(arguments)
    }

    /// Runs until the time, the count, a signal or the reader ends it.
    ///
    /// - Throws: ``CommandFailure`` when it cannot begin.
    func run(on loop: EventLoop) async throws(CommandFailure) -> ExitStatus {
        if arguments.has(.view) { return await view(on: loop) }
        let hold = try MonitorHold.toStart(arguments, settings)
        let source = try await SensorSource.open(arguments)
        return await follow(LiveFeed(source, settings, on: loop), duration, .watch, hold, on: loop)
    }

    /// Runs until the recording is over, or the count, a signal or the reader ends it.
    func run(_ recording: ReplayFeed, on loop: EventLoop) async -> ExitStatus {
        // How much of it is played the recording knows by itself.
        await follow(recording, nil, .replay, MonitorHold(), on: loop)
    }

    private func follow(
        _ feed: any MonitorFeed, _ duration: Duration?, _ command: Subcommand, _ hold: sending MonitorHold,
        on loop: EventLoop
    ) async -> ExitStatus {
        let manner = HeadlessMonitor.Manner(duration: duration, command: command, file: ConfigurationFile(arguments))
        let monitor = HeadlessMonitor(
            feed, settings, manner, voice: voice(isSimulated: feed.isSimulated), holding: hold, on: loop)
        return await monitor.run()
    }

    /// Tells what another monitor tells.
    private func view(on loop: EventLoop) async -> ExitStatus {
        let view = HeadlessView(
            of: ViewedPlaces(settings.patient.name, arguments), for: duration, voice: voice(isSimulated: false),
            on: loop)
        return await view.run()
    }

    private func voice(isSimulated: Bool) -> WatchVoice {
        let lines = WatchLines(
            isJSON: arguments.has(.json), interval: interval, settings, isSimulated: isSimulated)
        return WatchVoice(lines, readingLimit: readingLimit)
    }
}

extension CommandLineArguments {
    /// The length of time that an option gives; `nil` when it is not given.
    ///
    /// - Throws: ``CommandFailure`` when it is none.
    func duration(of option: CommandLineTool.Option) throws(CommandFailure) -> Duration? {
        guard let text = value(of: option) else { return nil }
        guard let duration = DurationText.duration(text) else {
            throw mistake("'\(text)' is no length of time such as 30s, 10m or 8h")
        }
        return duration
    }

    /// That the command line cannot be understood.
    func mistake(_ problem: String) -> CommandFailure {
        CommandFailure(UsageError(problem, subcommand: subcommand).description, status: .usage)
    }
}
