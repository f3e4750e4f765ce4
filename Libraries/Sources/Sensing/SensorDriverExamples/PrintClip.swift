import SensorDrivers

/// Connects to the first clip that is heard, and prints its saturation until the link is lost.
func printClip(bus: BusAddress = .system, print: @escaping @Sendable (String) -> Void) async throws {
    let central = BluetoothCentral(bus: bus)
    await central.start()
    try await central.ready()
    var found = await central.peripherals(matching: DiscoveryCriteria(services: [MyClip.service])).makeAsyncIterator()
    guard let clip = await found.next() else { return }
    try await central.stopDiscovery()

    let identity = SensorIdentity(address: clip.address.description, name: clip.name ?? "clip", kind: .oximeter)
    let end = try await DriverSession.run(MyClip.self, with: clip.address, of: central, DriverContext(identity)) {
        switch $0 {
        case .reading(.oxygenSaturation, .measured(let value, _), _): print("\(value.hundredths / 100) %")
        case .malformed(_, _, let error): print("malformed: \(error.reason)")
        default: break
        }
    }
    print("ended: \(end)")
    await central.stop()
}
