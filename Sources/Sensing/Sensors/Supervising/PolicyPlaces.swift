import BlueZ
import Vitals

/// The sensors that are connected because the policy wants them, and those for which there is no place.
///
/// A radio supports a few dozen links at most, and the user's own choices need places: so the policy wants a limited
/// number of sensors of each kind, and hundreds of straps do not displace the only oximeter.
struct PolicyPlaces: Hashable, Sendable {
    /// The number of sensors of one kind that are connected by the policy.
    static let limit = 24

    private var taken: Set<BluetoothAddress> = []
    private var leftOut: Set<BluetoothAddress> = []

    /// Whether sensors in range have no place.
    var areSensorsLeftOut: Bool { !leftOut.isEmpty }

    /// The sensors that are connected because the policy wants them.
    var addresses: Set<BluetoothAddress> { taken }

    /// Adds a sensor.
    ///
    /// - Returns: Whether sensors are left out now, if that has changed; the same for the other changes.
    mutating func add(_ address: BluetoothAddress) -> Bool? {
        taken.insert(address)
        return lose(address)
    }

    /// Records that there is no place for a sensor.
    mutating func leaveOut(_ address: BluetoothAddress) -> Bool? {
        defer { leftOut.insert(address) }
        return areSensorsLeftOut ? nil : true
    }

    /// Records that a sensor is out of range, or no longer needs a place.
    mutating func lose(_ address: BluetoothAddress) -> Bool? {
        leftOut.remove(address) != nil && !areSensorsLeftOut ? false : nil
    }

    /// Records that the policy no longer concerns a sensor.
    mutating func remove(_ address: BluetoothAddress) -> Bool? {
        taken.remove(address)
        return lose(address)
    }
}
