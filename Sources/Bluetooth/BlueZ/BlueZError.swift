/// Why BlueZ refused something or something with BlueZ failed.
public struct BlueZError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What the failure means.
    public let kind: Kind
    /// The D-Bus error name, such as `org.bluez.Error.InProgress`; empty when the error does not come from the bus.
    public let name: String
    /// The text of the error; not for users.
    public let text: String

    public init(_ kind: Kind, name: String = "", text: String = "") {
        self.kind = kind
        self.name = name
        self.text = text
    }

    /// What a failure can mean.
    public enum Kind: Hashable, Sendable {
        /// The same operation is in progress.
        case inProgress
        /// The adapter is off.
        case notReady
        /// The adapter is being switched on or off.
        case busy
        /// There is a link already.
        case alreadyConnected
        /// There is no link.
        case notConnected
        /// The object exists already.
        case alreadyExists
        /// The daemon does not know the object: the adapter was unplugged, or the peripheral was not heard for 30 s.
        case unknownObject
        /// There is no adapter at all.
        case noAdapter
        /// The link could not be established, or this side gave up.
        case connectionAborted
        /// The other side refused or ended the link.
        case connectionRefused
        /// A pending connect was cancelled by a disconnect.
        case cancelled
        /// The kernel refused: the adapter is off, or the former link is still closing.
        case inputOutput
        /// The characteristic does not allow it.
        case notPermitted
        /// The operation or flag does not exist.
        case notSupported
        /// The link is not encrypted or authenticated strongly enough, or the daemon reserves the service for itself.
        case notAuthorized
        /// Pairing failed, was refused or was cancelled.
        case authenticationFailed
        /// An argument was wrong.
        case invalidArguments
        /// There is no discovery or notify session to stop.
        case nothingToStop
        /// The peripheral answered with an ATT error code (Core Specification, Vol 3 Part F, 3.4.1.1).
        case attribute(code: UInt8)
        /// No answer came within the time limit.
        case timedOut
        /// The bus's policy forbids it.
        case accessDenied
        /// The Bluetooth daemon does not run, or ended meanwhile.
        case daemonGone
        /// The message bus cannot be reached, or was lost meanwhile.
        case busLost
        /// The daemon's answer is malformed.
        case unexpectedAnswer
        /// Anything else.
        case failed
    }

    /// Name and text, for a log.
    public var description: String {
        switch (name.isEmpty, text.isEmpty) {
        case (true, true): "\(kind)"
        case (true, false): text
        case (false, true): name
        case (false, false): "\(name): \(text)"
        }
    }
}
