/// A wish about sensors and the radio; the sensor supervisor carries it out.
public enum SensorWish: Codable, Hashable, Sendable {
    /// Connect the sensor with this address, and keep it connected.
    case connect(address: String)
    /// Disconnect the sensor with this address, and do not reconnect it.
    case disconnect(address: String)
    /// Set the label of the sensor with this address; a blank label restores its own name.
    case rename(address: String, label: String)
    /// Disconnect the sensor with this address and forget it.
    case forget(address: String)
    /// Report the services and characteristic values of the sensor with this address only; `nil` for none.
    case inspect(address: String?)
    /// Try an operation on a characteristic (``SensorCharacteristic/number``) of the inspected sensor with this
    /// address.
    case explore(address: String, characteristic: Int, Exploration)
    /// Prefer the sensor with this address for these vitals, and for no others.
    case assign(address: String, Set<Vital>)
    /// Use the adapter with this identifier, such as `hci1`.
    case useAdapter(String)
    /// Pair with the sensor with this address.
    case pair(address: String)
    /// Answer a question of the pairing with the sensor with this address.
    case answerPairing(address: String, PairingReply)
    /// Cancel the pairing with the sensor with this address.
    case cancelPairing(address: String)
    /// Start or stop scanning.
    case setScanning(Bool)
    /// Switch the adapter in use on or off.
    case setPowered(Bool)
}
