/// The declaration of a subcommand.
struct SubcommandDeclaration: Sendable {
    /// What it does, in one sentence.
    var summary: String
    /// What it does, in several sentences if necessary.
    var explanation: String
    /// The accepted options.
    var options: [Option]
    /// The operands after the options, for the usage line.
    var operands = ""
    /// The accepted number of operands.
    var operandCount = 0...0
    /// Examples of commands.
    var examples: [SubcommandExample] = []
}
