/// Why BlueZ refused something or something with BlueZ failed.
public struct BlueZError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What the failure means.
    public let kind: Kind
    /// The D-Bus error name, such as `org.bluez.Error.InProgress`; empty when the failure is not from the bus.
    public let name: String
    /// The text that came with it; not for people.
    public let text: String

    public init(_ kind: Kind, name: String = "", text: String = "") {
        self.kind = kind
        self.name = name
        self.text = text
    }

    /// What a failure can mean.
    public enum Kind: Hashable, Sendable {
        /// The same is being done already.
        case inProgress
        /// The adapter is off.
        case notReady
        /// The adapter is being switched right now.
        case busy
        /// There is a link already.
        case alreadyConnected
        /// There is no link.
        case notConnected
        /// The object is there already.
        case alreadyExists
        /// The daemon does not know the object: an adapter unplugged, a peripheral not heard of for 30 s.
        case unknownObject
        /// There is no adapter at all.
        case noAdapter
        /// The link could not be established, or was given up on this side.
        case connectionAborted
        /// The link was refused or ended by the other side.
        case connectionRefused
        /// A pending connect was cancelled by a disconnect.
        case cancelled
        /// The kernel refused: the adapter is off, or the former link is still closing.
        case inputOutput
        /// The characteristic does not allow it.
        case notPermitted
        /// The operation or flag is not there.
        case notSupported
        /// The link is not encrypted or not authenticated enough, or the daemon keeps the service for itself.
        case notAuthorized
        /// Pairing failed, was refused or was given up.
        case authenticationFailed
        /// An argument was wrong.
        case invalidArguments
        /// There is no discovery, notify session or the like that could be stopped.
        case nothingToStop
        /// The peripheral answered with an ATT error code (Core Specification, Vol 3 Part F, 3.4.1.1).
        case attribute(code: UInt8)
        /// No answer came in the time given.
        case timedOut
        /// The bus's policy forbids it.
        case accessDenied
        /// The Bluetooth daemon does not run, or went away meanwhile.
        case daemonGone
        /// The message bus is not reached, or was lost meanwhile.
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
