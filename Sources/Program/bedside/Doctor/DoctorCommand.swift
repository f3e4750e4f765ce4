import BlueZ
import CommandLineInterface
import Configuration
import CSystem
import Dashboard
import Doctor
import Engine
import EventLoops
import Formats
import Glibc
import Loudspeaker
import Recording
import Sensors
import Status
import Terminal
import UserFiles
import Vitals
import Wording

/// `bedside doctor`: checks Bedside's requirements, and prints remedies.
@ScreenActor
enum DoctorCommand {
    /// Prints the report and returns the exit status of its worst verdict.
    ///
    /// - Throws: ``CommandError`` for invalid options.
    static func run(_ arguments: CommandLineArguments) async throws(CommandError) -> ExitStatus {
        // Signals are not handled here; there is nothing to restore.
        SignalWatch.unblock([SIGINT, SIGTERM, SIGHUP, SIGTSTP])
        var screen = Facts()
        ScreenExamination.run(&screen)
        let hasColors: Bool
        do throws(UsageError) {
            hasColors = try StandardOutput.showsColors(
                arguments, ifAble: screen.terminal.map { $0.isKnown && $0.colors >= 8 } ?? false)
        } catch {
            throw CommandError(error)
        }
        let facts = await examine(screen, arguments)
        let report = Report(facts)
        let printed =
            arguments.has(.json)
            ? printText(DoctorJSON.text(report, facts))
            : printText(text(report, facts, hasColors))
        guard printed == .success else { return printed }
        switch report.verdict {
        case .skipped, .ok: return .success
        case .advice: return .advice
        case .trouble: return .trouble
        }
    }

    /// Adds all other facts to those about screen and locale.
    static func examine(_ screen: Facts, _ arguments: CommandLineArguments) async -> Facts {
        var facts = screen
        FileExamination.run(&facts, arguments)
        SoundExamination.run(&facts, arguments)
        var bluetooth = BluetoothExamination()
        facts.bluetooth = await bluetooth.run()
        facts.signals.notifications = await bluetooth.notifications()
        facts.broker = await WardExamination.run(arguments)
        return facts
    }

    private static func text(_ report: Report, _ facts: Facts, _ hasColors: Bool) -> String {
        report.text(
            Report.Style(
                hasSymbols: facts.locale.glyphs != "ascii", hasColors: hasColors, width: StandardOutput.width))
    }
}

extension BluetoothExamination {
    /// Collects facts from the kernel.
    mutating func examineComputer() {
        var system = utsname()
        if uname(&system) == 0 {
            let release = withUnsafeBytes(of: &system.release) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            facts.kernel = "Linux \(release)"
        }
        facts.kernelAdapters = FolderListing.names(in: "/sys/class/bluetooth")?.filter {
            $0.hasPrefix("hci") && !$0.contains(":")
        }
        facts.switches = RadioSwitch().states().filter(\.isBluetooth).map {
            RadioSwitchFacts(name: $0.name, isSoftBlocked: $0.isSoftBlocked, isHardBlocked: $0.isHardBlocked)
        }
        facts.isDaemonInstalled = InstalledDaemon.path != nil
    }
}

/// The installed program of bluetoothd, running or not.
enum InstalledDaemon {
    /// Its paths in distributions.
    private static let paths = [
        "/usr/libexec/bluetooth/bluetoothd", "/usr/lib/bluetooth/bluetoothd", "/usr/sbin/bluetoothd",
        "/usr/local/libexec/bluetooth/bluetoothd",
    ]

    /// Its path; `nil` when it is not installed.
    static var path: String? { paths.first { access($0, X_OK) == 0 } }

    /// Its version; `nil` without an answer within two seconds.
    static func version() -> String? {
        guard let path else { return nil }
        var pipe: [Int32] = [-1, -1]
        guard csystem_pipe(&pipe) == 0 else { return nil }
        let output = pipe[0]
        let started = try? ChildProcess.start(
            [path, "--version"], input: .nothing, output: .descriptor(pipe[1]), errors: .nothing)
        close(pipe[1])
        defer { close(output) }
        guard let process = started else { return nil }
        defer { ChildProcess.end(process) }
        var request = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
        guard poll(&request, 1, 2000) > 0 else { return nil }
        var buffer = [UInt8](repeating: 0, count: 64)
        let count = read(output, &buffer, buffer.count)
        return count > 0 ? DaemonVersion.version(printed: String(decoding: buffer[..<count], as: UTF8.self)) : nil
    }
}

