import BlueZ
import CommandLineTool
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
        var screen = ScreenState()
        do {
            try apply(arguments, to: &screen)
        } catch {
            complain(error.description)
            return .usage
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
        screen.isSimulated = source.isSimulated
        let status = await show(arguments, screen, source)
        await source.close()
        return status
    }

    private static func show(
        _ arguments: CommandLineArguments, _ initial: ScreenState, _ source: SensorSource
    ) async -> ExitStatus {
        var screen = initial
        var traits = TerminalTraits.current()
        switch arguments.value(of: .color) {
        case "never": traits.isColorRefused = true
        case "always": traits.isColorRefused = false
        default: break
        }
        if arguments.value(of: .glyphs) == nil { screen.glyphs = traits.suitableGlyphs }
        CrashGuard.install()
        let terminal: Terminal
        do {
            terminal = try Terminal(traits: traits)
        } catch {
            complain(error.description)
            return .unavailable
        }
        let loop = EventLoop()
        loop.startThread(named: "bus")
        let bluez = source.makeBlueZ(on: loop)
        let supervisor = SensorSupervisor(bluez: bluez, policy: ConnectPolicy(arguments.values(of: .connect)))
        let events = await supervisor.events()
        await bluez.start()
        let controller = ScreenController(supervisor: supervisor, bluez: bluez, terminal: terminal, screen: screen)
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
        return status
    }

    private static func apply(_ arguments: CommandLineArguments, to screen: inout ScreenState) throws(UsageError) {
        screen.title = arguments.value(of: .bed) ?? ""
        if let text = arguments.value(of: .strengthFloor), text != "off" {
            guard let floor = Int(text), -120...0 ~= floor else {
                throw UsageError(
                    "--rssi-floor takes off or a number of dBm from -120 to 0, not '\(text)'", subcommand: .dashboard)
            }
            screen.strengthFloor = floor
        }
        if arguments.has(.fahrenheit) { screen.temperatureUnit = .fahrenheit }
        if let name = arguments.value(of: .glyphs) {
            guard let glyphs = GlyphSet(rawValue: name) else {
                throw UsageError("there are no glyphs '\(name)'; take braille, blocks or ascii", subcommand: .dashboard)
            }
            screen.glyphs = glyphs
        }
        if let when = arguments.value(of: .color), !["auto", "always", "never"].contains(when) {
            throw UsageError("--color takes auto, always or never, not '\(when)'", subcommand: .dashboard)
        }
    }
}
