import CommandLineInterface
import Engine

/// Why a subcommand ends: a sentence for the user, and the status to end with.
struct CommandError: Error {
    let sentence: String
    let status: ExitStatus

    init(_ sentence: String, status: ExitStatus) {
        self.sentence = sentence
        self.status = status
    }

    /// The error of a configuration file, each sentence on a line.
    init(_ error: ConfigurationFileError) {
        self.init(error.sentences.joined(separator: "\nbedside: "), status: error.status)
    }

    /// Prints the sentence.
    ///
    /// - Returns: The status to end with.
    func report() -> ExitStatus {
        complain(sentence)
        return status
    }
}

extension ConfigurationFileError {
    /// The status of a command that ends because of it.
    var status: ExitStatus {
        switch cause {
        case .invalid: .configuration
        case .unreadable: .noInput
        case .unwritable: .inputOutputError
        case .invalidStart: .usage
        }
    }
}
