/// Why a command failed: a sentence for the user, and the exit status.
public struct CommandError: Error {
    /// The sentence.
    public let sentence: String
    /// The status to end with.
    public let status: ExitStatus

    public init(_ sentence: String, status: ExitStatus) {
        self.sentence = sentence
        self.status = status
    }

    /// Prints the sentence.
    ///
    /// - Returns: The status to end with.
    public func report() -> ExitStatus {
        complain(sentence)
        return status
    }
}
