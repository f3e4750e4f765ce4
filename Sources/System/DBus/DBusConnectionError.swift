import CDBus

/// Why something on the bus failed.
public enum DBusConnectionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The other side answered with an error; `name` is the D-Bus error name, such as `org.bluez.Error.InProgress`.
    case remote(name: String, message: String)
    /// No answer came in time.
    case timedOut
    /// The connection to the bus is lost.
    case disconnected
    /// The bus could not be reached; `name` is libdbus's error name.
    case cannotConnect(name: String, message: String)
    /// A name, path or value to send is not allowed by D-Bus.
    case invalidMessage(String)
    /// An answer does not have the types that were expected.
    case unexpectedReply(expected: String, found: String)

    /// The bus, or the process at its address, does not answer.
    static let noAnswer = cannotConnect(name: noReply, message: "it does not answer")

    /// The name of the error for a missing answer.
    static let noReply = "org.freedesktop.DBus.Error.NoReply"

    /// Whether a bus did not answer within the limit.
    public var isWithoutAnswer: Bool { self == Self.noAnswer }

    /// The D-Bus error name of a ``remote(name:message:)`` failure; otherwise `nil`.
    public var name: String? {
        switch self {
        case .remote(let name, _), .cannotConnect(let name, _): name
        default: nil
        }
    }

    /// What happened, for a log.
    public var description: String {
        switch self {
        case .remote(let name, let message): message.isEmpty ? name : "\(name): \(message)"
        case .timedOut: "no answer in time"
        case .disconnected: "the connection to the bus is gone"
        case .cannotConnect(_, let message): message
        case .invalidMessage(let reason): reason
        case .unexpectedReply(let expected, let found):
            "an answer of type '\(found)' came where '\(expected)' was expected"
        }
    }
}
