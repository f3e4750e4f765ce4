import BlueZSimulator
import HealthDevices
import Testing

@Suite("A heart rate sensor")
struct HeartRateTests {
    @Test("what it sends arrives as a measurement")
    func measurement() async throws {
        let address = BluetoothAddress(rawValue: 0xC052_4900_0002)
        let strap = "{sensors: [{name: 'Strap', kind: 'heartRateStrap', address: '\(address)', heartRate: 60}]}"
        let simulator = Simulator(try Scenario(json5: strap, file: "strap"), timeScale: 0.05)
        let central = BluetoothCentral(bus: .address(try await simulator.start()))
        await central.start()
        try await central.ready()
        let found = await central.strongestPeripherals(matching: HeartRateSensor.discovery)
        #expect(found.map(\.address) == [address])

        let sensor = Device(HeartRateSensor.self, at: address, of: central)
        let measurements = await sensor.heartRate.measurement.values()
        try await sensor.connect()
        try await simulator.send([0x06, 72], from: .heartRateMeasurement, of: address)
        let measurement = await measurements.first { $0.heartRate == 72 }
        #expect(measurement?.contact == .detected)

        await central.stop()
        await simulator.stop()
    }
}
