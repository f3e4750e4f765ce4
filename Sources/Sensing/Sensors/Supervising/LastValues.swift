import BlueZ
import Vitals

/// The last octets of one sensor's characteristics, for a later inspection.
///
/// Without an inspection the octets are only stored, not decoded or reported.
struct LastValues {
    /// The value of one characteristic.
    struct Value {
        var reference: CharacteristicReference
        var octets: [UInt8]
        var moment: Moment
    }

    private var values = [Value?](repeating: nil, count: ReadCharacteristic.allCases.count)
    /// The values of characteristics that only a driver, or no decoder, understands.
    private var others: [CharacteristicReference: Value] = [:]

    /// Stores a value.
    mutating func keep(
        _ octets: [UInt8], of characteristic: ReadCharacteristic, _ reference: CharacteristicReference,
        at moment: Moment
    ) {
        values[characteristic.rawValue] = Value(reference: reference, octets: octets, moment: moment)
    }

    /// Stores a value of any characteristic.
    mutating func keep(_ octets: [UInt8], _ reference: CharacteristicReference, at moment: Moment) {
        guard others.count < SensorService.limit || others[reference] != nil else { return }
        others[reference] = Value(reference: reference, octets: octets, moment: moment)
    }

    /// Every stored value.
    var all: [Value] {
        values.compactMap { $0 }
            + others.values.sorted { $0.reference.path.description < $1.reference.path.description }
    }
}

/// The inspected sensor, and the numbers of its characteristics.
struct Inspection {
    /// The sensor.
    let address: BluetoothAddress
    /// The numbers of its characteristics as reported.
    private(set) var numbers: [CharacteristicReference: Int] = [:]

    init(of address: BluetoothAddress) {
        self.address = address
    }

    /// Numbers the characteristics of services again, and describes the services.
    mutating func number(_ services: [Service], kind: SensorKind) -> [SensorService] {
        numbers = [:]
        let rule = ExplorationRule(kind: kind, services: services.map(\.uuid))
        let described = services.map { service in
            SensorService(
                uuid: service.uuid.description,
                characteristics: service.characteristics.map { characteristic in
                    let number = numbers.count
                    numbers[characteristic.reference] = number
                    return SensorCharacteristic(
                        number: number, uuid: characteristic.uuid.description,
                        properties: characteristic.flags.names,
                        descriptors: characteristic.descriptors.map(\.uuid.description),
                        offered: rule.offered(characteristic, of: service.uuid))
                })
        }
        return SensorService.bounded(described)
    }

    func reference(_ number: Int) -> CharacteristicReference? { numbers.first { $0.value == number }?.key }

    /// A value as reported; `nil` if its characteristic was not reported.
    func described(_ value: LastValues.Value) -> CharacteristicOctets? {
        guard let number = numbers[value.reference], number < SensorService.limit else { return nil }
        return CharacteristicOctets(number: number, octets: value.octets, moment: value.moment)
    }
}
