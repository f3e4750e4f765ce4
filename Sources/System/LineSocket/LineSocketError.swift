/// Why a monitor's socket cannot be used; the description is a sentence that says what helps.
public enum LineSocketError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The path is too long for a socket.
    case pathTooLong(path: String, limit: Int)
    /// The folder for the socket cannot be used, or belongs to another user; `reason` is a clause.
    case noFolder(path: String, reason: String)
    /// The socket cannot be made; `reason` is the system's.
    case cannotListen(path: String, reason: String)
    /// No process listens: no monitor runs, or it was killed.
    case noListener(path: String)
    /// The socket cannot be reached; `reason` is the system's.
    case cannotConnect(path: String, reason: String)
    /// The listening process belongs to another user.
    case stranger(path: String)
    /// The other side took too long.
    case tooSlow
    /// The other side ended the connection.
    case closed
    /// The other side sent a line that is too long.
    case lineTooLong(limit: Int)

    /// What happened, and what to do.
    public var description: String {
        switch self {
        case .pathTooLong(let path, let limit):
            """
            The path of the monitor's socket, \(path), has \(path.utf8.count) bytes, and Linux takes \(limit). Set \
            XDG_RUNTIME_DIR to a folder with a shorter name.
            """
        case .noFolder(let path, let reason):
            "The folder \(path) for the monitor's socket cannot be used: \(reason)."
        case .cannotListen(let path, let reason):
            "The monitor's socket \(path) cannot be created: \(reason)."
        case .noListener(let path): "No monitor listens at \(path)."
        case .cannotConnect(let path, let reason): "The monitor's socket \(path) cannot be reached: \(reason)."
        case .stranger(let path): "The monitor's socket \(path) belongs to another user."
        case .tooSlow: "The monitor does not answer. It may have been stopped, or the computer is very busy."
        case .closed: "The monitor has ended the connection."
        case .lineTooLong(let limit): "The monitor sent a line of more than \(limit) bytes, which is not allowed."
        }
    }
}
