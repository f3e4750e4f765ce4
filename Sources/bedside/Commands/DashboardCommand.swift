import CommandLineTool
import Configuration
import DBus
import Dashboard
import EventLoop
import Glibc
import Terminal

/// `bedside`: the screen, of a monitor of its own or of one that runs elsewhere.
@ScreenActor
enum DashboardCommand {
    /// Takes the terminal over, shows the sensors and gives the terminal back.
    ///
    /// - Throws: ``CommandFailure`` when it cannot begin.
    static func run(_ arguments: CommandLineArguments) async throws(CommandFailure) -> ExitStatus {
        let settings = try Settings.toStart(arguments)
        // Found out first, so that neither a simulator nor a bus is started for nothing.
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
            throw CommandFailure(TerminalError.notATerminal.description, status: .usage)
        }
        let keeper = SettingsKeeper(ConfigurationFile(arguments), settings)
        var screen = ScreenState()
        screen.ignoresConfiguration = arguments.has(.noConfiguration) && ConfigurationFile.isUsualThere
        let places = ViewedPlaces(settings.patient.name, arguments)
        if arguments.has(.view), let status = await view(places, settings, keeper, screen) { return status }
        while true {
            switch MonitorClaim.toStart(arguments, settings) {
            case .ours(let hold): return try await monitor(arguments, settings, keeper, screen, hold)
            case .taken(let monitor):
                // A view of a stopped monitor would show what was, and say nothing of what is.
                if monitor?.stopped != nil {
                    throw CommandFailure(
                        MonitorClaim.sentence(settings.patient.name, monitor), status: .alreadyMonitored)
                }
                var viewScreen = screen
                viewScreen.message = MonitorClaim.sentence(settings.patient.name, monitor, isShown: true)
                // Whoever looks on may end up monitoring, because the monitor has gone and they want to.
                if let status = await view(places, settings, keeper, viewScreen) { return status }
            }
        }
    }

    /// Monitors, and shows it.
    private static func monitor(
        _ arguments: CommandLineArguments, _ settings: Settings, _ keeper: SettingsKeeper, _ start: ScreenState,
        _ hold: MonitorHold
    ) async throws(CommandFailure) -> ExitStatus {
        let source = try await SensorSource.open(arguments)
        var screen = start
        screen.isSimulated = source.isSimulated
        // Simulated sensors need no explaining, and those who play with them have been greeted or will be.
        screen.showsWelcome = settings.screen.welcomes && !source.isSimulated && FirstStart.isNow()
        let loop = EventLoop()
        loop.startThread(named: "bus")
        let feed = LiveFeed(source, settings, on: loop)
        let status = await show(settings, feed, keeper, screen, holding: hold) { await source.close() }
        loop.stop()
        return status
    }

    /// Takes the terminal over, shows a recording and gives the terminal back.
    static func run(_ arguments: CommandLineArguments, _ recording: ReplayFeed) async throws(CommandFailure)
        -> ExitStatus
    {
        let settings = try Settings.toStart(arguments)
        guard isatty(STDIN_FILENO) == 1 else {
            throw CommandFailure(TerminalError.notATerminal.description, status: .usage)
        }
        var screen = ScreenState()
        screen.isSimulated = recording.isSimulated
        screen.replay = recording.status
        screen.ignoresConfiguration = arguments.has(.noConfiguration) && ConfigurationFile.isUsualThere
        let keeper = SettingsKeeper(ConfigurationFile(arguments), settings)
        return await show(settings, recording, keeper, screen, holding: nil) {}
    }

    /// - Parameters:
    ///   - hold: The claim to the patient, for those who ask how the monitor is; `nil` for a recording.
    ///   - abandon: What to do in the place of closing the feed when the terminal cannot be used.
    private static func show(
        _ settings: Settings, _ feed: any MonitorFeed, _ keeper: SettingsKeeper, _ start: ScreenState,
        holding hold: MonitorHold?, abandon: () async -> Void
    ) async -> ExitStatus {
        defer { hold?.release() }
        let shown: ShownTerminal
        do {
            shown = try ShownTerminal(settings)
        } catch {
            await abandon()
            complain(error.description)
            return .unavailable
        }
        let outlet = AlarmOutlet.suited(to: feed, settings, bell: shown.bell)
        let events = await feed.events()
        let recording = await feed.record(settings.recording, to: outlet.inbox)
        let controller = ScreenController(
            feed: feed, terminal: shown.terminal, outlet: outlet, screen: shown.screen(start, settings, keeper),
            settings: settings.monitorSettings, keeper: keeper)
        if let hold { controller.offer(MonitorPost(hold, of: settings.patient.name, controller)) }
        // Beside the screen, which must not wait for a bus that lets us wait.
        let opening = Task(executorPreference: ScreenActor.loop) { await controller.begin() }
        let status = await controller.run(events: events)
        opening.cancel()
        // The user sees the shell at once; the sensors are let go behind it.
        shown.terminal.restore()
        controller.publisher?.close()
        controller.post?.close()
        // First, because the opening may wait for a bus that lets us wait.
        await feed.close()
        controller.finishEvents()
        _ = await ScreenActor.loop.result(within: .seconds(20)) { await opening.value }
        for sentence in await controller.finishFiles() { complain(sentence) }
        withExtendedLifetime(recording) {}
        if let loss = await outlet.close(controller.interruptions) { complain(loss) }
        return status
    }

    /// Shows a monitor that runs elsewhere.
    ///
    /// - Returns: `nil` when the user wants to monitor here.
    private static func view(
        _ places: ViewedPlaces, _ settings: Settings, _ keeper: SettingsKeeper, _ start: ScreenState
    ) async -> ExitStatus? {
        let shown: ShownTerminal
        do {
            shown = try ShownTerminal(settings)
        } catch {
            complain(error.description)
            return .unavailable
        }
        // What alarms do beyond the screen is done by the monitor.
        let outlet = AlarmOutlet(
            .silent, recording: settings.recording, patient: settings.patient.name, start: .now(), bell: shown.bell)
        let feed = ViewedFeed()
        let controller = ScreenController(
            feed: feed, terminal: shown.terminal, outlet: outlet, screen: shown.screen(start, settings, keeper),
            settings: settings.monitorSettings, keeper: keeper)
        controller.beginViewing(places)
        let status = await controller.run(events: await feed.events())
        controller.attached?.end()
        shown.terminal.restore()
        _ = await outlet.close([])
        if let refusal = controller.refusal { complain(refusal) }
        return controller.takesOver ? nil : status
    }
}
