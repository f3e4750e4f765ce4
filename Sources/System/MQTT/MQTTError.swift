/// Why there is no connection to a broker: a phrase for the user.
public struct MQTTError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of error it is.
    public enum Kind: Hashable, Sendable {
        /// libmosquitto is not installed.
        case noLibrary
        /// A file for the connection is missing or cannot be used.
        case file
        /// The broker could not be reached, or did not answer.
        case unreachable
        /// One side does not trust the other's certificate.
        case certificate
        /// The broker rejects this client.
        case refused
        /// The connection was lost.
        case lost
    }

    public let kind: Kind
    /// The phrase: "the broker refuses the connection".
    public let description: String

    public init(_ kind: Kind, _ description: String) {
        (self.kind, self.description) = (kind, description)
    }
}
