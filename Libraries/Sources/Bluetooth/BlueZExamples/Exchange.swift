import BlueZ

/// Sends texts to the first such device, and collects as many that come back.
func exchange(_ texts: [String], through central: BluetoothCentral) async throws -> [String] {
    try await central.ready()
    var found = await central.peripherals(matching: MyDevice.discovery).makeAsyncIterator()
    guard let peripheral = await found.next() else { return [] }
    try await central.stopDiscovery()

    let device = Device(MyDevice.self, at: peripheral.address, of: central)
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
