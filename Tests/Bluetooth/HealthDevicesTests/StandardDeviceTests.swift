import BlueZSimulator
import HealthDevices
import Testing

private let address = BluetoothAddress(rawValue: 0xC052_4900_0002)

@Suite("Declared health devices", .timeLimit(.minutes(10)))
struct StandardDeviceTests {
    @Test("a heart rate sensor is found, connected and read with types")
    func heartRateSensor() async throws {
        let strap = "{sensors: [{name: 'Strap', kind: 'heartRateStrap', address: 'C0:52:49:00:00:02', heartRate: 72}]}"
        try await withSimulation(strap) { simulator, central in
            let found = await central.heard(matching: HeartRateSensor.discovery)
            #expect(found.map(\.address) == [address])
            let device = Device(HeartRateSensor.self, at: address, of: central)
            try await device.connect()
            #expect(await device.heartRate.location.latest?.value == .chest)
            #expect(await device.information.manufacturer.latest?.value?.text == "Bedside")
            #expect(await device.battery.level.latest?.value?.percent != nil)

            // The sensor's own values cease; what comes is the test's.
            #expect(await simulator.perform(command: "quiet hr") == "ok")
            var values = await device.heartRate.measurement.values().makeAsyncIterator()
            try await simulator.send([0x06, 141], from: .heartRateMeasurement, of: address)
            var value = await values.next()
            while value?.heartRate == 72 { value = await values.next() }
            #expect(value == HeartRateMeasurement(heartRate: 141, contact: .detected))
            try await device.disconnect()
        }
    }

    @Test("a device is connected again by itself after a lost link, and its values go on")
    func reconnects() async throws {
        let strap = "{sensors: [{name: 'Strap', kind: 'heartRateStrap', address: 'C0:52:49:00:00:02', heartRate: 72}]}"
        try await withSimulation(strap) { simulator, central in
            _ = await central.heard(matching: HeartRateSensor.discovery)
            let device = Device(
                HeartRateSensor.self, at: address, of: central,
                reconnecting: ReconnectPolicy(firstDelay: .milliseconds(10), longestDelay: .milliseconds(100)))
            var states = await device.states().makeAsyncIterator()
            try await device.connect()
            var seen: [DeviceState] = []
            for _ in 0..<3 { if let state = await states.next() { seen.append(state) } }
            #expect(seen == [.disconnected(nil), .connecting, .connected])

            #expect(await simulator.perform(command: "drop hr") == "ok")
            #expect(await states.next() == .disconnected(.linkLost))
            var state = await states.next()
            while state != .connected { state = await states.next() }
            var values = await device.heartRate.measurement.values().makeAsyncIterator()
            #expect(await values.next()?.heartRate == 72)

            try await device.disconnect()
            #expect(await device.state == .disconnected(nil))
        }
    }

    @Test("a device that a new daemon does not know is listened for and connected again")
    func newDaemon() async throws {
        let strap = "{sensors: [{name: 'Strap', kind: 'heartRateStrap', address: 'C0:52:49:00:00:02', heartRate: 72}]}"
        try await withSimulation(strap) { simulator, central in
            _ = await central.heard(matching: HeartRateSensor.discovery)
            let device = Device(
                HeartRateSensor.self, at: address, of: central,
                reconnecting: ReconnectPolicy(firstDelay: .milliseconds(10), longestDelay: .milliseconds(100)))
            try await device.connect()
            var states = await device.states().makeAsyncIterator()
            #expect(await states.next() == .connected)
            #expect(await simulator.perform(command: "bluez-restart") == "ok")
            guard case .disconnected(_?)? = await states.next() else {
                Issue.record("the link did not end")
                return
            }
            while let state = await states.next(), state != .connected {}
            var values = await device.heartRate.measurement.values().makeAsyncIterator()
            #expect(await values.next()?.heartRate == 72)
        }
    }

    @Test("without a policy a lost link stays lost")
    func staysDisconnected() async throws {
        let strap = "{sensors: [{name: 'Strap', kind: 'heartRateStrap', address: 'C0:52:49:00:00:02', heartRate: 72}]}"
        try await withSimulation(strap) { simulator, central in
            _ = await central.heard(matching: HeartRateSensor.discovery)
            let device = Device(HeartRateSensor.self, at: address, of: central)
            try await device.connect()
            var states = await device.states().makeAsyncIterator()
            #expect(await states.next() == .connected)
            #expect(await simulator.perform(command: "drop hr") == "ok")
            #expect(await states.next() == .disconnected(.linkLost))
            // By then an attempt would have been seen: the sensor has been lost for a simulated minute.
            #expect(await simulator.perform(command: "sleep 60") == "ok")
            #expect(await device.state == .disconnected(.linkLost))
        }
    }

    @Test("each advertisement reports the strength of the signal")
    func signalStrength() async throws {
        let strap = """
            {sensors: [{name: 'Strap', kind: 'heartRateStrap', address: 'C0:52:49:00:00:02', heartRate: 72, rssi: -57}]}
            """
        try await withSimulation(strap) { _, central in
            let device = Device(HeartRateSensor.self, at: address, of: central)
            #expect(await device.signalStrength == nil)
            var strengths = await device.signalStrengths().makeAsyncIterator()
            let found = await central.heard(matching: HeartRateSensor.discovery)
            #expect(found.first?.rssi == -57)
            #expect(await strengths.next()?.decibelMilliwatts == -57)
        }
    }

    @Test("of several sensors the strongest comes first")
    func strongestFirst() async throws {
        let straps = """
            {sensors: [
              {name: 'Far', kind: 'heartRateStrap', address: 'C0:52:49:00:00:01', heartRate: 60, rssi: -88},
              {name: 'Near', kind: 'heartRateStrap', address: 'C0:52:49:00:00:02', heartRate: 70, rssi: -41},
              {name: 'Nearer than far', kind: 'heartRateStrap', address: 'C0:52:49:00:00:03', heartRate: 80, rssi: -70},
              {name: 'Other', kind: 'oximeter', address: 'C0:52:49:00:00:04', oxygenSaturation: 97, rssi: -30},
            ]}
            """
        try await withSimulation(straps) { _, central in
            let found = await central.heard(3, matching: HeartRateSensor.discovery)
            #expect(found.map(\.rssi) == [-41, -70, -88])
        }
    }
}
