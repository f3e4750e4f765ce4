import BlueZ
import CommandLineTool
import Configuration
import DBus
import Dashboard
import EventLoop
import Glibc
import Sensors
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
        let status = await show(settings, source, SettingsKeeper(ConfigurationFile(arguments), settings))
        await source.close()
        return status
    }

    private static func show(
        _ settings: Settings, _ source: SensorSource, _ keeper: SettingsKeeper
    ) async -> ExitStatus {
        var traits = TerminalTraits.current()
        switch settings.screen.color {
        case .never: traits.isColorRefused = true
        case .always: traits.isColorRefused = false
        case .auto: break
        }
        var screen = ScreenState()
        screen.isSimulated = source.isSimulated
        screen.apply(settings, suitableGlyphs: traits.suitableGlyphs)
        CrashGuard.install()
        let terminal: Terminal
        do {
            terminal = try Terminal(
                traits: traits, theme: settings.screen.theme == .light ? .light : .standard,
                isCursorShown: settings.screen.isCursorShown)
        } catch {
            complain(error.description)
            return .unavailable
        }
        let bell = terminal.hasBell ? AlarmBell(on: ScreenActor.loop) { terminal.ring() } : nil
        if bell == nil { screen.soundMeans = .notAvailable }
        if settings.monitor.alarmSignals.isSoundOff { screen.soundMeans = .off }
        let outlet = AlarmOutlet(settings.alarms, start: .now(), bell: bell)
        let loop = EventLoop()
        loop.startThread(named: "bus")
        let bluez = source.makeBlueZ(on: loop)
        let supervisor = SensorSupervisor(bluez: bluez, policy: ConnectPolicy(settings.sensors.connect))
        let events = await supervisor.events()
        await supervisor.useAdapter(settings.sensors.chosenAdapter)
        await bluez.start()
        let controller = ScreenController(
            supervisor: supervisor, bluez: bluez, terminal: terminal, outlet: outlet, screen: screen,
            settings: settings.monitorSettings, keeper: keeper)
        // Beside the screen, which must not wait for a bus that lets us wait.
        let opening = Task(executorPreference: ScreenActor.loop) { await controller.begin(with: source) }
        let status = await controller.run(events: events)
        opening.cancel()
        // The user sees the shell at once; the sensors are let go behind it.
        terminal.restore()
        await opening.value
        await supervisor.shutDown()
        await bluez.stop()
        loop.stop()
        if let loss = await outlet.close() { complain(loss) }
        return status
    }
}
