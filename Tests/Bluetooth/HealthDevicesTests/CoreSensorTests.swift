import BlueZSimulator
import HealthDevices
import Testing

private let address = BluetoothAddress(rawValue: 0xC052_4900_0001)

@Suite("A CORE", .timeLimit(.minutes(10)))
struct CoreSensorTests {
    private static let core = """
        {sensors: [{name: 'CORE', kind: 'core', address: 'C0:52:49:00:00:01', temperature: 37.4, skinTemperature: 34.1}]}
        """

    private func withCore(
        _ scenario: String = Self.core, _ body: (Simulator, Device<CoreSensor>) async throws -> Void
    ) async throws {
        try await withSimulation(scenario) { simulator, central in
            var found = await central.peripherals(matching: CoreSensor.discovery).makeAsyncIterator()
            #expect(await found.next()?.address == address)
            try await central.stopDiscovery()
            let device = Device(CoreSensor.self, at: address, of: central)
            try await device.connect()
            try await body(simulator, device)
        }
    }

    @Test("sends both temperatures, and the heart rate that it was told")
    func heartRate() async throws {
        try await withCore { _, core in
            var values = await core.temperatures.measurement.values().makeAsyncIterator()
            let first = try #require(await values.next())
            #expect(first.coreCelsiusHundredths == 3740 && first.skinCelsiusHundredths == 3410)
            try await core.temperatures.control.setExternalHeartRate(141)
            var value = await values.next()
            while value?.heartRate != 141 { value = await values.next() }
            #expect(value?.qualityAndState?.heartRateState == .supportedReceiving)
            try await core.temperatures.control.setExternalHeartRate(nil)
            while value?.heartRate == 141 { value = await values.next() }
            #expect(value != nil)
        }
    }

    @Test("refuses commands that it does not know, with the reason")
    func refused() async throws {
        try await withCore { _, core in
            let error = await #expect(throws: CoreControlError.self) {
                try await core.temperatures.control.addHeartRateSensor(BluetoothAddress(rawValue: 0xC052_4900_0002))
            }
            #expect(error == .refused(CoreControlResult(rawValue: 2)))
            #expect(error?.description == "The sensor refused the command: opcode not supported.")
        }
    }

    @Test("is told an address with its last octet first, and gives the data of an answer")
    func commands() async throws {
        let silent = """
            {sensors: [{
              name: 'CORE', kind: 'generic', address: 'C0:52:49:00:00:01',
              advertises: ['00002100-5b1e-4347-b07c-97b514dae121'],
              services: [{uuid: '00002100-5b1e-4347-b07c-97b514dae121', characteristics: [
                {uuid: '00002101-5b1e-4347-b07c-97b514dae121', flags: ['notify']},
                {uuid: '00002102-5b1e-4347-b07c-97b514dae121', flags: ['write', 'indicate']},
              ]}],
            }]}
            """
        try await withCore(silent) { simulator, core in
            let control = CharacteristicType.coreControlPoint
            let adding = Task {
                try await core.temperatures.control.addHeartRateSensor(BluetoothAddress(rawValue: 0xC052_4900_0002))
            }
            while try await simulator.written(to: control.uuid, of: address) == nil { await Task.yield() }
            let written = try await simulator.written(to: control.uuid, of: address)
            #expect(written == [6, 2, 0, 0, 0x49, 0x52, 0xC0])
            // The answer to another command is not the one that is waited for.
            try await simulator.send([0x80, 0x13, 1], from: control, of: address)
            try await simulator.send([0x80, 0x06, 1], from: control, of: address)
            try await adding.value

            let counting = Task {
                try await core.temperatures.control.perform(
                    .command(CoreControlOpcode(rawValue: 0x08), parameters: []))
            }
            while try await simulator.written(to: control.uuid, of: address) == written { await Task.yield() }
            try await simulator.send([0x80, 0x08, 1, 3], from: control, of: address)
            #expect(try await counting.value == [3])
        }
    }
}
