import Appearance
import Base
import BlueZSimulator
import CommandLineInterface
import Configuration
import Dashboard
import DBus
import Engine
import EventLoops
import JSON
import UserFiles
import Vitals
import Wording

extension Settings {
    /// The settings of the start: the defaults, then the configuration file's, then the command line's.
    ///
    /// - Throws: ``CommandError``; also for an invalid configuration file, because unintended limits would be worse than a
    ///   short delay.
    static func toStart(_ arguments: CommandLineArguments) throws(CommandError) -> Settings {
        do throws(ConfigurationFileError) {
            let advice = "nothing was started; correct the file, or start with the default settings: --no-config"
            return try read(arguments, adviceAboutFile: [advice])
        } catch {
            throw CommandError(error)
        }
    }

    /// The settings read again while the program runs.
    ///
    /// - Throws: ``ConfigurationFileError`` with all errors.
    static func reread(_ arguments: CommandLineArguments) throws(ConfigurationFileError) -> Settings {
        try read(arguments, adviceAboutFile: [])
    }

    private static func read(
        _ arguments: CommandLineArguments, adviceAboutFile: [String]
    ) throws(ConfigurationFileError) -> Settings {
        var settings = Settings()
        if let file = ConfigurationFile(arguments) {
            do throws(ConfigurationFileError) {
                if let read = try file.read() { settings = read.settings }
            } catch {
                throw ConfigurationFileError(error.sentences + adviceAboutFile, cause: error.cause)
            }
        }
        do throws(UsageError) {
            try settings.apply(arguments)
        } catch {
            throw ConfigurationFileError([error.description], cause: .invalidStart)
        }
        _ = try ThemeFolder.theme(for: settings.screen)
        return settings
    }

    private mutating func apply(_ arguments: CommandLineArguments) throws(UsageError) {
        let entries = Set(schedule.entries.map(\.name))
        for text in arguments.values(of: .set) { try apply(assignment: text, arguments.subcommand) }
        for entry in schedule.entries.map(\.name) where !entries.contains(entry) {
            try expectWholeEntry(entry, among: entries, arguments)
        }
        if arguments.has(.fahrenheit) { screen.units = .fahrenheit }
        if arguments.has(.reduceMotion) { monitor.alarmSignals.isMotionReduced = true }
        if arguments.has(.noRecording) { recording.isEnabled = false }
        if arguments.has(.mouse) { screen.usesMouse = true }
        if arguments.has(.noWelcome) { screen.welcomes = false }
        if arguments.has(.showCursor) { screen.isCursorShown = true }
        if arguments.has(.connect) { sensors.connect = arguments.values(of: .connect) }
        for setting in SettingTable.settings where setting.option != Option.connect.name {
            guard let value = arguments.options.last(where: { $0.option.name == setting.option })?.value else {
                continue
            }
            do throws(ConfigurationError) {
                try setting.set(value, in: &self)
            } catch {
                throw UsageError("--\(setting.option ?? ""): \(error.reason)", subcommand: arguments.subcommand)
            }
        }
        // A screen shows that there is no sensor; a monitor without a screen must report it.
        monitor.technical.reportsNothingMonitored = arguments.subcommand == .record && sensors.connect.isEmpty
        if let contradiction { throw UsageError(contradiction, subcommand: arguments.subcommand) }
    }

    /// Refuses an entry of the schedule that only a slip of the keys has made: a new one has both its times.
    private func expectWholeEntry(
        _ name: String, among known: Set<String>, _ arguments: CommandLineArguments
    ) throws(UsageError) {
        let isWhole = ["from", "to"].allSatisfy { key in
            arguments.values(of: .set).contains { $0.hasPrefix("schedule.\(name).\(key)=") }
        }
        if isWhole { return }
        let hint = nearestWord(to: name, among: known.sorted()).map { "; did you mean '\($0)'?" } ?? ""
        throw UsageError(
            "--set: there is no entry '\(name)' in the schedule, and a new one needs its from and its to\(hint)",
            subcommand: arguments.subcommand)
    }

    private mutating func apply(assignment text: String, _ subcommand: Subcommand) throws(UsageError) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 else {
            throw UsageError("--set takes SETTING=VALUE, not '\(text)'", subcommand: subcommand)
        }
        guard let setting = SettingTable.setting(named: parts[0]) else {
            let hint = nearestWord(to: parts[0], among: SettingTable.settings.map(\.name)).map {
                "; did you mean '\($0)'?"
            }
            throw UsageError("there is no setting '\(parts[0])'\(hint ?? "")", subcommand: subcommand)
        }
        do throws(ConfigurationError) {
            try setting.set(parts[1], in: &self)
        } catch {
            throw UsageError("--set \(setting.name): \(error.reason)", subcommand: subcommand)
        }
    }
}

