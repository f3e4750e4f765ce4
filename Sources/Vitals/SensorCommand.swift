/// What the user wants done about sensors and the radio; whoever keeps the sensors connected carries it out.
public enum SensorCommand: Codable, Hashable, Sendable {
    /// Connect the sensor with this address, and keep it connected.
    case connect(address: String)
    /// Disconnect the sensor with this address, and stop trying to reconnect it.
    case disconnect(address: String)
    /// Call the sensor with this address so from now on; by its own name again when the label is blank.
    case rename(address: String, label: String)
    /// Disconnect the sensor with this address, and have everybody forget it.
    case forget(address: String)
    /// Tell what the sensor with this address offers and what its characteristics have, and no other; `nil` for none.
    case inspect(address: String?)
    /// Take these vitals, and no others, from the sensor with this address whenever it measures them.
    case assign(address: String, Set<Vital>)
    /// Use the adapter with this identifier, such as `hci1`.
    case useAdapter(String)
    /// Pair with the sensor with this address.
    case pair(address: String)
    /// Give the pairing with the sensor with this address an answer.
    case answerPairing(address: String, PairingReply)
    /// Give up the pairing with the sensor with this address.
    case cancelPairing(address: String)
    /// Start or stop looking for sensors.
    case setScanning(Bool)
    /// Switch the adapter that is used on or off.
    case setPowered(Bool)
}
