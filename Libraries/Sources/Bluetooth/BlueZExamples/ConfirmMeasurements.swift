import HealthDevices

/// Lets what a cuff sends whenever it is used wait for a decision, until the task is cancelled.
func collect(
    from address: BluetoothAddress, into file: StoredListFile<PendingMeasurements>, through central: BluetoothCentral
) async throws {
    let cuff = Device(BloodPressureSensor.self, at: address, of: central, reconnecting: .always)
    let readings = await cuff.bloodPressure.measurement.readings()
    try await cuff.connectWhenNearby()
    for await reading in readings {
        guard let pressure = reading.value else { continue }
        try file.update { $0.offer(.bloodPressure(pressure), from: address, at: reading.timestamp) }
    }
}

/// Asks about each measurement that waits, and records those that are confirmed.
func decide(
    in file: StoredListFile<PendingMeasurements>, isRight: (PendingMeasurement) -> Bool,
    record: (PendingMeasurement) throws -> Void
) throws {
    for pending in try file.read().waiting {
        let isConfirmed = isRight(pending)
        try file.update { measurements in
            if !isConfirmed {
                measurements.discard(pending.id)
            } else if let confirmed = measurements.confirm(pending.id) {
                // When this fails, the measurement goes on waiting.
                try record(confirmed)
            }
        }
    }
}
