import BlueZ

/// Prints which heart rate sensors come and go, until the task is cancelled.
func printNearby(bus: BusAddress = .system, print: @Sendable (String) -> Void) async throws {
    let central = BluetoothCentral(bus: bus)
    await central.start()
    try await central.ready()

    let criteria = DiscoveryCriteria(services: ["180D"])
    for await nearby in await central.nearby(matching: criteria) {
        for sensor in nearby.found { print("found \(sensor.address)") }
        for sensor in nearby.lost { print("lost \(sensor.address)") }
    }
}
