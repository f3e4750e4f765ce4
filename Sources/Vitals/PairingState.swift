/// How far the pairing with a sensor is, and what it needs of the user.
///
/// Source: BlueZ, `org.bluez.Agent1`; the texts come from the air or from BlueZ and are made harmless by who makes them.
public enum PairingState: Codable, Hashable, Sendable {
    /// The sensor does not talk to strangers: it has to be paired; `reason` is a sentence for people.
    case needed(reason: String)
    /// A pairing that the user asked for is under way.
    case started
    /// Six digits that the user types on the sensor, of which it has counted `entered` so far.
    case passkey(String, entered: Int)
    /// A text that the user types on the sensor.
    case pinCode(String)
    /// Six digits that the user compares with those on the sensor, and confirms.
    case confirmPasskey(String)
    /// The user is asked whether to pair at all.
    case authorize
    /// The user is to type the six digits that the sensor shows.
    case passkeyWanted
    /// The user is to type the text that belongs to the sensor.
    case pinCodeWanted
    /// The sensor is paired.
    case succeeded
    /// The pairing failed; `reason` is a sentence for people that says what to do.
    case failed(reason: String)
}