extension ConfigurationFile {
    /// The file on the command line, or the default one; `nil` with `--no-config` or without a home folder.
    init?(_ arguments: CommandLineArguments) {
        if arguments.has(.noConfiguration) { return nil }
        if let path = arguments.value(of: .configuration) {
            self.init(path: path)
        } else if let usual = Self.usual {
            self = usual
        } else {
            return nil
        }
    }
}

extension MonitorFinder {
    /// Finds the monitor that the command line selects for a view; `nil` if the user has no folders.
    init?(_ patient: PatientName?, toView arguments: CommandLineArguments) {
        guard let directories = try? UserDirectories.current() else { return nil }
        self.init(
            of: patient, in: directories,
            accepting: arguments.has(.simulate) ? .simulated : arguments.has(.view) ? .any : .real)
    }
}

extension ScreenState {
    /// Applies the settings of the screen; `auto` selects the glyphs that the terminal supports.
    mutating func apply(_ settings: Settings, suitableGlyphs: GlyphSet) {
        session.patient = settings.patient.name
        session.title = settings.screen.bed
        units = DisplayUnits(settings)
        glyphs = GlyphSet(rawValue: settings.screen.glyphs.rawValue) ?? suitableGlyphs
        trends.show(settings.screen.trendWindow.window)
        list.strengthFloor = settings.sensors.signalFloor
        keys = settings.screen.keys
    }
}

extension DisplayUnits {
    /// The units of the settings.
    init(_ settings: Settings) {
        self.init(temperature: settings.screen.units, glucose: settings.screen.glucoseUnit)
    }
}

extension Settings {
    /// The patient whose record a command reads: from the command line, or else from the configuration file.
    ///
    /// - Returns: `nil` for the patient without a name.
    /// - Throws: ``CommandError``.
    static func patient(_ arguments: CommandLineArguments) throws(CommandError) -> PatientName? {
        try toStart(arguments).patient.name
    }

    /// Where a command writes into the patient's record: the monitor that runs, or else the store.
    ///
    /// - Parameter isSimulated: Whether it is that of simulated sensors.
    /// - Throws: ``CommandError`` without folders.
    func record(isSimulated: Bool) throws(CommandError) -> (finder: MonitorFinder, path: String) {
        do throws(UserFileError) {
            let finder = MonitorFinder(
                of: patient.name, in: try UserDirectories.current(), accepting: isSimulated ? .simulated : .any)
            return (finder, try StorePath.current(of: patient.name, isSimulated: isSimulated))
        } catch {
            throw CommandError(error.description, status: .noInput)
        }
    }
}

extension SensorSource {
    /// The system's sensors, or those of a simulator, which this starts, if the command line requests it.
    ///
    /// - Throws: ``CommandError`` with a sentence for the user.
    static func open(_ arguments: CommandLineArguments) async throws(CommandError) -> SensorSource {
        guard arguments.has(.simulate) else {
            return SensorSource(bus: .system, isSimulated: false, simulatorName: Simulator.controlName)
        }
        let scenario = try Scenario.chosen(arguments.value(of: .simulate))
        let (simulator, address) = try await Simulator.start(scenario)
        return SensorSource(
            bus: .address(address), isSimulated: true, isTrial: scenario.isTrial, simulatorName: Simulator.controlName,
            end: { await simulator.stop() })
    }
}

extension Simulator {
    /// Starts a simulator on another thread.
    ///
    /// - Returns: The simulator and the address of its bus.
    static func start(_ scenario: Scenario) async throws(CommandError) -> (Simulator, String) {
        let loop = EventLoop()
        loop.startThread(named: "simulator")
        let simulator = Simulator(loop: loop, scenario: scenario)
        do {
            return (simulator, try await simulator.start())
        } catch {
            throw CommandError("\(error)", status: .unavailable)
        }
    }
}

extension Scenario {
    /// Loads the scenario that the command line names.
    ///
    /// - Parameter name: A file, the name of a built-in scenario, or `nil` for the trial.
    /// - Throws: ``CommandError``.
    static func chosen(_ name: String?) throws(CommandError) -> Scenario {
        guard let name else { return .trial }
        do {
            return try load(path: name)
        } catch {
            throw CommandError(error.description, status: error.line == nil ? .noInput : .malformedData)
        }
    }
}
