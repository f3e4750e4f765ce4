import BlueZSimulator
import CommandLineInterface
import Configuration
import Dashboard
import EventLoops
import Glibc
import Engine
import Terminal

/// `bedside`: the screen, with its own monitor or as a view of another one.
@ScreenActor
enum DashboardCommand {
    /// Shows the screen on the terminal until the user quits.
    ///
    /// - Throws: ``CommandError`` when it cannot start.
    static func run(_ arguments: CommandLineArguments) async throws(CommandError) -> ExitStatus {
        var settings = try Settings.toStart(arguments)
        Privileges.giveUp(settings)
        // Checked first, so that no simulator or bus is started in vain.
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
            throw CommandError(TerminalError.notATerminal.description, status: .usage)
        }
        var screen = ScreenState()
        screen.session.ignoresConfiguration = arguments.has(.noConfiguration) && ConfigurationFile.isUsualThere
        if offersSetup(arguments, settings) {
            if let status = try await SetupCommand.runFirst(arguments) { return status }
            settings = try Settings.toStart(arguments)
        }
        let finder = MonitorFinder(settings.patient.name, toView: arguments)
        if arguments.has(.view), let status = await view(finder, arguments, settings, screen) { return status }
        while true {
            switch MonitorLock.toStart(arguments, settings) {
            case .ours(let lock): return try await monitor(arguments, settings, screen, lock)
            case .taken(let monitor):
                // A view of a stopped monitor would show only old values.
                if monitor?.isStopped == true {
                    throw CommandError(
                        MonitorLock.sentence(settings.patient.name, monitor), status: .alreadyMonitored)
                }
                var viewScreen = screen
                viewScreen.dialogs.message = MonitorLock.sentence(settings.patient.name, monitor, isShown: true)
                // A view can become the monitor, when the monitor has ended and the user wants it.
                if let status = await view(finder, arguments, settings, viewScreen) { return status }
            }
        }
    }

    /// Whether the first setup opens by itself: at the very first start, where nothing is configured, named or monitored.
    private static func offersSetup(_ arguments: CommandLineArguments, _ settings: Settings) -> Bool {
        let isPlain = ![.simulate, .connect, .view, .noConfiguration, .configuration].contains(where: arguments.has)
        guard isPlain, settings.screen.welcomes, !ConfigurationFile.isUsualThere, FirstStart.isDue else { return false }
        return (try? MonitorFinder(settings.patient.name, toView: arguments)?.ask()) == nil
    }

    /// Shows a recording on the terminal until the user quits.
    static func run(_ arguments: CommandLineArguments, _ recording: ReplayFeed) async throws(CommandError)
        -> ExitStatus
    {
        let settings = try Settings.toStart(arguments)
        guard isatty(STDIN_FILENO) == 1 else {
            throw CommandError(TerminalError.notATerminal.description, status: .usage)
        }
        var screen = ScreenState()
        screen.session.ignoresConfiguration = arguments.has(.noConfiguration) && ConfigurationFile.isUsualThere
        guard let session = ScreenSession(.replay(recording), arguments, settings, screen) else { return .unavailable }
        return await session.run()
    }

    /// Monitors and shows the screen.
    private static func monitor(
        _ arguments: CommandLineArguments, _ settings: Settings, _ start: ScreenState, _ lock: sending HeldMonitorLock
    ) async throws(CommandError) -> ExitStatus {
        Confinement.begin(settings, arguments)
        let source: SensorSource
        do throws(CommandError) {
            source = try await SensorSource.open(arguments)
        } catch {
            lock.release()
            throw error
        }
        if source.isTrial { TrialPast.write(try Scenario.chosen(arguments.value(of: .simulate)), settings) }
        var screen = start
        screen.dialogs.showsWelcome = settings.screen.welcomes && FirstStart.isNow(isSimulated: source.isSimulated)
        let feed = MonitorFeed.live(LiveFeed(source, settings, on: ScreenActor.loop))
        guard let session = ScreenSession(feed, arguments, settings, screen) else {
            lock.release()
            await source.close()
            return .unavailable
        }
        await session.serve(command: arguments.subcommand.rawValue, holding: lock)
        return await session.run()
    }

    /// Shows a monitor of another process.
    ///
    /// - Returns: `nil` when the user wants to monitor here.
    private static func view(
        _ finder: MonitorFinder?, _ arguments: CommandLineArguments, _ settings: Settings, _ start: ScreenState
    ) async -> ExitStatus? {
        var screen = start
        screen.session.viewedMonitor = "a monitor"
        let feed = ViewFeed(finder, on: ScreenActor.loop)
        guard let session = ScreenSession(.view(feed), arguments, settings, screen) else { return .unavailable }
        let status = await session.run()
        return session.takesOver ? nil : status
    }
}
