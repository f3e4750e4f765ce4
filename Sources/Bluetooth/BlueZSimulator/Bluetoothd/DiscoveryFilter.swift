import DBus
import VitalDecoders

/// The discovery filter of a client (`Adapter1.SetDiscoveryFilter`).
struct DiscoveryFilter {
    var services: [BluetoothUUID] = []
    var signalStrength: Int?
    var transport = "auto"
    /// The prefix of a name or an address.
    var pattern: String?

    /// The names of the supported filters (`Adapter1.GetDiscoveryFilters`).
    static let names = ["UUIDs", "RSSI", "Pathloss", "Transport", "DuplicateData", "Discoverable", "Pattern"]

    /// Creates a filter from a client's values; `nil` when they are invalid.
    init?(_ values: [String: DBusValue]) {
        for (name, value) in values {
            switch name {
            case "UUIDs":
                guard let texts = value.elements?.compactMap(\.text) else { return nil }
                services = texts.compactMap { BluetoothUUID($0) }
                if services.count != texts.count { return nil }
            case "RSSI":
                guard let number = value.integer, (-127...20).contains(number) else { return nil }
                signalStrength = number
            case "Transport":
                guard let text = value.text, ["auto", "bredr", "le"].contains(text) else { return nil }
                transport = text
            case "Pattern":
                guard let text = value.text else { return nil }
                pattern = text
            case "Pathloss", "DuplicateData", "Discoverable": continue
            default: return nil
            }
        }
    }

    /// Whether a sensor passes the filter.
    func matches(_ peripheral: SimulatedPeripheral, signalStrength: Int) -> Bool {
        if transport == "bredr" { return false }
        if let least = self.signalStrength, signalStrength < least { return false }
        if let pattern, !peripheral.name.hasPrefix(pattern), !peripheral.address.hasPrefix(pattern) { return false }
        return services.isEmpty || services.contains { peripheral.description.advertisedServices.contains($0) }
    }
}
