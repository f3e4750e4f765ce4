import BlueZSimulator
import CommandLineInterface
import Configuration
import Glibc
import Engine
import Recording
import SetupPage
import Terminal
import UserFiles
import Vitals

/// `bedside setup`: the first setup, on a page of the terminal or with the answers of a file.
@ScreenActor
enum SetupCommand {
    /// Asks and writes.
    ///
    /// - Throws: ``CommandError``; then nothing was written.
    static func run(_ arguments: CommandLineArguments) async throws(CommandError) -> ExitStatus {
        guard let file = ConfigurationFile(arguments) else {
            throw CommandError("There is no home folder for the configuration. Set HOME.", status: .noInput)
        }
        let isTrial = arguments.has(.simulate)
        // A wrong name is said before the page takes the terminal.
        if isTrial { _ = try Scenario.chosen(arguments.value(of: .simulate)) }
        var state = try begin(file)
        let service = LoginService(file: file)
        if let path = arguments.value(of: .answers) {
            return try await answer(from: path, &state, file, service, arguments)
        }
        if arguments.has(.setupDryRun) { throw arguments.mistake("--dry-run is for --answers FILE") }
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
            throw CommandError(
                "The set-up asks on a terminal, and this is none. Without one: bedside setup --answers FILE",
                status: .usage)
        }
        let screen = SetupScreen(state, path: file.path, commands: service.commands, isTrial: isTrial)
        let end = try await ask(screen, arguments)
        guard case .write(let answered, let isSimulated) = end.result else {
            guard end.status == .success else { return end.status }
            return printText(isTrial ? trialEnd : "Nothing was written.\n")
        }
        try write(answered, file, service, isSimulated: isSimulated)
        return printLastWords(answered)
    }

    /// Shows the page at the very first start, before the screen.
    ///
    /// - Returns: The exit status where the screen must not follow: after a signal, or when the terminal is gone.
    /// - Throws: ``CommandError`` for what could not be written.
    static func runFirst(_ arguments: CommandLineArguments) async throws(CommandError) -> ExitStatus? {
        guard let file = ConfigurationFile(arguments) else { return nil }
        let service = LoginService(file: file)
        let screen = SetupScreen(
            try begin(file), path: file.path, commands: service.commands, isFirstStart: true)
        let end = try await ask(screen, arguments)
        switch end.result {
        case .nothing: return end.status
        case .left: return nil
        case .write(let answered, let isSimulated):
            try write(answered, file, service, isSimulated: isSimulated)
            // The card would say again what the page has said.
            _ = FirstStart.isNow(isSimulated: false)
            return nil
        }
    }

    private static func ask(
        _ screen: SetupScreen, _ arguments: CommandLineArguments
    ) async throws(CommandError) -> SetupController.End {
        do throws(TerminalError) {
            return try await SetupController(screen, arguments).run()
        } catch {
            throw CommandError(error.description, status: .unavailable)
        }
    }

    /// The last words of a trial.
    private static let trialEnd = """
        Nothing was written (--simulate). In earnest: bedside setup. To see such sensors on the screen: bedside --simulate

        """

    private static func printLastWords(_ state: SetupState) -> ExitStatus {
        printText(state.start == nil ? "To begin: bedside\n" : "It runs now. To see it: bedside\n")
    }

    private static func begin(_ file: ConfigurationFile) throws(CommandError) -> SetupState {
        do throws(ConfigurationFileError) {
            let document = try file.documentToChange()
            do throws(ConfigurationErrors) {
                return try SetupState(document)
            } catch {
                throw ConfigurationFileError(
                    error.list.map { $0.sentence(file: file.path) }, cause: .invalid)
            }
        } catch {
            throw CommandError(error)
        }
    }

    // MARK: Without a screen

    private static func answer(
        from path: String, _ state: inout SetupState, _ file: ConfigurationFile, _ service: LoginService,
        _ arguments: CommandLineArguments
    ) async throws(CommandError) -> ExitStatus {
        let answers = try read(path)
        // The store with the remembered sensors depends on the bus, as for a monitor.
        var isSimulated = arguments.has(.simulate)
        if !answers.sensors.isEmpty {
            if !isSimulated {
                var bluetooth = BluetoothExamination()
                isSimulated = await bluetooth.run().isSimulated
            }
            state.remembered = try remembered(of: state.present.patient.name, isSimulated: isSimulated).sensors
        }
        do throws(ConfigurationError) {
            try state.answer(answers)
        } catch {
            throw CommandError("\(path): \(error.reason). Nothing was written.", status: .malformedData)
        }
        let plan = state.plan(path: file.path) { service.commands[$0] ?? [] }
        let printed = printText(plan.map { $0 + "\n" }.joined())
        guard printed == .success else { return printed }
        if arguments.has(.simulate) { return printText(trialEnd) }
        if arguments.has(.setupDryRun) { return printText("Nothing was written (--dry-run).\n") }
        if state.changesNothing { return .success }
        try write(state, file, service, isSimulated: isSimulated)
        return printLastWords(state)
    }

    private static func read(_ path: String) throws(CommandError) -> SetupAnswersFile {
        let bytes: [UInt8]?
        do throws(UserFileError) {
            bytes = try PrivateFile.read(path, limit: ConfigurationDocument.sizeLimit + 1)
        } catch {
            throw CommandError("\(error.description) Nothing was written.", status: .noInput)
        }
        guard let bytes else { throw CommandError("There is no file \(path). Nothing was written.", status: .noInput) }
        do throws(ConfigurationErrors) {
            return try SetupAnswersFile(ConfigurationDocument(bytes: bytes))
        } catch {
            let sentences = error.list.map { $0.sentence(file: path) } + ["nothing was written; correct the answers"]
            throw CommandError(sentences.joined(separator: "\nbedside: "), status: .malformedData)
        }
    }

    /// The data from a patient's store; nothing if it cannot be read.
    ///
    /// - Throws: ``CommandError`` for the store of another version, which would take no sensors later.
    static func remembered(
        of patient: PatientName?, isSimulated: Bool
    ) throws(CommandError) -> StoredMemory {
        guard let path = try? StorePath.current(of: patient, isSimulated: isSimulated) else { return StoredMemory() }
        do throws(StoreError) {
            return try SensorMemoryFile.read(path)
        } catch {
            if error.kind == .otherVersion { throw RecordedStore.failure(error, to: "Nothing was written") }
            return StoredMemory()
        }
    }

    // MARK: Writing

    /// Writes everything: first the settings, then the sensors; then starts the service.
    private static func write(
        _ state: SetupState, _ file: ConfigurationFile, _ service: LoginService, isSimulated: Bool
    ) throws(CommandError) {
        if state.newDocument != state.document {
            do throws(ConfigurationFileError) {
                try write(state, to: file)
            } catch {
                throw CommandError(
                    ConfigurationFileError(error.sentences + ["nothing was written"], cause: error.cause))
            }
        }
        if !state.newSensors.isEmpty {
            let patient = state.settings.patient.name
            do {
                try SensorMemoryFile.remember(
                    state.newSensors, in: StorePath.current(of: patient, isSimulated: isSimulated))
                _ = printText(
                    "Sensors to connect are remembered\(isSimulated ? ", apart, as simulated ones" : "").\n")
            } catch {
                throw CommandError(
                    "The settings are written, but the sensors are not: \(error)", status: .inputOutputError)
            }
        }
        if isMonitored(state.settings.patient.name) {
            _ = printText("A monitor runs already: start it again, so that it takes this over.\n")
        }
        if let start = state.start { try service.start(start) }
    }

    private static func write(_ state: SetupState, to file: ConfigurationFile) throws(ConfigurationFileError) {
        guard try file.documentToChange() == state.document else {
            throw ConfigurationFileError(
                ["\(file.path) was changed meanwhile; begin again: bedside setup"], cause: .unwritable)
        }
        let document = state.newDocument
        // A key in a form that cannot be extended, such as a table in braces within dots, stays unchanged.
        guard (try? Settings(document)) == state.settings else {
            throw ConfigurationFileError(
                ["\(file.path) has a form that cannot be changed here; edit it: bedside config path"],
                cause: .invalid)
        }
        try file.write(document)
        _ = printText("Written: \(file.path)\n")
    }

    private static func isMonitored(_ patient: PatientName?) -> Bool {
        guard let directories = try? UserDirectories.current() else { return false }
        return (try? MonitorFinder(of: patient, in: directories).ask()) != nil
    }
}
