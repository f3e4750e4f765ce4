/// All that there is to know about a subcommand.
struct SubcommandDeclaration: Sendable {
    /// What it does, in one sentence.
    var summary: String
    /// What it does, in as many sentences as it takes.
    var explanation: String
    /// The options that it takes.
    var options: [Option]
    /// What follows the options, for the usage line.
    var operands = ""
    /// How many operands it takes.
    var operandCount = 0...0
    /// How it is used, in commands that can be typed as they are.
    var examples: [SubcommandExample] = []
}
