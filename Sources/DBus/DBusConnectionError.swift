import CDBus

/// Why something on the bus failed.
public enum DBusConnectionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The other side answered with an error; `name` is the D-Bus error name, such as `org.bluez.Error.InProgress`.
    case remote(name: String, message: String)
    /// No answer came in the time given.
    case timedOut
    /// The connection to the bus is gone.
    case disconnected
    /// The bus could not be reached; `name` is libdbus's error name.
    case cannotConnect(name: String, message: String)
    /// A name, path or value that D-Bus does not allow was to be sent.
    case invalidMessage(String)
    /// An answer does not have the types that were expected.
    case unexpectedReply(expected: String, found: String)

    /// The bus, or whoever listens at its address, does not answer.
    static let noAnswer = cannotConnect(name: noReply, message: "it does not answer")

    /// The name of the error that stands for an answer that did not come in time.
    static let noReply = "org.freedesktop.DBus.Error.NoReply"

    /// Whether a bus could not be reached because it did not answer within the limit.
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
