import BlueZ
import Vitals

/// What the user has said about sensors, by address: which they want, which they do not, and what they call them.
///
/// A value: it is filled before the supervisor starts, and the readers of the supervisor's events keep it.
struct SensorMemory: Hashable, Sendable {
    /// The greatest number of sensors that are remembered.
    static let limit = 256

    /// The sensors, in the order in which the user first spoke of them.
    private(set) var sensors: [RememberedSensor] = []

    /// What is remembered of a sensor.
    subscript(address: BluetoothAddress) -> RememberedSensor? {
        place(of: address.description).map { sensors[$0] }
    }

    /// Takes in what is to be remembered of a sensor.
    ///
    /// - Returns: What had to be given up for it, because there is room for ``limit`` only: what the user does not want
    ///   goes first, then what has been there longest.
    mutating func remember(_ sensor: RememberedSensor) -> RememberedSensor? {
        if let place = place(of: sensor.address) {
            sensors[place] = sensor
            return nil
        }
        var givenUp: RememberedSensor?
        if sensors.count >= Self.limit {
            givenUp = sensors.remove(at: sensors.firstIndex { !$0.isWanted && $0.label == nil } ?? 0)
        }
        sensors.append(sensor)
        return givenUp
    }

    /// Forgets a sensor; answers what was remembered.
    mutating func forget(_ address: BluetoothAddress) -> RememberedSensor? {
        place(of: address.description).map { sensors.remove(at: $0) }
    }

    private func place(of address: String) -> Int? {
        sensors.firstIndex { $0.address == address }
    }
}
