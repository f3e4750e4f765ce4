import HealthDevices

/// Connects to the nearest heart rate sensor, and prints ten heart rates.
func printNearest(bus: BusAddress = .system, print: @Sendable (String) -> Void) async throws {
    let central = BluetoothCentral(bus: bus)
    await central.start()
    try await central.ready()
    guard let nearest = await central.strongestPeripherals(matching: HeartRateSensor.discovery).first else {
        return print("No heart rate sensor was heard.")
    }
    try await central.stopDiscovery()

    let sensor = Device(HeartRateSensor.self, at: nearest.address, of: central, reconnecting: .always)
    let measurements = await sensor.heartRate.measurement.values()
    try await sensor.connect()
    for await measurement in measurements.prefix(10) {
        print("\(measurement.heartRate) beats per minute")
    }
    try await sensor.disconnect()
    await central.stop()
}
