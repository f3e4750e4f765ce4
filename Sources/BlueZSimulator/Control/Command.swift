/// A line of the command language, understood.
enum Command: Hashable, Sendable {
    case action(SimulatedAction)
    case state
    case help
}

/// Why a line is no command.
struct CommandMistake: Error, Hashable {
    let reason: String
}
