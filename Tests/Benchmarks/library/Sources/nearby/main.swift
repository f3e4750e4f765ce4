import HealthDevices

let central = BluetoothCentral()
await central.start()
try await central.ready()
for peripheral in await central.strongestPeripherals(matching: DiscoveryCriteria()) {
    let services = peripheral.uuids.map(\.description).joined(separator: " ")
    print("\(peripheral.address) \(peripheral.name, default: "?") \(peripheral.rssi, default: "?") dBm: \(services)")
}
