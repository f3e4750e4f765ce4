/// A parsed line of the command language.
enum Command: Hashable, Sendable {
    case action(SimulatedAction)
    case state
    case help
    case statistics
    /// The newest events, up to this number.
    case events(Int)
    /// A number of seconds.
    case sleep(Double)
}

/// Why a line is not a valid command.
struct ControlCommandError: Error, Hashable {
    let reason: String
}
