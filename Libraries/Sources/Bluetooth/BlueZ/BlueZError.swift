import DBus

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

extension BlueZError {
    /// Classifies an error of the bus or the daemon.
    init(classifying failure: DBusConnectionError) {
        switch failure {
        case .remote(let name, let message):
            self.init(Self.kind(name, message), name: name, text: message)
        case .timedOut: self.init(.timedOut)
        case .disconnected: self.init(.busLost)
        case .cannotConnect(let name, let message): self.init(.busLost, name: name, text: message)
        case .invalidMessage(let reason): self.init(.invalidArguments, text: reason)
        case .unexpectedReply: self.init(.unexpectedAnswer, text: failure.description)
        }
    }

    private static func kind(_ name: String, _ text: String) -> Kind {
        if let kind = kindsByName[name] { return kind }
        if name == "org.bluez.Error.Failed" { return kindOfFailed(text) }
        return name.hasPrefix("org.freedesktop.DBus.Error.Spawn.") ? .daemonGone : .failed
    }

    /// The meaning of an error name (`src/error.c` of BlueZ; D-Bus specification, "Error names").
    private static let kindsByName: [String: Kind] = [
        "org.bluez.Error.AlreadyConnected": .alreadyConnected,
        "org.bluez.Error.AlreadyExists": .alreadyExists,
        "org.bluez.Error.AuthenticationCanceled": .authenticationFailed,
        "org.bluez.Error.AuthenticationFailed": .authenticationFailed,
        "org.bluez.Error.AuthenticationRejected": .authenticationFailed,
        "org.bluez.Error.AuthenticationTimeout": .authenticationFailed,
        "org.bluez.Error.Busy": .busy,
        "org.bluez.Error.ConnectionAttemptFailed": .connectionAborted,
        "org.bluez.Error.DoesNotExist": .unknownObject,
        "org.bluez.Error.InProgress": .inProgress,
        "org.bluez.Error.InvalidArguments": .invalidArguments,
        "org.bluez.Error.InvalidOffset": .invalidArguments,
        "org.bluez.Error.InvalidValueLength": .invalidArguments,
        "org.bluez.Error.NoSuchAdapter": .noAdapter,
        "org.bluez.Error.NotAuthorized": .notAuthorized,
        "org.bluez.Error.NotAvailable": .unknownObject,
        "org.bluez.Error.NotConnected": .notConnected,
        "org.bluez.Error.NotPermitted": .notPermitted,
        "org.bluez.Error.NotReady": .notReady,
        "org.bluez.Error.NotSupported": .notSupported,
        "org.freedesktop.DBus.Error.AccessDenied": .accessDenied,
        "org.freedesktop.DBus.Error.Disconnected": .busLost,
        "org.freedesktop.DBus.Error.InvalidArgs": .invalidArguments,
        "org.freedesktop.DBus.Error.NameHasNoOwner": .daemonGone,
        // The bus's answer when the daemon ends during a call.
        "org.freedesktop.DBus.Error.NoReply": .daemonGone,
        "org.freedesktop.DBus.Error.ServiceUnknown": .daemonGone,
        "org.freedesktop.DBus.Error.UnknownInterface": .unknownObject,
        // The daemon's error for a path that no longer exists.
        "org.freedesktop.DBus.Error.UnknownMethod": .notSupported,
        "org.freedesktop.DBus.Error.UnknownObject": .unknownObject,
    ]

    /// Quirk failed-says-it-in-words: the meaning of the text of `org.bluez.Error.Failed` (`src/error.h` of BlueZ, and
    /// errors of the kernel as text).
    private static func kindOfFailed(_ text: String) -> Kind {
        switch text {
        case "Operation already in progress", "le-connection-busy", "br-connection-busy": .inProgress
        case "Already Connected", "le-connection-already-connected", "br-connection-already-connected":
            .alreadyConnected
        case "Not connected": .notConnected
        case "Input/output error": .inputOutput
        case "No discovery started", "No notify session started": .nothingToStop
        case "br-connection-canceled", "le-connection-canceled", "Operation canceled": .cancelled
        case "le-connection-abort-by-local", "br-connection-aborted-by-local", "Software caused connection abort",
            "le-connection-timeout", "br-connection-timeout", "Connection timed out", "Host is down",
            "br-connection-page-timeout", "le-connection-unknown", "br-connection-unknown":
            .connectionAborted
        case "le-connection-refused", "br-connection-refused", "le-connection-abort-by-remote",
            "br-connection-aborted-by-remote", "Connection refused", "Connection reset by peer":
            .connectionRefused
        case "Not Powered", "le-connection-adapter-not-powered", "br-connection-adapter-not-powered": .notReady
        case "le-connection-not-supported", "br-connection-not-supported": .notSupported
        default: attributeCode(text).map { .attribute(code: $0) } ?? .failed
        }
    }

    /// The code in a text such as `Operation failed with ATT error: 0x80`.
    private static func attributeCode(_ text: String) -> UInt8? {
        let prefix = "Operation failed with ATT error: 0x"
        guard text.hasPrefix(prefix) else { return nil }
        return UInt8(text.dropFirst(prefix.count).prefix { $0.isHexDigit }, radix: 16)
    }
}
