import BlueZ
import Vitals

/// The last octets of one sensor's characteristics, for a later inspection.
///
/// Without an inspection, values are only kept: nothing is reported, and nothing is decoded.
struct LastValues {
    /// The value of one characteristic.
    struct Value {
        var reference: CharacteristicReference
        var octets: [UInt8]
        var moment: Moment
    }

    private var values = [Value?](repeating: nil, count: ReadCharacteristic.allCases.count)
    /// Those of characteristics that only a driver, or nobody, understands.
    private var others: [CharacteristicReference: Value] = [:]

    /// Keeps a value.
    mutating func keep(
        _ octets: [UInt8], of characteristic: ReadCharacteristic, _ reference: CharacteristicReference,
        at moment: Moment
    ) {
        values[characteristic.rawValue] = Value(reference: reference, octets: octets, moment: moment)
    }

    /// Keeps a value of any characteristic.
    mutating func keep(_ octets: [UInt8], _ reference: CharacteristicReference, at moment: Moment) {
        guard others.count < SensorService.limit || others[reference] != nil else { return }
        others[reference] = Value(reference: reference, octets: octets, moment: moment)
    }

    /// Every value that is kept.
    var all: [Value] {
        values.compactMap { $0 }
            + others.values.sorted { $0.reference.path.description < $1.reference.path.description }
    }
}

/// Who is looked at, and how its characteristics are numbered for that.
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

    /// The characteristic with a number.
    func reference(_ number: Int) -> CharacteristicReference? { numbers.first { $0.value == number }?.key }

    /// A value as reported; `nil` when its characteristic was not reported.
    func described(_ value: LastValues.Value) -> CharacteristicOctets? {
        guard let number = numbers[value.reference], number < SensorService.limit else { return nil }
        return CharacteristicOctets(number: number, octets: value.octets, moment: value.moment)
    }
}
