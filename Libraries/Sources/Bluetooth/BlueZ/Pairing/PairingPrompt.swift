/// A question of a pairing to the user, or something to display (`org.bluez.Agent1`).
public enum PairingPrompt: Hashable, Sendable {
    /// Six digits to type on the peripheral, which has counted `entered` so far.
    ///
    /// Display-only; comes again whenever the count changes.
    case displayPasskey(String, entered: Int)
    /// A text of at most 16 octets to type on the peripheral; display-only.
    case displayPinCode(String)
    /// Whether the peripheral shows the same six digits; answered by yes or no.
    case confirmPasskey(String)
    /// Whether to pair at all; answered by yes or no.
    case authorize
    /// Whether the peripheral may use a service of this computer; answered by yes or no.
    case authorizeService(BluetoothUUID)
    /// The six digits that the peripheral shows; answered by ``PairingAnswer/passkey(_:)``.
    case enterPasskey
    /// The text that belongs to the peripheral; answered by ``PairingAnswer/pinCode(_:)``.
    case enterPinCode

    /// Whether the prompt is display-only.
    public var isDisplay: Bool {
        switch self {
        case .displayPasskey, .displayPinCode: true
        default: false
        }
    }
}

/// The user's answer to a ``PairingPrompt``.
public enum PairingAnswer: Hashable, Sendable {
    /// Yes; also the answer to a display-only prompt.
    case yes
    /// No, or an impossible answer; the pairing fails.
    case no
    /// The six digits that the peripheral shows, 0 to 999999.
    case passkey(UInt32)
    /// The text that belongs to the peripheral, 1 to 16 octets.
    case pinCode(String)

    /// Reads typed digits; `nil` when they are no passkey.
    public static func passkey(typed text: String) -> PairingAnswer? {
        guard (1...6).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return UInt32(text).map { .passkey($0) }
    }
}

/// What the user can see and type, which decides how a pairing is secured (`AgentManager1.RegisterAgent`).
public enum PairingCapability: String, Hashable, Sendable {
    /// A screen and a keyboard.
    case keyboardDisplay = "KeyboardDisplay"
    /// A screen, and two keys for yes and no.
    case displayYesNo = "DisplayYesNo"
    /// A screen only.
    case displayOnly = "DisplayOnly"
    /// A keyboard only.
    case keyboardOnly = "KeyboardOnly"
    /// Neither; the pairing is not protected against an attacker in between.
    case none = "NoInputNoOutput"
}

/// Why a pairing failed.
public struct PairingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What the failure means.
    public let reason: Reason
    /// The daemon's error, for a log; `nil` when it was not asked.
    public let error: BlueZError?

    public init(_ reason: Reason, _ error: BlueZError? = nil) {
        self.reason = reason
        self.error = error
    }

    /// What a failure can mean.
    public enum Reason: Hashable, Sendable, CaseIterable {
        /// Passkeys did not match, or the peripheral rejected them (`AuthenticationFailed`).
        case authenticationFailed
        /// This side cancelled the pairing (`AuthenticationCanceled`).
        case authenticationCanceled
        /// The peripheral refuses pairing (`AuthenticationRejected`).
        case authenticationRejected
        /// There was no answer in time (`AuthenticationTimeout`).
        case authenticationTimeout
        /// The user answered no.
        case declined
        /// The link was lost before the pairing was complete.
        case linkLost
        /// The peripheral could not be reached (`ConnectionAttemptFailed`).
        case connectionFailed
        /// It is paired already (`AlreadyExists`).
        case alreadyPaired
        /// Another pairing is in progress (`InProgress`).
        case busy
        /// The daemon does not know the peripheral.
        case unknownPeripheral
        /// The adapter is off, or there is none.
        case adapterNotReady
        /// The bus's policy forbids it.
        case accessDenied
        /// The daemon or the bus went away.
        case daemonGone
        /// The daemon cannot do it.
        case notSupported
        /// Anything else.
        case other
    }

    /// What happened and what to do, as a sentence for users.
    public var description: String {
        switch reason {
        case .authenticationFailed:
            "The pairing failed: the passkey was wrong, or it was not confirmed on the sensor. "
                + "Try again, and compare every digit."
        case .authenticationCanceled: "The pairing was cancelled. Begin again when you are ready."
        case .authenticationRejected:
            "The sensor refused to be paired. Put it into pairing mode as its manual says, and try again."
        case .authenticationTimeout:
            "There was no answer in time: a pairing has to be completed within 30 seconds. Try again."
        case .declined: "The pairing was declined here. Begin again if this was not meant."
        case .linkLost:
            "The connection was lost during the pairing. Bring the sensor nearer, and try again."
        case .connectionFailed:
            "The sensor could not be reached. Switch it on, bring it nearer, and try again."
        case .alreadyPaired:
            "The sensor is paired already. If it does not work, forget it and pair it anew."
        case .busy: "Another pairing is going on. Wait until it ends, and try again."
        case .unknownPeripheral:
            "The sensor has not been heard for a while. Switch it on, and try again when it is listed."
        case .adapterNotReady: "The Bluetooth adapter is off or missing. Switch it on, and try again."
        case .accessDenied:
            "This user may not pair sensors. Ask an administrator to add the user to the group 'bluetooth'."
        case .daemonGone: "The Bluetooth daemon has gone. Start it (systemctl start bluetooth), and try again."
        case .notSupported: "The Bluetooth daemon cannot pair this sensor."
        case .other: "The pairing failed" + (error.map { ": \($0)." } ?? ".") + " Try again."
        }
    }
}

extension PairingError {
    /// Classifies the daemon's answer to `Pair`.
    init(_ error: BlueZError) {
        self.init(Self.reason(error), error)
    }

    private static func reason(_ error: BlueZError) -> Reason {
        if let reason = reasonsByName[error.name] { return reason }
        return switch error.kind {
        case .connectionAborted, .connectionRefused, .cancelled, .notConnected, .inputOutput: .connectionFailed
        case .timedOut: .authenticationTimeout
        case .unknownObject: .unknownPeripheral
        case .notReady, .noAdapter, .busy: .adapterNotReady
        case .accessDenied: .accessDenied
        case .daemonGone, .busLost: .daemonGone
        case .inProgress: .busy
        case .notSupported: .notSupported
        default: .other
        }
    }

    /// The meaning of the errors of `Pair` (`src/device.c` of BlueZ, `new_authentication_return`).
    private static let reasonsByName: [String: Reason] = [
        "org.bluez.Error.AlreadyExists": .alreadyPaired,
        "org.bluez.Error.AuthenticationCanceled": .authenticationCanceled,
        "org.bluez.Error.AuthenticationFailed": .authenticationFailed,
        "org.bluez.Error.AuthenticationRejected": .authenticationRejected,
        "org.bluez.Error.AuthenticationTimeout": .authenticationTimeout,
        "org.bluez.Error.ConnectionAttemptFailed": .connectionFailed,
    ]
}
