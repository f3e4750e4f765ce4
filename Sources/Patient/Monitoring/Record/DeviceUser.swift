import Base
import Vitals

/// Which person of a device for several persons is the patient.
public struct DeviceUser: Codable, Hashable, Sendable {
    /// The device, by its name or address.
    public private(set) var sensor: String
    /// The number of the patient on it.
    public private(set) var number: Int

    /// The greatest number of characters (Unicode scalars) of a name.
    public static let sensorLimit = 64
    /// The numbers that a person can have.
    public static let numbers = EntryFacts.users.lowerBound...EntryFacts.unknownUser - 1

    /// Reads "Cuff = 2": the name or address of a device, and a number; `nil` for anything else.
    public init?(_ text: String) {
        let parts = text.split(separator: "=", omittingEmptySubsequences: false).map { withoutOuterSpaces($0) }
        guard let last = parts.last, let number = Int(last), Self.numbers.contains(number) else { return nil }
        // A name may contain an equals sign.
        let name = withoutOuterSpaces(parts.dropLast().joined(separator: "="))
        guard !name.isEmpty, sanitized(name, limit: Self.sensorLimit) == name else { return nil }
        (sensor, self.number) = (name, number)
    }

    /// The text that is read as this: "Cuff = 2".
    public var text: String { "\(sensor) = \(number)" }

    /// Whether it is about a device.
    public func isOf(_ identity: SensorIdentity) -> Bool {
        [identity.name, identity.address].contains { $0.lowercased() == sensor.lowercased() }
    }
}
