import CommandLineTool
import Configuration
import DBus
import Dashboard
import EventLoop
import Glibc
import Terminal

/// `bedside`: the screen.
@ScreenActor
enum DashboardCommand {
    /// Takes the terminal over, shows the sensors and gives the terminal back.
    static func run(_ arguments: CommandLineArguments) async -> ExitStatus {
        let settings: Settings
        do {
            settings = try Settings.toStart(arguments)
        } catch {
            complain(error.sentence)
            return error.status
        }
        // Found out first, so that neither a simulator nor a bus is started for nothing.
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
            complain(TerminalError.notATerminal.description)
            return .usage
        }
        let source: SensorSource
        do {
            source = try await SensorSource.open(arguments)
        } catch {
            complain(error.sentence)
            return error.status
        }
        var screen = ScreenState()
        screen.isSimulated = source.isSimulated
        screen.ignoresConfiguration = arguments.has(.noConfiguration) && ConfigurationFile.isUsualThere
        // Simulated sensors need no explaining, and those who play with them have been greeted or will be.
        screen.showsWelcome = settings.screen.welcomes && !source.isSimulated && FirstStart.isNow()
        let loop = EventLoop()
        loop.startThread(named: "bus")
        let keeper = SettingsKeeper(ConfigurationFile(arguments), settings)
        let status = await show(settings, LiveFeed(source, settings, on: loop), keeper, screen) { await source.close() }
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
        return await show(settings, recording, SettingsKeeper(ConfigurationFile(arguments), settings), screen) {}
    }

    /// - Parameter abandon: What to do in the place of closing the feed when the terminal cannot be used.
    private static func show(
        _ settings: Settings, _ feed: any MonitorFeed, _ keeper: SettingsKeeper, _ start: ScreenState,
        abandon: () async -> Void
    ) async -> ExitStatus {
        var traits = TerminalTraits.current()
        switch settings.screen.color {
        case .never: traits.isColorRefused = true
        case .always: traits.isColorRefused = false
        case .auto: break
        }
        traits.deepestColor = settings.screen.colors.depth
        var screen = start
        screen.apply(settings, suitableGlyphs: traits.suitableGlyphs)
        CrashGuard.install()
        let terminal: Terminal
        do {
            let theme = try? ThemeFolder.theme(
                for: settings.screen, hasLightBackground: traits.hasLightBackground)
            terminal = try Terminal(
                traits: traits, theme: theme ?? .dark, isCursorShown: settings.screen.isCursorShown)
        } catch {
            await abandon()
            complain(error.description)
            return .unavailable
        }
        terminal.useMouse(settings.screen.usesMouse)
        screen.settings.items = keeper.desk.items
        let isReplay = feed.replay != nil
        let bell = terminal.hasBell && !isReplay ? AlarmBell(on: ScreenActor.loop) { terminal.ring() } : nil
        // Nobody expects a recording to sound.
        if bell == nil, !isReplay { screen.soundMeans = .notAvailable }
        if settings.monitor.alarmSignals.isSoundOff { screen.soundMeans = .off }
        let outlet =
            isReplay
            ? AlarmOutlet.mute(at: feed.now())
            : AlarmOutlet(settings.alarms, recording: settings.recording, start: .now(), bell: bell)
        let events = await feed.events()
        let recording = await feed.record(settings.recording, to: outlet.inbox)
        let controller = ScreenController(
            feed: feed, terminal: terminal, outlet: outlet, screen: screen,
            settings: settings.monitorSettings, keeper: keeper)
        // Beside the screen, which must not wait for a bus that lets us wait.
        let opening = Task(executorPreference: ScreenActor.loop) { await controller.begin() }
        let status = await controller.run(events: events)
        opening.cancel()
        // The user sees the shell at once; the sensors are let go behind it.
        terminal.restore()
        await opening.value
        await feed.close()
        withExtendedLifetime(recording) {}
        if let loss = await outlet.close(controller.interruptions) { complain(loss) }
        return status
    }
}
