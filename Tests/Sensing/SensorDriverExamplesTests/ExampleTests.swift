import BlueZSimulator
import TestSupport
import Testing

@testable import SensorDriverExamples

/// A clip that sends three values, one of them damaged, once it is written to, and then goes.
private let clip = """
    {
      sensors: [{
        name: 'MyClip', kind: 'generic', address: 'C0:52:49:00:00:3C', advertises: ['FFF0'], interval: 3600,
        services: [{
          uuid: 'FFF0',
          characteristics: [{ uuid: 'FFF1', flags: ['write'] }, { uuid: 'FFF2', flags: ['notify'] }],
        }],
        conversation: [{
          written: 'FFF1', octets: '01',
          answers: [
            { from: 'FFF2', octets: '61 48 A9' },
            { from: 'FFF2', octets: '61 48 00', after: 1 },
            { from: 'FFF2', octets: '60 48 A8', after: 1 },
            { hangUp: true, after: 1 },
          ],
        }],
      }],
    }
    """

@Suite("The example of a driver that is written outside", .timeLimit(.minutes(10)))
struct ExampleTests {
    @Test("it converses with a simulated clip: what it sends is reported, what is damaged is not, and the end is said")
    func converses() async throws {
        let simulator = Simulator(try Scenario(json5: clip, file: "test"), timeScale: 0.2)
        let bus = try await simulator.start()
        let lines = Recorder<String>()
        let outcome = await Result { try await printClip(bus: .address(bus)) { lines.record($0) } }
        await simulator.stop()
        try outcome.get()
        #expect(lines.elements == ["97 %", "malformed: the checksum does not fit", "96 %", "ended: linkLost"])
    }
}

@Suite("The example that talks to whatever it knows", .timeLimit(.minutes(10)))
struct KnownSensorExampleTests {
    @Test("it recognises a simulated ring by what it advertises, and prints what its driver reports")
    func ring() async throws {
        let scenario = "{sensors: [{name: 'O2Ring 0421', kind: 'oximeterRing', address: 'C0:52:49:00:00:53'}]}"
        let simulator = Simulator(try Scenario(json5: scenario, file: "test"), timeScale: 0.2)
        let bus = try await simulator.start()
        let lines = Recorder<String>()
        let printing = Task { try await printKnownSensor(bus: .address(bus)) { lines.record($0) } }
        try await awaitCondition("readings are printed") {
            lines.elements.contains { $0.hasPrefix("oxygenSaturation: ") }
        }
        await simulator.stop()
        _ = await printing.result
    }
}

extension Result where Failure == any Error {
    /// The result of a body that may throw.
    fileprivate init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
