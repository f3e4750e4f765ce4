import BlueZ
import Vitals

/// Which sensors are connected because the policy wants them, and for which there is no place any more.
///
/// A radio keeps a few dozen links at most, and what the user has asked for must have one: so the policy wants only so
/// many sensors of each kind, and hundreds of straps on the air do not keep the only oximeter out.
struct PolicyPlaces: Hashable, Sendable {
    /// How many sensors of one kind are connected without being asked for.
    static let limit = 24

    private var taken: Set<BluetoothAddress> = []
    private var leftOut: Set<BluetoothAddress> = []

    /// Whether sensors are nearby for which there is no place.
    var areSensorsLeftOut: Bool { !leftOut.isEmpty }

    /// The sensors that are connected because the policy wants them.
    var addresses: Set<BluetoothAddress> { taken }

    /// Gives a place to a sensor.
    mutating func add(_ address: BluetoothAddress) {
        leftOut.remove(address)
        taken.insert(address)
    }

    /// Records that there is no place for a sensor.
    mutating func leaveOut(_ address: BluetoothAddress) {
        leftOut.insert(address)
    }

    /// Records that a sensor is not nearby any more.
    mutating func lose(_ address: BluetoothAddress) {
        leftOut.remove(address)
    }

    /// Records that the policy has nothing to do with a sensor any more.
    mutating func remove(_ address: BluetoothAddress) {
        taken.remove(address)
        leftOut.remove(address)
    }
}
