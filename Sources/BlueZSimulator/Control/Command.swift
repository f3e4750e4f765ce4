/// A line of the command language, understood.
enum Command: Hashable, Sendable {
    case action(SimulatedAction)
    case state
    case help
    case statistics
    /// The newest so many things that happened.
    case events(Int)
    /// So many seconds.
    case sleep(Double)
}

/// Why a line is no command.
struct ControlCommandError: Error, Hashable {
    let reason: String
}
