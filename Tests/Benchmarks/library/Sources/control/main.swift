import HealthDevices

let central = BluetoothCentral()
await central.start()
try await central.ready()
guard let found = await central.peripherals(matching: HeartRateSensor.discovery).first(where: { _ in true }) else {
    fatalError("No heart rate sensor was heard.")
}
let sensor = Device(HeartRateSensor.self, at: found.address, of: central)
try await sensor.connect()
print("battery: \(await sensor.battery.level.latest?.value?.percent, default: "?") %")
print("worn at: \(await sensor.heartRate.location.latest?.value?.name, default: "?")")
try await sensor.heartRate.controlPoint.write(.resetEnergyExpended)
print("The energy counter was reset.")
try await sensor.disconnect()
