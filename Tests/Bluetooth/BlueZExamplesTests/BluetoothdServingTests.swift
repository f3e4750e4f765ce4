import BlueZ
import HealthDevices
import TestSupport
import Testing

@testable import BlueZExamples

/// The adapter that serves, and the one that centrals connect by.
private let (serving, connecting) = (ObjectPath.root.child("org").child("bluez").child("hci0"), "hci1")

extension BluetoothCentral {
    /// Connects by the second adapter to the heart rate sensor of a name, again if an earlier link ends under it.
    fileprivate func connect(to name: String) async throws -> Device<HeartRateSensor> {
        start()
        try await ready()
        let adapter = try #require(adapters.first { $0.id == connecting })
        try await startDiscovery(on: adapter.path)
        var heard: Peripheral?
        for await peripheral in peripherals(matching: HeartRateSensor.discovery)
        where peripheral.name == name && peripheral.adapter == adapter.path {
            heard = peripheral
            break
        }
        try await stopDiscovery()
        let device = Device(HeartRateSensor.self, at: try #require(heard).address, of: self)
        try await awaitCondition("it is connected") {
            do {
                try await device.connect()
                return true
            } catch DeviceError.bluez(let error) where [.connectionAborted, .notConnected].contains(error.kind) {
                return false
            }
        }
        return device
    }
}

extension DeviceError {
    /// The kind of the daemon's error, if it is one.
    fileprivate var bluezKind: BlueZError.Kind? {
        if case .bluez(let error) = self { error.kind } else { nil }
    }
}

/// What needs two adapters: `make test-bluez` runs it in its machine, with the real bluetoothd.
@Suite(
    "A served device, by the real bluetoothd",
    .enabled(if: Machine.isHere, "only in the machine of make test-bluez: it takes two adapters"), .serialized,
    .timeLimit(.minutes(10)))
struct BluetoothdServingTests {
    /// Runs the sample while a central uses it, and checks what it prints.
    private func withSample(_ use: (_ measure: (UInt16) -> Void) async throws -> Void) async throws {
        let lines = Recorder<String>()
        let (heartRates, measure) = AsyncStream<UInt16>.makeStream()
        let sample = Task { try await serveHeartRate(heartRates) { lines.record($0) } }
        defer { sample.cancel() }
        try await awaitCondition("it is served") { lines.elements.contains("The services are served by hci0.") }
        try await use { measure.yield($0) }
        measure.finish()
        try await sample.value
        #expect(lines.elements.last == "The energy counter was reset 1 times.")
    }

    @Test("as the sample serves it, is read, written and subscribed to by our own central")
    func ourCentral() async throws {
        let machine = try Machine()
        try await withSample { measure in
            let central = BluetoothCentral()
            let sensor = try await central.connect(to: "Pulse")
            #expect(try await sensor.heartRate.location.read() == .chest)
            try await sensor.heartRate.controlPoint.write(.resetEnergyExpended)
            let refusal = await #expect(throws: DeviceError.self) {
                try await sensor.heartRate.controlPoint.write(HeartRateCommand(rawValue: 2))
            }
            #expect(refusal?.bluezKind == .attribute(code: 0x80))
            var rates = await sensor.heartRate.measurement.values().makeAsyncIterator()
            measure(72)
            measure(300)
            #expect(await rates.next()?.heartRate == 72)
            #expect(await rates.next()?.heartRate == 300)
            await sensor.heartRate.measurement.unsubscribe()
            try await sensor.disconnect()
            await central.stop()
        }
        withExtendedLifetime(machine) {}
    }

