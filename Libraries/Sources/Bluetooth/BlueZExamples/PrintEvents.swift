import BlueZ

/// Finds heart rate sensors, connects to them and prints what they send.
func printHeartRates(bus: BusAddress = .system, print: @Sendable (String) -> Void) async throws {
    let heartRateService = BluetoothUUID(0x180D)
    let heartRateMeasurement = BluetoothUUID(0x2A37)

    let central = BluetoothCentral(bus: bus)
    let events = await central.events()
    await central.start()
    try await central.ready()

    for await event in events {
        switch event.kind {
        case .adapter(.added, let adapter):
            // A discovery that is wanted begins by itself when the adapter can, so a refusal does not matter.
            try? await central.startDiscovery(on: adapter.path)
        case .peripheral(.added, let strap) where strap.uuids.contains(heartRateService):
            try? await central.connect(strap.address)
        case .servicesResolved(let strap):
            guard let rate = await central.characteristic(heartRateMeasurement, of: strap.address) else { break }
            try await central.startNotify(rate.reference)
        case .notification(let characteristic, let octets):
            print("\(characteristic.peripheral): \(octets)")
        case .daemon(.gone):
            print("bluetoothd is not running")
        default: break
        }
    }
}
