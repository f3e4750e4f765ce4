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

    /// What became of a sensor that was to be remembered.
    enum Outcome: Hashable, Sendable {
        /// It is remembered.
        case kept
        /// It is remembered in the place of another one, which the user does not want.
        case keptInPlaceOf(RememberedSensor)
        /// It is not remembered: there is room for ``limit`` only, and all of these are wanted.
        case refused
    }

    /// Remembers what the user has said about a sensor.
    ///
    /// A sensor that the user wants is never given up for another one; of the others those go first of which the user
    /// has said nothing else, then those that have been there longest.
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

    /// Forgets a sensor; answers what was remembered.
    mutating func forget(_ address: BluetoothAddress) -> RememberedSensor? {
        place(of: address.description).map { sensors.remove(at: $0) }
    }

    private func place(of address: String) -> Int? {
        sensors.firstIndex { $0.address == address }
    }
}
