/// Why there is no private bus; the description is a sentence, with the remedy if there is one.
public enum PrivateBusError: Error, Hashable, Sendable, CustomStringConvertible {
    /// `dbus-daemon` is not in any folder of `PATH`.
    case notInstalled
    /// No folder for the socket could be made.
    case noDirectory(reason: String)
    /// `dbus-daemon` could not be started.
    case cannotStart(reason: String)
    /// `dbus-daemon` ended, or did not print its address.
    case noAddress(reason: String)

    /// What happened, and what to do.
    public var description: String {
        switch self {
        case .notInstalled:
            "The program dbus-daemon is missing, which the simulator needs; install the Debian package dbus-daemon."
        case .noDirectory(let reason): "No folder for the simulator's bus could be made: \(reason)."
        case .cannotStart(let reason): "The simulator's bus could not be started: \(reason)."
        case .noAddress(let reason): "The simulator's bus did not come up: \(reason)."
        }
    }
}
