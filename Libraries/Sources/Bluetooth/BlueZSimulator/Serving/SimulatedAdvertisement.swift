import BluetoothValues
import DBus

/// What a program advertises through the simulated adapter (`org.bluez.LEAdvertisement1`).
public struct SimulatedAdvertisement: Hashable, Sendable {
    /// The name; `nil` for none.
    public internal(set) var name: String?
    /// The services.
    public internal(set) var services: [BluetoothUUID] = []
    /// What the device looks like; `nil` when it does not say.
    public internal(set) var appearance: UInt16?
    /// The octets of the manufacturer, by the number of the company.
    public internal(set) var manufacturerData: [UInt16: [UInt8]] = [:]

    /// The octets of an advertisement, and of a scan response.
    private static let capacity = 31

    /// Reads the properties of an advertisement (`src/advertising.c` of BlueZ).
    ///
    /// - Throws: The error that bluetoothd gives for `RegisterAdvertisement`.
    init(_ properties: [String: DBusValue]) throws(DBusConnectionError) {
        for (property, value) in properties {
            guard set(property, value) else { throw .failed("Failed to parse advertisement.") }
        }
        guard length <= Self.capacity, (name?.utf8.count ?? 0) + 2 <= Self.capacity else {
            throw .failed("Failed to register advertisement")
        }
    }

    /// Sets a property; returns `false` when it is not valid.
    private mutating func set(_ property: String, _ value: DBusValue) -> Bool {
        switch (property, value) {
        case ("Type", .string(let type)): return ["broadcast", "peripheral"].contains(type)
        case ("ServiceUUIDs", .array(let elements, of: .string)):
            services = elements.compactMap { $0.text.flatMap { BluetoothUUID($0) } }
            return services.count == elements.count
        case ("LocalName", .string(let name)): self.name = name.isEmpty ? nil : name
        case ("Appearance", .uint16(let appearance)): self.appearance = appearance
        case ("ManufacturerData", .dictionary(let entries, key: .uint16, value: .variant)):
            for entry in entries {
                guard case .uint16(let company) = entry.key, let octets = entry.value.unwrapped.bytes else {
                    return false
                }
                manufacturerData[company] = octets
            }
        case ("Discoverable", .boolean): break
        case ("Type", _), ("ServiceUUIDs", _), ("LocalName", _), ("Appearance", _), ("ManufacturerData", _),
            ("Discoverable", _):
            return false
        default: break
        }
        return true
    }

    /// The octets of the advertisement: flags, services and manufacturer data; the name is in the scan response.
    private var length: Int {
        let short = services.count { ($0.assignedNumber ?? .max) <= 0xFFFF }
        let long = services.count - short
        return 3 + (short == 0 ? 0 : 2 + 2 * short) + (long == 0 ? 0 : 2 + 16 * long)
            + manufacturerData.values.reduce(0) { $0 + 4 + $1.count }
    }
}
