import DBus

/// What a ``DeviceServer`` advertises, so that centrals find it (`org.bluez.LEAdvertisement1`).
///
/// A legacy advertisement and its scan response hold 31 octets each; the daemon refuses more.
public struct Advertisement: Hashable, Sendable {
    /// The name, 1 to 248 octets; `nil` for none.
    public var name: String?
    /// The services; `nil` for those that the declaration is recognised by, or else all that are served.
    public var services: [BluetoothUUID]?
    /// What the device looks like, such as `.heartRateBelt`; `nil` to say nothing.
    public var appearance: BluetoothAppearance?
    /// Octets of the manufacturer, by the number of the company (Assigned Numbers, 7.1).
    public var manufacturerData: [UInt16: [UInt8]]

    public init(
        name: String? = nil, services: [BluetoothUUID]? = nil, appearance: BluetoothAppearance? = nil,
        manufacturerData: [UInt16: [UInt8]] = [:]
    ) {
        self.name = name
        self.services = services
        self.appearance = appearance
        self.manufacturerData = manufacturerData
    }
}

extension Advertisement {
    /// Throws ``ServingError/invalidName`` for a name that cannot be advertised.
    func check() throws(ServingError) {
        guard let name else { return }
        guard (1...248).contains(name.utf8.count), !name.utf8.contains(0) else { throw .invalidName }
    }

    /// The properties of its object.
    ///
    /// - Parameter usual: The services to advertise unless it names some.
    func properties(services usual: [BluetoothUUID]) -> [(name: String, value: DBusValue)] {
        var properties: [(name: String, value: DBusValue)] = [
            ("Type", .string("peripheral")),
            ("ServiceUUIDs", .strings((services ?? usual).map(\.fullDescription))),
            // Without this it would be that of the adapter, which a desktop switches off.
            ("Discoverable", .boolean(true)),
        ]
        if let name { properties.append(("LocalName", .string(name))) }
        if let appearance { properties.append(("Appearance", .uint16(appearance.rawValue))) }
        if !manufacturerData.isEmpty {
            let entries = manufacturerData.sorted { $0.key < $1.key }.map {
                DBusEntry(.uint16($0.key), .variant(.bytes($0.value)))
            }
            properties.append(("ManufacturerData", .dictionary(entries, key: .uint16, value: .variant)))
        }
        return properties
    }
}
