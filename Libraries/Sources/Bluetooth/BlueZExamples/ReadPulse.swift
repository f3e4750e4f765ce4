import BlueZ

/// Connects to a heart rate sensor, reads where it is worn, resets its energy counter and prints ten values.
func readPulse(bus: BusAddress = .system, print: @Sendable (String) -> Void) async throws {
    let central = BluetoothCentral(bus: bus)
    await central.start()
    try await central.ready()

    let criteria = DiscoveryCriteria(services: [BluetoothUUID(0x180D)])
    var found = await central.peripherals(matching: criteria).makeAsyncIterator()
    guard let strap = await found.next() else { return }
    try await central.stopDiscovery()
    try await central.connectAndResolve(strap.address)
    print("connected to \(strap.address)")

    if let location = await central.characteristic(BluetoothUUID(0x2A38), of: strap.address) {
        print("worn at \(try await central.read(location.reference))")
    }
    if let control = await central.characteristic(BluetoothUUID(0x2A39), of: strap.address) {
        try await central.write([1], to: control.reference, .withResponse)
    }
    guard let rate = await central.characteristic(BluetoothUUID(0x2A37), of: strap.address) else { return }
    var count = 0
    for try await value in try await central.notifications(of: rate.reference) {
        print("\(value.octets)")
        count += 1
        if count == 10 { break }
    }
    try await central.disconnect(strap.address)
    await central.stop()
}
