import BlueZ
import Vitals

/// The user's choices about sensors, by address: wanted or not, and their names.
///
/// A value: it is filled before the supervisor starts, and the readers of the supervisor's events keep it.
struct SensorMemory: Hashable, Sendable {
    /// The greatest number of sensors that are remembered.
    static let limit = 256

    /// The sensors, in the order of the user's first choice about them.
    private(set) var sensors: [RememberedSensor] = []

    /// What is remembered of a sensor.
    subscript(address: BluetoothAddress) -> RememberedSensor? {
        place(of: address.description).map { sensors[$0] }
    }

    /// The result of remembering a sensor.
    enum Outcome: Hashable, Sendable {
        /// It is remembered.
        case kept
        /// It is remembered instead of another one, which the user does not want.
        case keptInPlaceOf(RememberedSensor)
        /// It is not remembered: the limit is ``limit``, and all of these are wanted.
        case refused
    }

    /// Remembers the user's choices about a sensor.
    ///
    /// A sensor that the user wants is never replaced; of the others, those without other choices go first, then the
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
