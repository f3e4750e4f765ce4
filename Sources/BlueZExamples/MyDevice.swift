import BlueZ

/// A device that takes texts and sends texts back, declared once.
public struct MyDevice: DeviceDeclaration {
    /// Its only service.
    public struct Messages: ServiceDeclaration {
        /// What it is.
        public static let uuid = BluetoothUUID(high: 0x6E40_0001_B5A3_F393, low: 0xE0A9_E50E_24DC_CA9E)
        /// What we send.
        public let outgoing = Declared<String>(BluetoothUUID(high: 0x6E40_0002_B5A3_F393, low: uuid.low))
        /// What comes back.
        public let incoming = Declared<String>(BluetoothUUID(high: 0x6E40_0003_B5A3_F393, low: uuid.low), .notifies)
    }

    /// It advertises its service.
    public static let discovery = DiscoveryCriteria(services: [Messages.uuid])
    /// The service.
    public let messages = Messages()

    /// Declares it.
    public init() {}
}

/// Sends texts to the first such device, and collects as many that come back.
public func exchange(_ texts: [String], through bluez: BluetoothCentral) async throws -> [String] {
    var found = await bluez.peripherals(matching: MyDevice.discovery).makeAsyncIterator()
    guard let peripheral = await found.next() else { return [] }
    try await bluez.stopDiscovery()

    let device = Device(MyDevice.self, at: peripheral.address, of: bluez)
    var answers = await device.messages.incoming.values().makeAsyncIterator()
    try await device.connect()
    var collected: [String] = []
    for text in texts {
        try await device.messages.outgoing.write(text, .withoutResponse)
        guard let answer = await answers.next() else { break }
        collected.append(answer)
    }
    try await device.disconnect()
    return collected
}
