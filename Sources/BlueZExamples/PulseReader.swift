import BlueZ
import DBus
import EventLoops

/// Scans for a heart rate sensor, connects, reads where it is worn, resets its energy counter and prints ten values.
public func readPulse(bus: BusAddress = .system, print: @Sendable (String) -> Void) async throws {
    let loop = EventLoop()
    loop.startThread(named: "bluetooth")
    let bluez = BluetoothCentral(loop: loop, bus: bus)
    await bluez.start()

    let criteria = DiscoveryCriteria(services: [BluetoothUUID(0x180D)])
    var found = await bluez.peripherals(matching: criteria).makeAsyncIterator()
    guard let strap = await found.next() else { return }
    try await bluez.stopDiscovery()
    try await bluez.connectAndResolve(strap.address)
    print("connected to \(strap.address)")

    if let location = await bluez.characteristic(BluetoothUUID(0x2A38), of: strap.address) {
        print("worn at \(try await bluez.read(location.reference))")
    }
    if let control = await bluez.characteristic(BluetoothUUID(0x2A39), of: strap.address) {
        try await bluez.write([1], to: control.reference, .withResponse)
    }
    guard let rate = await bluez.characteristic(BluetoothUUID(0x2A37), of: strap.address) else { return }
    var count = 0
    for try await value in try await bluez.notifications(of: rate.reference) {
        print("\(value.octets)")
        count += 1
        if count == 10 { break }
    }
    try await bluez.disconnect(strap.address)
    await bluez.stop()
}
