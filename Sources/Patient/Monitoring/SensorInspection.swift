import Vitals

/// The services of the inspected sensor, and the last values of its characteristics.
public struct SensorInspection: Codable, Hashable, Sendable {
    /// The sensor's Bluetooth address.
    public let address: String
    /// Its services, bounded.
    public let services: [SensorService]
    private var latest: [Int: CharacteristicOctets] = [:]

    init(of address: String, _ services: [SensorService]) {
        self.address = address
        self.services = SensorService.bounded(services)
    }

    /// The last value of a characteristic; `nil` before the first one.
    public func octets(of characteristic: SensorCharacteristic) -> CharacteristicOctets? {
        latest[characteristic.number]
    }

    public func characteristic(_ number: Int) -> SensorCharacteristic? {
        services.lazy.flatMap(\.characteristics).first { $0.number == number }
    }

    /// When the last values of its characteristics arrived.
    public var moments: some Sequence<Moment> { latest.values.lazy.map(\.moment) }

    mutating func record(_ octets: CharacteristicOctets, of address: String) {
        guard address == self.address else { return }
        let isKnown = latest[octets.number] != nil
        guard isKnown || latest.count < SensorService.limit else { return }
        latest[octets.number] = octets
    }
}
