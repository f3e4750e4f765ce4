import BlueZ

/// Sends octets to a connected device in pieces, through a socket, and returns what comes back meanwhile.
///
/// The device of this example sends back what it gets.
func transfer(
    _ octets: [UInt8], to address: BluetoothAddress, through central: BluetoothCentral
) async throws -> [UInt8] {
    let messages = MyDevice.Messages()
    guard let outgoing = await central.characteristic(messages.outgoing.uuid, of: address),
        let incoming = await central.characteristic(messages.incoming.uuid, of: address)
    else { return [] }

    let values = try await central.acquireNotify(incoming.reference, keeping: 4096)
    let writer = try await central.acquireWrite(outgoing.reference)
    async let sending: Void = {
        for start in stride(from: 0, to: octets.count, by: writer.greatestLength) {
            try await writer.write(Array(octets[start...].prefix(writer.greatestLength)))
        }
    }()

    var received: [UInt8] = []
    for try await value in values {
        received += value.octets
        if received.count >= octets.count { break }
    }
    try await sending
    return received
}
