import DBus

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
        case "le-connection-adapter-not-powered", "br-connection-adapter-not-powered": .notReady
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
