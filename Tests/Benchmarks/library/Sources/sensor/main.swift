import HealthDevices

let central = BluetoothCentral()
await central.start()
let sensor = DeviceServer(HeartRateSensor.self, of: central)
try await sensor.heartRate.location.setValue(.chest)
let commands = try await sensor.heartRate.controlPoint.receivedWrites { command in
    // The specification of the service has this code for commands that the sensor does not know.
    command == .resetEnergyExpended ? nil : .application(0x80)
}
try await sensor.start(advertising: Advertisement(name: "Pulse", appearance: 0x0341))
Task {
    for await _ in commands { print("The energy counter was reset.") }
}
Task {
    for await state in await sensor.states() { print(state) }
}
while true {
    try await sensor.heartRate.measurement.send(HeartRateMeasurement(heartRate: .random(in: 60...80)))
    try await Task.sleep(for: .seconds(1))
}
