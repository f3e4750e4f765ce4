import HealthDevices

/// Is a heart rate sensor: it is found, read and written by centrals, and sends them every heart rate that comes.
func serveHeartRate(
    _ heartRates: AsyncStream<UInt16>, bus: BusAddress = .system, print: @Sendable (String) -> Void
) async throws {
    let central = BluetoothCentral(bus: bus)
    await central.start()

    let sensor = DeviceServer(HeartRateSensor.self, of: central)
    try await sensor.heartRate.location.setValue(.chest)
    let commands = try await sensor.heartRate.controlPoint.receivedWrites { command in
        // The specification of the service has this code for commands that the sensor does not know.
        command == .resetEnergyExpended ? nil : .application(0x80)
    }
    async let resets = commands.reduce(0) { count, _ in count + 1 }

    try await sensor.start(advertising: Advertisement(name: "Pulse", appearance: .heartRateBelt))
    for await state in await sensor.states() {
        print("\(state)")
        if case .serving = state { break }
    }
    for await heartRate in heartRates {
        try await sensor.heartRate.measurement.send(HeartRateMeasurement(heartRate: heartRate))
    }
    await sensor.stop()
    print("The energy counter was reset \(await resets) times.")
    await central.stop()
}
