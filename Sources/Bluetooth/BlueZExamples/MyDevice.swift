import BlueZ

/// A device that takes texts and sends texts back.
struct MyDevice: DeviceDeclaration {
    struct Messages: ServiceDeclaration {
        static let uuid = BluetoothUUID(high: 0x6E40_0001_B5A3_F393, low: 0xE0A9_E50E_24DC_CA9E)
        let outgoing = Declared<String>(BluetoothUUID(high: 0x6E40_0002_B5A3_F393, low: uuid.low))
        let incoming = Declared<String>(BluetoothUUID(high: 0x6E40_0003_B5A3_F393, low: uuid.low), .notifies)
    }

    static let discovery = DiscoveryCriteria(services: [Messages.uuid])
    let messages = Messages()
}
