import CommandLineInterface
import Configuration
import Engine
import Recording
import UserFiles
import Vitals

/// `bedside completions`: prints the completion of the command line for a shell.
enum CompletionsCommand {
    /// Prints the script for the shell in the operand, or the remembered sensors for it.
    ///
    /// - Throws: ``CommandError`` for an unknown operand, or a store that cannot be read.
    static func run(_ arguments: CommandLineArguments) throws(CommandError) -> ExitStatus {
        let names = Shell.allCases.map(\.rawValue)
        guard let name = arguments.operands.first else {
            throw arguments.mistake("say for which shell: \(names.joined(separator: ", "))")
        }
        if name == "sensors" { return printText(SensorWords.lines(try sensors(arguments))) }
        guard let shell = Shell(rawValue: name) else {
            throw arguments.mistake("there is no completion for '\(name)'\(UsageError.hint(name, names + ["sensors"]))")
        }
        return printText(shell.completionScript)
    }

    /// The remembered sensors of the patient.
    private static func sensors(_ arguments: CommandLineArguments) throws(CommandError) -> [RememberedSensor] {
        let patient = try Settings.patient(arguments)
        let path: String
        do throws(UserFileError) {
            path = try StorePath.current(of: patient, isSimulated: arguments.has(.simulatedStore))
        } catch {
            throw CommandError(error.description, status: .noInput)
        }
        do throws(StoreError) {
            return try SensorMemory.read(path)
        } catch {
            throw RecordedStore.failure(error)
        }
    }
}
