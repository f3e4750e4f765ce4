import CommandLineInterface
import Configuration
import Vitals

extension Settings {
    /// Whose record a command is to read: what the command line says, or else the configuration file.
    ///
    /// - Returns: `nil` for the one patient that has no name.
    /// - Throws: ``CommandError``.
    static func patient(_ arguments: CommandLineArguments) throws(CommandError) -> PatientName? {
        try toStart(arguments).patient.name
    }
}
