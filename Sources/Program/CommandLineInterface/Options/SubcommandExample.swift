/// An example of a command, for help and manual page.
public struct SubcommandExample: Hashable, Sendable {
    /// The command, as a line of a shell.
    public let command: String
    /// What it does, in one sentence.
    public let purpose: String

    init(_ command: String, _ purpose: String) {
        (self.command, self.purpose) = (command, purpose)
    }
}
