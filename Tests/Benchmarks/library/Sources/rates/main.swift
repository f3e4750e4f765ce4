import HealthDevices

let central = BluetoothCentral()
await central.start()
try await central.ready()
guard let nearest = await central.strongestPeripherals(matching: HeartRateSensor.discovery).first else {
    fatalError("No heart rate sensor was heard.")
}
let sensor = Device(HeartRateSensor.self, at: nearest.address, of: central, reconnecting: .always)
let measurements = await sensor.heartRate.measurement.values()
try await sensor.connect()
for await measurement in measurements {
    print(measurement.heartRate)
}