    @Test("as the sample serves it, is read, written and subscribed to by bleak")
    func bleak() async throws {
        let machine = try Machine()
        try await withSample { measure in
            let central = try Machine.BleakCentral(usingSensor: "Pulse", by: connecting)
            #expect(try await central.perform("connect") == "00:1B:DC:00:00:01")
            #expect(try await central.perform("location") == "01")
            #expect(try await central.perform("reset") == "ok")
            #expect(try await central.perform("refused").contains("0x80"))
            #expect(try await central.perform("subscribe") == "ok")
            measure(72)
            measure(300)
            #expect(try await central.perform("rate") == "72")
            #expect(try await central.perform("rate") == "300")
            #expect(try await central.perform("unsubscribe") == "ok")
            #expect(try await central.perform("disconnect") == "ok")
        }
        withExtendedLifetime(machine) {}
    }

    /// Serves a heart rate sensor for the length of a test.
    private func withSensor(
        _ body: (Machine, DeviceServer<HeartRateSensor>) async throws -> Void
    ) async throws {
        let machine = try Machine()
        let central = BluetoothCentral()
        await central.start()
        let sensor = DeviceServer(HeartRateSensor.self, of: central)
        try await sensor.heartRate.location.setValue(.wrist)
        try await sensor.start(advertising: Advertisement(name: "Served", appearance: .heartRateBelt), on: serving)
        await sensor.wait { $0 == .serving(on: serving) }
        do {
            try await body(machine, sensor)
        } catch {
            await central.stop()
            throw error
        }
        await sensor.stop()
        await central.stop()
    }

    @Test("sees that a central subscribes, ends its subscription, and ends its link")
    func subscriptions() async throws {
        try await withSensor { _, sensor in
            let measurement = sensor.heartRate.measurement
            var subscriptions = await measurement.subscriptions().makeAsyncIterator()
            #expect(await subscriptions.next() == false)
            let central = BluetoothCentral()
            let phone = try await central.connect(to: "Served")
            #expect(await subscriptions.next() == true)
            #expect(try await measurement.send(HeartRateMeasurement(heartRate: 61)))
            await phone.heartRate.measurement.unsubscribe()
            #expect(await subscriptions.next() == false)
            #expect(try await !measurement.send(HeartRateMeasurement(heartRate: 62)))
            try await phone.heartRate.measurement.subscribe()
            #expect(await subscriptions.next() == true)
            try await phone.disconnect()
            #expect(await subscriptions.next() == false)
            await central.stop()
        }
    }

    @Test(
        "is served and advertised again when bluetoothd, the adapter or its power has gone and returned",
        arguments: [
            ["power off hci0", "power on hci0"], ["bluez-restart"], ["bluez-kill", "bluez-start"],
            ["unplug hci0", "plug hci0"], ["rfkill block hci0", "rfkill unblock hci0"],
        ])
    func returns(commands: [String]) async throws {
        try await withSensor { machine, sensor in
            let before = BluetoothCentral()
            let lost = try await before.connect(to: "Served")
            try await awaitCondition("it is subscribed to") { await sensor.heartRate.measurement.isSubscribed }
            let states = Recorder<ServingState>()
            let recording = await sensor.states().deliver { states.record($0) }
            for command in commands { try await machine.perform(command) }
            try await awaitCondition("it is served again") {
                states.elements.last == .serving(on: serving) && states.count > 1
            }
            withExtendedLifetime(recording) {}
            // The other end of a link that was lost without a word notices when its timer has run out.
            try await awaitCondition("its central has noticed") {
                if case .disconnected = await lost.state { true } else { false }
            }
            try await awaitCondition("the subscription has ended") {
                await !sensor.heartRate.measurement.isSubscribed
            }
            await before.stop()

            let after = BluetoothCentral()
            let phone = try await after.connect(to: "Served")
            #expect(try await phone.heartRate.location.read() == .wrist)
            var rates = await phone.heartRate.measurement.values().makeAsyncIterator()
            try await awaitCondition("it is subscribed to again") { await sensor.heartRate.measurement.isSubscribed }
            try await sensor.heartRate.measurement.send(HeartRateMeasurement(heartRate: 63))
            #expect(await rates.next()?.heartRate == 63)
            try await phone.disconnect()
            await after.stop()
        }
    }
}
