import HealthDevices

let central = BluetoothCentral()
await central.start()
try await central.ready()
let criteria = DiscoveryCriteria(services: [BluetoothUUID(0xFFF0)])
guard let source = await central.peripherals(matching: criteria).first(where: { _ in true }) else {
    fatalError("No source of packets was heard.")
}
try await central.connectAndResolve(source.address)
guard let packets = await central.characteristic(BluetoothUUID(0xFFF1), of: source.address) else {
    fatalError("It has no packets.")
}
var (count, octets) = (0, 0)
for try await packet in try await central.acquireNotify(packets.reference) {
    count += 1
    octets += packet.octets.count
    if count == 10_000 { break }
}
print("\(count) packets, \(octets) octets")
try await central.disconnect(source.address)
