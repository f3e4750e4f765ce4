import BlueZSimulator
import HealthDevices
import TestSupport
import Testing

private let address = BluetoothAddress(rawValue: 0xC052_4900_0002)

@Suite("A remembered device", .timeLimit(.minutes(10)))
struct RememberedDeviceTests {
    private let strap = """
        {sensors: [{name: 'Strap', kind: 'heartRateStrap', address: 'C0:52:49:00:00:02', heartRate: 72, battery: 64}]}
        """

    @Test("is connected as soon as it is nearby, though nobody has looked for it")
    func nearby() async throws {
        try await withSimulation(strap) { simulator, central in
            #expect(await simulator.perform(command: "vanish hr") == "ok")
            let device = Device(HeartRateSensor.self, at: address, of: central)
            let connecting = Task { try await device.connectWhenNearby() }
            #expect(await simulator.perform(command: "sleep 20") == "ok")
            #expect(await device.state == .disconnected(nil))
            #expect(await simulator.perform(command: "return hr") == "ok")
            try await connecting.value
            #expect(await device.state == .connected)
            try await device.connectWhenNearby()
        }
    }

    @Test("is connected together with all others, whichever comes first")
    func together() async throws {
        let straps = (1...4).map { number in
            "{name: 'Strap\(number)', kind: 'heartRateStrap', address: 'C0:52:49:00:01:0\(number)', heartRate: 7\(number)}"
        }
        try await withSimulation("{sensors: [\(straps.joined(separator: ", "))]}") { simulator, central in
            for number in 2...3 { #expect(await simulator.perform(command: "vanish Strap\(number)") == "ok") }
            let devices = (1...4).map { number in
                let address = BluetoothAddress(rawValue: 0xC052_4900_0100 + UInt64(number))
                return Device(HeartRateSensor.self, at: address, of: central, reconnecting: .always)
            }
            let connecting = Task {
                try await withThrowingTaskGroup { group in
                    for device in devices { group.addTask { try await device.connectWhenNearby() } }
                    try await group.waitForAll()
                }
            }
            try await awaitCondition("those that are there") {
                let (first, last) = (await devices[0].state, await devices[3].state)
                return first == .connected && last == .connected
            }
            for number in 2...3 { #expect(await simulator.perform(command: "return Strap\(number)") == "ok") }
            try await connecting.value
            for device in devices { #expect(await device.state == .connected) }
        }
    }

    @Test("is tried again after a connection that fails")
    func retries() async throws {
        try await withSimulation(strap) { simulator, central in
            #expect(await simulator.perform(command: "refuse hr 2") == "ok")
            let device = Device(HeartRateSensor.self, at: address, of: central)
            try await device.connectWhenNearby()
            #expect(await device.state == .connected)
        }
    }

    @Test("that lacks what its declaration requires is given up")
    func otherDevice() async throws {
        try await withSimulation(strap) { _, central in
            let device = Device(BloodPressureSensor.self, at: address, of: central)
            await #expect(
                throws: DeviceError.missing(
                    service: BloodPressureService.uuid, characteristic: CharacteristicType.bloodPressureMeasurement.uuid
                )
            ) {
                try await device.connectWhenNearby()
            }
        }
    }

    @Test("is no longer waited for when the task is cancelled")
    func cancelled() async throws {
        try await withSimulation(strap) { simulator, central in
            #expect(await simulator.perform(command: "vanish hr") == "ok")
            let device = Device(HeartRateSensor.self, at: address, of: central)
            let connecting = Task { try await device.connectWhenNearby() }
            #expect(await simulator.perform(command: "sleep 5") == "ok")
            connecting.cancel()
            await #expect(throws: CancellationError.self) { try await connecting.value }
        }
    }

    @Test("has the name that the person or else the device gives it, and what is known of it")
    func remembered() async throws {
        try await withSimulation(strap) { _, central in
            let found = await central.heard(matching: HeartRateSensor.discovery)
            let peripheral = try #require(found.first)
            var devices = RememberedDevices()
            try devices.remember(peripheral, as: HeartRateSensor.self)
            #expect(devices[address]?.name == "Strap")
            #expect(devices[address]?.kind == "HeartRateSensor")
            #expect(devices[address]?.lastSeen == peripheral.lastHeard?.wallMilliseconds)
            try devices.remember(peripheral, as: HeartRateSensor.self, named: "Hers")
            #expect(devices.devices(toConnectAs: HeartRateSensor.self).map(\.name) == ["Hers"])
            #expect(devices.devices(toConnectAs: Thermometer.self).isEmpty)
            devices.setConnectsAutomatically(false, address)
            #expect(devices.devices(toConnectAs: HeartRateSensor.self).isEmpty)

            var nameless = peripheral
            (nameless.name, nameless.alias, nameless.batteryPercent) = ("\u{200B}", nil, 64)
            devices.forget(address)
            try devices.remember(nameless, as: HeartRateSensor.self)
            #expect(devices[address]?.name == "C0:52:49:00:00:02")
            #expect(devices[address]?.batteryPercent == 64)
            #expect(devices.noteConnected(address) == true)
        }
    }

    @Test("of a declaration with variants is remembered with its variant")
    func variant() throws {
        var cuff = Peripheral(path: .root, adapter: .root, address: address)
        cuff.uuids = [BloodPressureService.uuid]
        cuff.appearance = .wristBloodPressureMonitor
        var devices = RememberedDevices()
        try devices.remember(cuff, as: BloodPressureSensor.self, named: "Cuff")
        #expect(devices[address]?.variant == "wrist")
        #expect(BloodPressureSensor.variants.map(\.name) == ["arm", "wrist"])
        #expect(Thermometer.variants.map(\.name) == ["ear"])
        #expect(PulseOximeterSensor.variants.map(\.name) == ["fingertip", "wrist"])
    }
}
