import BlueZSimulator
import HealthDevices
import Testing

private let address = BluetoothAddress(rawValue: 0xC052_4900_0007)

/// A glucose meter that does only what a test has it do.
private let meter = """
    {
      sensors: [{
        name: 'Meter', kind: 'generic', address: 'C0:52:49:00:00:07', advertises: ['1808'],
        services: [{
          uuid: '1808',
          characteristics: [
            {uuid: '2A18', flags: ['notify']},
            {uuid: '2A51', flags: ['read'], value: '00 00'},
            {uuid: '2A52', flags: ['write', 'indicate']},
          ],
        }],
      }],
    }
    """

/// A glucose measurement with a sequence number and a time, and nothing else.
private func record(_ number: UInt8) -> [UInt8] {
    [0x00, number, 0x00, 0xEA, 0x07, 11, 23, 6, 30, 0]
}

@Suite("Access to stored records", .timeLimit(.minutes(10)))
struct RecordAccessTests {
    /// Runs a request against the meter; `conduct` plays the meter once it has got the request.
    private func withMeter<Outcome: Sendable>(
        _ ask: @escaping @Sendable (Device<GlucoseSensor>) async -> Outcome,
        _ conduct: (Simulator, Device<GlucoseSensor>) async throws -> Void
    ) async throws -> Outcome {
        var outcome: Outcome?
        try await withSimulation(meter) { simulator, central in
            _ = await central.heard(matching: GlucoseSensor.discovery)
            let device = Device(GlucoseSensor.self, at: address, of: central)
            try await device.connect()
            let asking = Task { await ask(device) }
            let control = CharacteristicType.recordAccessControlPoint.uuid
            while try await simulator.written(to: control, of: address) == nil { await Task.yield() }
            try await conduct(simulator, device)
            outcome = await asking.value
        }
        return try #require(outcome)
    }

    private func records(
        _ device: Device<GlucoseSensor>, silence: Duration = .seconds(30)
    ) async -> Result<[UInt16?], RecordAccessError> {
        do throws(RecordAccessError) {
            let records = try await device.glucose.recordAccess.records(
                from: device.glucose.measurement, silence: silence)
            return .success(records.map { $0.value?.sequenceNumber })
        } catch {
            return .failure(error)
        }
    }

    @Test("all records come in their order, a malformed one too, before the answer")
    func all() async throws {
        let outcome = try await withMeter({ await records($0) }) { simulator, _ in
            #expect(try await simulator.written(to: BluetoothUUID(0x2A52), of: address) == [1, 1])
            for number in 1...5 {
                try await simulator.send(record(UInt8(number)), from: .glucoseMeasurement, of: address)
            }
            try await simulator.send([0x00], from: .glucoseMeasurement, of: address)
            try await simulator.send([6, 0, 1, 1], from: .recordAccessControlPoint, of: address)
        }
        #expect(outcome == .success([1, 2, 3, 4, 5, nil]))
    }

    @Test("no records are an empty list, and a refusal is an error with its code")
    func none() async throws {
        let empty = try await withMeter({ await records($0) }) { simulator, _ in
            try await simulator.send([6, 0, 1, 6], from: .recordAccessControlPoint, of: address)
        }
        #expect(empty == .success([]))
        let refused = try await withMeter({ await records($0) }) { simulator, _ in
            try await simulator.send([6, 0, 1, 2], from: .recordAccessControlPoint, of: address)
        }
        #expect(refused == .failure(.refused(RecordAccessResponseCode(rawValue: 2))))
    }

    @Test("an answer to another request does not end the transfer")
    func anotherAnswer() async throws {
        let outcome = try await withMeter({ await records($0) }) { simulator, _ in
            try await simulator.send([5, 0, 9, 0], from: .recordAccessControlPoint, of: address)
            try await simulator.send(record(1), from: .glucoseMeasurement, of: address)
            try await simulator.send([6, 0, 1, 1], from: .recordAccessControlPoint, of: address)
        }
        #expect(outcome == .success([1]))
    }

    @Test("silence ends the transfer, and so does an abort")
    func ends() async throws {
        let silent = try await withMeter({ await records($0, silence: .milliseconds(300)) }) { simulator, _ in
            try await simulator.send(record(1), from: .glucoseMeasurement, of: address)
        }
        #expect(silent == .failure(.device(.timedOut)))
        let aborted = try await withMeter({ await records($0) }) { simulator, device in
            try await device.glucose.recordAccess.abort()
            #expect(try await simulator.written(to: BluetoothUUID(0x2A52), of: address) == [3, 0])
            try await simulator.send([6, 0, 3, 1], from: .recordAccessControlPoint, of: address)
        }
        #expect(aborted == .failure(.aborted))
    }

    @Test("the number of records is asked for")
    func count() async throws {
        let count = try await withMeter({ device in try? await device.glucose.recordAccess.numberOfRecords() }) {
            simulator, _ in
            #expect(try await simulator.written(to: BluetoothUUID(0x2A52), of: address) == [4, 1])
            try await simulator.send([5, 0, 0x39, 0x05], from: .recordAccessControlPoint, of: address)
        }
        #expect(count == 1337)
    }
}
