import CommandLineInterface
import Configuration
import Vitals

extension Settings {
    /// The patient whose record a command reads: from the command line, or else from the configuration file.
    ///
    /// - Returns: `nil` for the patient without a name.
    /// - Throws: ``CommandError``.
    static func patient(_ arguments: CommandLineArguments) throws(CommandError) -> PatientName? {
        try toStart(arguments).patient.name
    }
}
