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
