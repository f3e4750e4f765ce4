import Monitoring
import Vitals

/// What the user asked for by a key, beyond what only changes the view.
public enum Intent: Hashable, Sendable {
    /// Connect the sensor with this address.
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
    /// Acknowledge all alarms.
    case acknowledge
    /// Apply this to the monitor's state: an answer to alarms, a limit, a neutrophil count, another patient.
    case answer(UserAction)
    /// Switch the adapter that is used on or off.
    case setPowered(Bool)
    /// Change the setting with this name.
    case changeSetting(String, SettingChange)
    /// Keep the changed settings for later starts.
    case keepSettings
    /// Keep this rule about the values of a vital in the settings.
    case saveLimit(Vital, LimitSetting)
    /// End the program.
    case quit
}
