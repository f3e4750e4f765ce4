import BlueZ
import BlueZSimulator
import TestSupport
import Testing

private let scenario = "{sensors: [{name: 'Strap', kind: 'heartRateStrap', address: 'C0:52:49:00:00:02'}]}"

/// A lamp with a text that is longer than a packet, a brightness that is read and written, and a temperature.
private struct Lamp: DeviceDeclaration {
    struct Light: ServiceDeclaration {
        static let uuid = BluetoothUUID(0xFEF0)
        let brightness = Declared<UInt8>(BluetoothUUID(0xFEF1), .isRead)
        let description = Declared<String>(BluetoothUUID(0xFEF2), .isOptional)
        let temperature = Declared<UInt16>(BluetoothUUID(0xFEF3), .notifies, .isOptional)
    }

    static let discovery = DiscoveryCriteria(services: [Light.uuid])
    let light = Light()
}

private let brightness = BluetoothUUID(0xFEF1)
private let description = BluetoothUUID(0xFEF2)
private let temperature = BluetoothUUID(0xFEF3)

extension DeviceServer {
    /// Waits until it is in a state.
    @discardableResult
    func wait(for matches: (ServingState) -> Bool) async -> ServingState? {
        for await state in await states() where matches(state) { return state }
        return nil
    }

    fileprivate func waitUntilServed() async {
        await wait { if case .serving = $0 { true } else { false } }
    }
}

@Suite("A served device", .timeLimit(.minutes(10)))
struct ServingTests {
    /// Serves a lamp for the length of a test.
    private func withLamp(
        _ body: (Playground, DeviceServer<Lamp>) async throws -> Void
    ) async throws {
        try await withPlayground(scenario) { playground in
            let lamp = DeviceServer(Lamp.self, of: playground.central)
            try await lamp.light.brightness.setValue(5)
            try await lamp.start()
            await lamp.waitUntilServed()
            try await body(playground, lamp)
            await lamp.stop()
        }
    }

    @Test(
        "is registered again when bluetoothd, the adapter or its power has gone and returned",
        arguments: [
            "bluez-restart", "bluez-kill", "unplug", "power off",
        ])
    func returns(command: String) async throws {
        try await withLamp { playground, lamp in
            let phone = try await playground.simulator.connectCentral()
            _ = try await phone.subscribe(to: temperature)
            try await awaitCondition("it is subscribed to") { await lamp.light.temperature.isSubscribed }
            try await playground.perform(command)
            let returning = ["bluez-kill": "bluez-start", "unplug": "plug", "power off": "power on"][command]
            if let returning {
                await lamp.wait { if case .serving = $0 { false } else { true } }
                try await playground.perform(returning)
            }
            try await awaitCondition("it is found again") { await !playground.simulator.advertisements.isEmpty }
            await lamp.waitUntilServed()
            try await awaitCondition("the subscription has ended") { await !lamp.light.temperature.isSubscribed }
            let other = try await playground.simulator.connectCentral()
            #expect(try await other.read(brightness) == [5])
        }
    }

    @Test("waits for the bus, for bluetoothd and for the power of the adapter, and says so")
    func waits() async throws {
        try await withLamp { playground, lamp in
            try await playground.perform("power off")
            await lamp.wait { $0 == .adapterOff }
            try await playground.perform("unplug")
            await lamp.wait { $0 == .waitingForAdapter }
            try await playground.perform("bluez-stop")
            await lamp.wait { $0 == .waitingForDaemon }
            try await playground.perform("dbus-stop")
            await lamp.wait { $0 == .waitingForBus }
            #expect(await lamp.state.description.contains("message bus cannot be reached"))
            await lamp.stop()
            #expect(await lamp.state == .stopped)
        }
    }

    @Test("answers a long value in parts of one and the same value, whatever it is by then")
    func longValue() async throws {
        try await withPlayground(scenario) { playground in
            let lamp = DeviceServer(Lamp.self, of: playground.central)
            try await lamp.light.brightness.setValue(5)
            let count = Recorder<Int>()
            try await lamp.light.description.answerReads { () async throws(AttributeRefusal) in
                count.record(1)
                return String(repeating: "\(count.count)", count: 100)
            }
            try await lamp.start()
            await lamp.waitUntilServed()
            let phone = try await playground.simulator.connectCentral(transferUnit: 23)
            #expect(try await phone.read(description) == [UInt8](repeating: 0x31, count: 100))
            #expect(try await phone.read(description) == [UInt8](repeating: 0x32, count: 100))
            #expect(count.count == 2)
            await lamp.stop()
        }
    }

