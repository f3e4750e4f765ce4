import BlueZ
import Vitals

/// Which sensors are connected because the policy wants them, and for which there is no place any more.
///
/// A radio keeps a few dozen links at most, and what the user has asked for must have one: so the policy wants a
/// limited number of sensors of each kind, and hundreds of straps on the air do not keep the only oximeter out.
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
    ///
    /// - Returns: Whether sensors are left out now, when that has changed; as of the other changes.
    mutating func add(_ address: BluetoothAddress) -> Bool? {
        taken.insert(address)
        return lose(address)
    }

    /// Records that there is no place for a sensor.
    mutating func leaveOut(_ address: BluetoothAddress) -> Bool? {
        defer { leftOut.insert(address) }
        return areSensorsLeftOut ? nil : true
    }

    /// Records that a sensor is not nearby any more, or needs no place any more.
    mutating func lose(_ address: BluetoothAddress) -> Bool? {
        leftOut.remove(address) != nil && !areSensorsLeftOut ? false : nil
    }

    /// Records that the policy has nothing to do with a sensor any more.
    mutating func remove(_ address: BluetoothAddress) -> Bool? {
        taken.remove(address)
        return lose(address)
    }
}