/// Examines the user's folders and the configuration, without creating any.
enum FileExamination {
    /// Completes facts with the folders and the configuration.
    static func run(_ facts: inout Facts, _ arguments: CommandLineArguments) {
        do throws(UserFileError) {
            let folders = try UserDirectories.current()
            facts.folders = [
                FolderFacts(purpose: "state", path: folders.state, state: state(of: folders.state)),
                FolderFacts(purpose: "data", path: folders.data, state: state(of: folders.data)),
                FolderFacts(
                    purpose: "config", path: folders.configuration, state: state(of: folders.configuration)),
            ]
            facts.damagedStores = damagedStores(folders)
            let patient = patient(arguments)
            let memory = memory(of: patient)
            facts.sensors = sensors(memory)
            facts.refusing = refusing(MonitorFinder(of: patient, in: folders))
            facts.diskRoom = room(below: folders.data)
            facts.clock = ClockFacts(
                now: Moment.now().wallMilliseconds,
                newestValue: memory.contacts.values.compactMap(\.measurement?.wallMilliseconds).max())
        } catch {
            facts.folderProblem = error.description
        }
        facts.configuration = configuration(arguments)
        facts.confinement = confinement(arguments)
    }

    /// The configured patient; `nil` for the one without a name.
    private static func patient(_ arguments: CommandLineArguments) -> PatientName? {
        (try? ConfigurationFile(arguments)?.read()?.settings)?.patient.name
    }

    /// What the store of a patient remembers; nothing if it cannot be read.
    private static func memory(of patient: PatientName?) -> StoredMemory {
        (try? StorePath.current(of: patient, isSimulated: false)).flatMap {
            try? SensorMemoryFile.read($0)
        } ?? StoredMemory()
    }

    /// The free bytes of a folder, or of the nearest one above it that exists.
    private static func room(below folder: String) -> Int64? {
        var parts = folder.split(separator: "/")
        while !parts.isEmpty {
            let path = parts.map { "/\($0)" }.joined()
            if access(path, F_OK) == 0 { return StoreFile.room(beside: "\(path)/\(StoreFile.name)") }
            parts.removeLast()
        }
        return nil
    }

    /// The sensors that refuse the patient's monitor, if one runs.
    private static func refusing(_ finder: MonitorFinder) -> [String] {
        (try? finder.ask())?.sensors.filter(\.isRefusing).map(\.name) ?? []
    }

    /// The remembered sensors, in the order in which they were first remembered.
    private static func sensors(_ memory: StoredMemory) -> [SensorFacts] {
        let now = Moment.now()
        let time = TimeText(now: now, timeZoneOffset: now.localTimeOffset)
        return memory.sensors.map { sensor in
            let contact = memory.contacts[sensor.address]
            return SensorFacts(
                name: sensor.identity.name, clauses: contact?.phrases(time) ?? [], battery: contact?.battery?.percent)
        }
    }

    /// The damaged stores of all patients, real and simulated.
    private static func damagedStores(_ folders: UserDirectories) -> [String] {
        let patients = (FolderListing.names(in: folders.data + "/patients") ?? []).map { "patients/\($0)/" }
        return ([""] + patients).flatMap { patient in
            ["", "simulated/"].flatMap { kind in
                let folder = "\(folders.data)/\(patient)\(kind)"
                return StoreFile.damagedStores(beside: folder + StoreFile.name).map { folder + $0 }
            }
        }
    }

    private static func configuration(_ arguments: CommandLineArguments) -> ConfigurationFact {
        guard let file = ConfigurationFile(arguments) else { return .unknown }
        do throws(ConfigurationFileError) {
            return try file.read() == nil ? .absent(path: file.path) : .valid(path: file.path)
        } catch {
            return .invalid(path: file.path, sentence: error.sentences.first ?? "", count: error.sentences.count)
        }
    }