    @Test("refuses a read as its closure says")
    func refusedRead() async throws {
        try await withPlayground(scenario) { playground in
            let lamp = DeviceServer(Lamp.self, of: playground.central)
            try await lamp.light.brightness.answerReads { () async throws(AttributeRefusal) in throw .notAuthorized }
            try await lamp.start()
            await lamp.waitUntilServed()
            let phone = try await playground.simulator.connectCentral()
            await #expect(throws: SimulatorError.refused(code: 0x08)) { _ = try await phone.read(brightness) }
            try await lamp.light.brightness.answerReads { () async throws(AttributeRefusal) in throw .application(0x93)
            }
            await #expect(throws: SimulatorError.refused(code: 0x93)) { _ = try await phone.read(brightness) }
            await #expect(throws: SimulatorError.refused(code: 0x03)) { try await phone.write([1], to: brightness) }
            await lamp.stop()
        }
    }

    @Test("that is stated as writable takes values with their central, which it then answers with")
    func writable() async throws {
        try await withPlayground(scenario) { playground in
            let lamp = DeviceServer(Lamp.self, of: playground.central)
            let light = lamp.light.brightness
            try await light.setValue(5)
            try await light.offer([.read, .write, .writeWithoutResponse, .notify])
            try await light.addDescriptor(.characteristicUserDescription, "brightness")
            var writes = try await light.receivedWrites().makeAsyncIterator()
            try await lamp.start(advertising: Advertisement(name: "Lamp", manufacturerData: [0xFFFF: [1, 2]]))
            await lamp.waitUntilServed()
            #expect(await playground.simulator.advertisements.first?.manufacturerData == [0xFFFF: [1, 2]])
            let phone = try await playground.simulator.connectCentral()
            var values = try await phone.subscribe(to: brightness).makeAsyncIterator()
            try await phone.write([9], to: brightness, withResponse: false)
            let write = await writes.next()
            #expect(write?.value == 9)
            #expect(write?.mode == .withoutResponse)
            #expect(write?.central == phone.address)
            #expect(try await light.send(9))
            #expect(await values.next() == [9])
            #expect(try await phone.read(brightness) == [9])
            #expect(
                try await phone.read(descriptor: .characteristicUserDescription, of: brightness)
                    == Array("brightness".utf8))
            await lamp.stop()
            #expect(await writes.next() == nil)
            // The writes must be asked for anew.
            await #expect(throws: ServingError.incomplete(brightness, [.write, .writeWithoutResponse])) {
                try await lamp.start()
            }
            _ = try await light.receivedWrites()
            try await lamp.start()
            await lamp.stop()
        }
    }

    @Test("is subscribed to until the last central has ended its subscription or its link")
    func subscriptions() async throws {
        try await withLamp { playground, lamp in
            var states = await lamp.light.temperature.subscriptions().makeAsyncIterator()
            #expect(await states.next() == false)
            let phone = try await playground.simulator.connectCentral()
            let watch = try await playground.simulator.connectCentral(BluetoothAddress(rawValue: 0xC052_4900_00C1))
            _ = try await phone.subscribe(to: temperature)
            var values = try await watch.subscribe(to: temperature).makeAsyncIterator()
            #expect(await states.next() == true)
            try await phone.unsubscribe(from: temperature)
            // Its answer follows what was told before.
            _ = try await phone.read(brightness)
            #expect(try await lamp.light.temperature.send(2700))
            #expect(await values.next() == [0x8C, 0x0A])
            await watch.disconnect()
            #expect(await states.next() == false)
        }
    }

    @Test("can be started again, also twice on one connection")
    func again() async throws {
        try await withLamp { playground, lamp in
            await lamp.stop()
            #expect(await playground.simulator.servedCharacteristics.isEmpty)
            try await lamp.start()
            await lamp.waitUntilServed()
            let second = DeviceServer(Lamp.self, of: playground.central)
            try await second.light.brightness.setValue(6)
            try await second.start(advertising: nil)
            await second.waitUntilServed()
            #expect(
                await playground.simulator.servedCharacteristics == [brightness, temperature, brightness, temperature])
            await second.stop()
            #expect(await playground.simulator.advertisements.count == 1)
        }
    }

    @Test("says so when bluetoothd refuses, and tries again")
    func refused() async throws {
        try await withPlayground(scenario) { playground in
            let lamp = DeviceServer(Lamp.self, of: playground.central)
            try await lamp.light.brightness.setValue(5)
            try await lamp.start(advertising: Advertisement(name: String(repeating: "a", count: 30)))
            let refused = await lamp.wait { if case .refused = $0 { true } else { false } }
            #expect(refused?.description.contains("refuses to serve") == true)
            await lamp.wait { $0 == .registering }
            await lamp.stop()
        }
    }

    @Test("ends with its client")
    func endOfClient() async throws {
        try await withLamp { playground, lamp in
            await playground.central.stop()
            #expect(await lamp.state == .stopped)
            try await awaitCondition("it is found no longer") { await playground.simulator.advertisements.isEmpty }
        }
    }
}
