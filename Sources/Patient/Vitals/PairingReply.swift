/// The user's answer to a question of a pairing (``PairingState``).
public enum PairingReply: Codable, Hashable, Sendable {
    /// Yes: the digits are the same, or the sensor may be paired.
    case yes
    /// No; the pairing ends.
    case no
    /// The digits that the sensor shows, or its PIN code.
    case text(String)
}
