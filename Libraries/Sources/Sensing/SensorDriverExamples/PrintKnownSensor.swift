import KnownSensors

/// Connects to the first known sensor that has a driver, and prints its readings until the conversation ends.
func printKnownSensor(bus: BusAddress = .system, print: @escaping @Sendable (String) -> Void) async throws {
    let central = BluetoothCentral(bus: bus)
    await central.start()
    try await central.ready()
    for await found in await central.peripherals(matching: DiscoveryCriteria()) {
        let known = SupportedSensors.declaration(
            services: found.uuids, name: found.name, companies: Set(found.manufacturerData.keys))
        guard let driver = known?.driver, let kind = known?.kind else { continue }
        try await central.stopDiscovery()

        let identity = SensorIdentity(address: found.address.description, name: found.name ?? "sensor", kind: kind)
        let end = try await DriverSession.run(driver, with: found.address, of: central, DriverContext(identity)) {
            if case .reading(let vital, .measured(let value, _), _) = $0 {
                print("\(vital): \(value.hundredths / 100)")
            }
        }
        print("ended: \(end)")
        break
    }
    await central.stop()
}
