import CommandLineInterface
import Engine

/// Why a subcommand fails: a sentence for the user, and the exit status.
struct CommandError: Error {
    let sentence: String
    let status: ExitStatus

    init(_ sentence: String, status: ExitStatus) {
        self.sentence = sentence
        self.status = status
    }

    /// The error of a command line.
    init(_ error: UsageError) {
        self.init(error.description, status: .usage)
    }

    /// The error of a configuration file, each sentence on a line.
    init(_ error: ConfigurationFileError) {
        self.init(error.sentences.joined(separator: "\nbedside: "), status: error.status)
    }

    /// Prints the sentence.
    ///
    /// - Returns: The exit status.
    func report() -> ExitStatus {
        complain(sentence)
        return status
    }
}

extension ConfigurationFileError {
    /// The exit status of a command that fails because of it.
    var status: ExitStatus {
        switch cause {
        case .invalid: .configuration
        case .unreadable: .noInput
        case .unwritable: .inputOutputError
        case .invalidStart: .usage
        }
    }
}
