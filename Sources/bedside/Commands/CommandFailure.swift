import CommandLineTool

/// Why a command cannot do its work: a sentence for the user, and the exit status that it deserves.
struct CommandFailure: Error {
    let sentence: String
    let status: ExitStatus

    init(_ sentence: String, status: ExitStatus) {
        self.sentence = sentence
        self.status = status
    }

    /// Says the sentence, and answers the status to end with.
    func tell() -> ExitStatus {
        complain(sentence)
        return status
    }
}
