import BlueZ
import Vitals

/// The user's choices about sensors, by address: wanted or not, and their names.
///
/// A value: it is filled before the supervisor starts, and readers of the supervisor's events store it.
struct SensorMemory: Hashable, Sendable {
    /// The greatest number of sensors that are remembered.
    static let limit = 256

    /// The sensors, in the order of the user's first choice about them.
    private(set) var sensors: [RememberedSensor] = []

    /// The remembered sensor of an address.
    subscript(address: BluetoothAddress) -> RememberedSensor? {
        place(of: address.description).map { sensors[$0] }
    }

    /// The result of remembering a sensor.
    enum Outcome: Hashable, Sendable {
        /// It is remembered.
        case kept
        /// Remembered; replaces another sensor, which the user does not want.
        case keptInPlaceOf(RememberedSensor)
        /// Not remembered: the number has reached ``limit``, and all remembered sensors are wanted.
        case refused
    }

    /// Remembers the user's choices about a sensor.
    ///
    /// A wanted sensor is never replaced; of the others, those without other choices are replaced first, then the
    /// oldest.
    mutating func remember(_ sensor: RememberedSensor) -> Outcome {
        if let place = place(of: sensor.address) {
            sensors[place] = sensor
            return .kept
        }
        guard sensors.count >= Self.limit else {
            sensors.append(sensor)
            return .kept
        }
        let unwanted = sensors.indices.filter { sensors[$0].isWanted != true }
        guard
            let place = unwanted.first(where: { sensors[$0].label == nil && sensors[$0].assignedVitals.isEmpty })
                ?? unwanted.first
        else { return .refused }
        let givenUp = sensors.remove(at: place)
        sensors.append(sensor)
        return .keptInPlaceOf(givenUp)
    }

    /// Forgets a sensor; returns what was remembered.
    mutating func forget(_ address: BluetoothAddress) -> RememberedSensor? {
        place(of: address.description).map { sensors.remove(at: $0) }
    }

    private func place(of address: String) -> Int? {
        sensors.firstIndex { $0.address == address }
    }
}