    private static func confinement(_ arguments: CommandLineArguments) -> ConfinementFact {
        guard let version = Landlock.version else { return .unavailable }
        if Confinement.isSwitchedOff { return .switchedOff(variable: Confinement.variable) }
        let settings = (try? ConfigurationFile(arguments)?.read()?.settings) ?? Settings()
        return Confinement.suits(settings) ? .restricts(version: version) : .unsuitable
    }

    private static func state(of path: String) -> FolderFacts.State {
        var status = stat()
        if stat(path, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFDIR else { return .unusable(reason: "it is not a folder") }
            guard access(path, W_OK | X_OK) == 0 else { return .unusable(reason: String(cString: strerror(errno))) }
            return .usable(mode: UInt16(truncatingIfNeeded: status.st_mode & 0o777))
        }
        guard errno == ENOENT else { return .unusable(reason: String(cString: strerror(errno))) }
        // It would be created in the nearest existing parent.
        let parent = path.split(separator: "/").dropLast().map { "/\($0)" }.joined()
        guard !parent.isEmpty else {
            return access("/", W_OK) == 0 ? .missing : .unusable(reason: String(cString: strerror(errno)))
        }
        switch state(of: parent) {
        case .usable, .missing: return .missing
        case .unusable(let reason): return .unusable(reason: reason)
        }
    }
}

/// Examines the terminal and the other alarm signals.
enum ScreenExamination {
    /// Completes facts with the terminal, the locale and the signals.
    static func run(_ facts: inout Facts) {
        // Read first, because TerminalTraits sets the locale.
        facts.locale.name = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap(Environment.value).first ?? ""
        facts.locale.isInstalled = setlocale(LC_CTYPE, "") != nil
        let traits = TerminalTraits.current()
        facts.locale.codeset = traits.codeset
        facts.locale.glyphs = traits.suitableGlyphs.rawValue
        facts.locale.sample = traits.suitableGlyphs.sample
        facts.signals.isRemote = Environment.isRemote
        guard let size = terminalSize() else { return }
        let capabilities = TerminalCapabilities(type: traits.type)
        facts.signals.hasBell = capabilities.hasBell
        facts.terminal = TerminalFacts(
            type: traits.type, isKnown: capabilities.isKnown, colors: capabilities.colorCount,
            isColorRefused: traits.isColorRefused, columns: size.columns, rows: size.rows)
    }

    /// The size of the controlling terminal, even if the output goes into a pipe.
    private static func terminalSize() -> (columns: Int, rows: Int)? {
        let controlling = open("/dev/tty", O_RDONLY | O_CLOEXEC | O_NOCTTY)
        defer { if controlling >= 0 { close(controlling) } }
        for descriptor in [STDOUT_FILENO, STDERR_FILENO, STDIN_FILENO, controlling] where isatty(descriptor) == 1 {
            var window = winsize()
            guard csystem_window_size(descriptor, &window) == 0, window.ws_col > 0, window.ws_row > 0 else {
                return (80, 24)
            }
            return (Int(window.ws_col), Int(window.ws_row))
        }
        return nil
    }
}

/// Examines the computer's sound system.
enum SoundExamination {
    /// Adds facts about sound, and plays a tone if the user requests it.
    static func run(_ facts: inout Facts, _ arguments: CommandLineArguments) {
        let extent: SoundCheck.Extent =
            arguments.has(.listen) ? .listen : arguments.has(.tone) ? .play : .open
        facts.signals.isToneWanted = extent != .open
        let settings = (try? ConfigurationFile(arguments)?.read()?.settings) ?? Settings()
        facts.signals.isSoundWanted = settings.alarms.usesSpeakers
        facts.signals.speakers =
            switch SoundCheck.run(extent) {
            case .opened: .opened
            case .played: .played
            case .listened(.heard(let decibels)): .heard(decibels: decibels)
            case .listened(.notHeard): .notHeard
            case .listened(.muted): .muted
            case .noMicrophone(let reason): .noMicrophone(reason: reason)
            case .unavailable(let reason): .unavailable(reason: reason)
            }
    }
}
