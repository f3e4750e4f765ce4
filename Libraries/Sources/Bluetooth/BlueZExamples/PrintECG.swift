import HealthDevices

/// Connects to the nearest Polar strap, and prints the highest and lowest values of two seconds of its ECG.
func printECG(bus: BusAddress = .system, print: @Sendable (String) -> Void) async throws {
    let central = BluetoothCentral(bus: bus)
    await central.start()
    try await central.ready()
    guard let nearest = await central.strongestPeripherals(matching: PolarHeartRateSensor.discovery).first else {
        return print("No Polar sensor was heard.")
    }
    try await central.stopDiscovery()

    let strap = Device(PolarHeartRateSensor.self, at: nearest.address, of: central)
    let frames = await strap.measurementData.data.values()
    try await strap.connect()
    try await strap.measurementData.control.start(.electrocardiogram, choosing: [.sampleRate: 130])
    for await frame in frames.prefix(4) {
        guard case .samples(let microvolts, channels: 1) = frame.content else { continue }
        print("\(microvolts.count) samples from \(microvolts.min() ?? 0) to \(microvolts.max() ?? 0) µV")
    }
    try await strap.measurementData.control.stop(.electrocardiogram)
    try await strap.disconnect()
    await central.stop()
}
