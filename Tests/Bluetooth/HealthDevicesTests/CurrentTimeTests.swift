import BlueZSimulator
import HealthDevices
import Testing

private let address = BluetoothAddress(rawValue: 0xC052_4900_0005)

/// A device with a clock.
private struct Clock: DeviceDeclaration {
    static let discovery = DiscoveryCriteria(services: [StandardService.CurrentTime.uuid])
    let clock = StandardService.CurrentTime()
}

@Suite("The clock of a device", .timeLimit(.minutes(10)))
struct CurrentTimeTests {
    /// 30 November 2026, 8:15:30, a Monday.
    private static let octets: [UInt8] = [0xEA, 0x07, 11, 30, 8, 15, 30, 1, 128, 1]

    private func withClock(
        _ characteristic: String, conversation: String = "[]",
        _ body: (Simulator, DeviceCharacteristic<CurrentTime>) async throws -> Void
    ) async throws {
        let scenario = """
            {sensors: [{
              name: 'Clock', kind: 'generic', address: 'C0:52:49:00:00:05', advertises: ['1805'],
              services: [{uuid: '1805', characteristics: [{uuid: '2A2B', \(characteristic)}]}],
              conversation: \(conversation),
            }]}
            """
        try await withSimulation(scenario) { simulator, central in
            var found = await central.peripherals(matching: Clock.discovery).makeAsyncIterator()
            #expect(await found.next()?.address == address)
            try await central.stopDiscovery()
            let device = Device(Clock.self, at: address, of: central)
            try await device.connect()
            try await body(simulator, device.clock.time)
        }
    }

    @Test("is read and set")
    func readAndSet() async throws {
        try await withClock("flags: ['read', 'write'], value: 'EA 07 0B 1E 08 0F 1E 01 80 01'") { simulator, time in
            let value = try await time.read()
            #expect(value.octets == Self.octets)
            #expect(value.dayOfWeek == 1 && value.fractions == 128 && value.adjustReason == .manual)
            let later = CurrentTime(dateTime: value.dateTime, dayOfWeek: 1, adjustReason: .externalReference)
            #expect(try await time.set(later))
            #expect(try await simulator.written(to: BluetoothUUID(0x2A2B), of: address) == later.octets)
            #expect(try await time.read() == later)
        }
    }

    @Test("is notified to who subscribes")
    func notified() async throws {
        try await withClock("flags: ['read', 'notify'], value: 'EA 07 0B 1E 08 0F 1E 01 80 01'") { simulator, time in
            var values = await time.values().makeAsyncIterator()
            try await time.subscribe()
            try await simulator.send(Self.octets, from: .currentTime, of: address)
            #expect(await values.next()?.octets == Self.octets)
        }
    }

    @Test("is not set where the device does not allow it, and a field that the device ignores is reported")
    func refused() async throws {
        let value = try CurrentTime(Self.octets)
        try await withClock("flags: ['read'], value: '00'") { _, time in
            let error = await #expect(throws: DeviceError.self) { try await time.set(value) }
            guard case .bluez(let failure)? = error else {
                Issue.record("set failed otherwise: \(String(describing: error))")
                return
            }
            #expect(failure.kind == .notSupported)
        }
        let ignoring = "[{written: '2A2B', octets: '*', error: 0x80}]"
        try await withClock("flags: ['read', 'write'], value: '00'", conversation: ignoring) { _, time in
            let isWhole = try await time.set(value)
            #expect(!isWhole)
        }
        let refusing = "[{written: '2A2B', octets: '*', error: 0x03}]"
        try await withClock("flags: ['read', 'write'], value: '00'", conversation: refusing) { _, time in
            await #expect(throws: DeviceError.self) { try await time.set(value) }
        }
    }
}
