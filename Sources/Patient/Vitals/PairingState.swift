/// The state of a pairing with a sensor, and the required input of the user.
///
/// Source: BlueZ, `org.bluez.Agent1`; the texts come from the air or from BlueZ and are sanitized.
public enum PairingState: Codable, Hashable, Sendable {
    /// The sensor must be paired first; `reason` is a sentence for the user.
    case needed(reason: String)
    /// A pairing that the user asked for is in progress.
    case started
    /// Six digits that the user types on the sensor, of which it has counted `entered` so far.
    case passkey(String, entered: Int)
    /// A PIN code that the user types on the sensor.
    case pinCode(String)
    /// Six digits that the user compares with those on the sensor, and confirms.
    case confirmPasskey(String)
    /// The user is asked whether to pair at all.
    case authorize
    /// The user must type the six digits that the sensor shows.
    case passkeyWanted
    /// The user must type the PIN code of the sensor.
    case pinCodeWanted
    /// The sensor is paired.
    case succeeded
    /// The pairing failed; `reason` is a sentence for the user with the remedy.
    case failed(reason: String)
}
