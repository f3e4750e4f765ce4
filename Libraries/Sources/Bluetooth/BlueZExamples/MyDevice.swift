import BlueZ

/// A device that takes texts and sends texts back.
struct MyDevice: DeviceDeclaration {
    struct Messages: ServiceDeclaration {
        static let uuid: BluetoothUUID = "6E400001-B5A3-F393-E0A9-E50E24DCCA9E"
        let outgoing = Declared<String>("6E400002-B5A3-F393-E0A9-E50E24DCCA9E")
        let incoming = Declared<String>("6E400003-B5A3-F393-E0A9-E50E24DCCA9E", .notifies)
    }

    static let discovery = DiscoveryCriteria(services: [Messages.uuid])
    let messages = Messages()
}
