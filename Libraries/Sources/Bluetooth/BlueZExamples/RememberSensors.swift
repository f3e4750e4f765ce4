import HealthDevices

/// Remembers the nearest heart rate sensor by a name that its person gives it.
func rememberNearest(
    named name: String, in file: StoredListFile<RememberedDevices>, through central: BluetoothCentral
) async throws {
    guard let nearest = await central.strongestPeripherals(matching: HeartRateSensor.discovery).first else { return }
    try file.update { try $0.remember(nearest, as: HeartRateSensor.self, named: name) }
}

/// Connects each remembered heart rate sensor as soon as it is nearby, and prints what they send, until it is cancelled.
func followRemembered(
    in file: StoredListFile<RememberedDevices>, through central: BluetoothCentral,
    print: @escaping @Sendable (String) -> Void
) async throws {
    let devices = try file.read().devices(toConnectAs: HeartRateSensor.self)
    try await withThrowingTaskGroup { group in
        for device in devices {
            group.addTask {
                let sensor = Device(HeartRateSensor.self, at: device.address, of: central, reconnecting: .always)
                let measurements = await sensor.heartRate.measurement.values()
                try await sensor.connectWhenNearby()
                try file.update { $0.noteConnected(device.address) }
                for await measurement in measurements {
                    print("\(device.name): \(measurement.heartRate) beats per minute")
                }
            }
        }
        try await group.waitForAll()
    }
}
