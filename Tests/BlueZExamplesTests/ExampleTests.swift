import BlueZ
import BlueZExamples
import DBus
import TestSupport
import Testing

/// The seeds' device: what is written to one characteristic comes back from another one.
private let echo = """
    {
      sensors: [{
        name: 'Echo', kind: 'generic', address: 'C0:52:49:00:00:09',
        advertises: ['6e400001-b5a3-f393-e0a9-e50e24dcca9e'],
        services: [{
          uuid: '6e400001-b5a3-f393-e0a9-e50e24dcca9e',
          characteristics: [
            {uuid: '6e400002-b5a3-f393-e0a9-e50e24dcca9e', flags: ['write', 'write-without-response']},
            {uuid: '6e400003-b5a3-f393-e0a9-e50e24dcca9e', flags: ['notify'],
             echoes: '6e400002-b5a3-f393-e0a9-e50e24dcca9e'},
          ],
        }],
      }],
    }
    """

private let strap = """
    {sensors: [{name: 'Strap', kind: 'heartRateStrap', address: 'C0:52:49:00:00:02', heartRate: 72}]}
    """

@Suite("The examples of the library", .timeLimit(.minutes(2)))
struct ExampleTests {
    @Test("the one of thirty lines scans, connects, reads, writes and subscribes")
    func pulse() async throws {
        try await withPlayground(strap) { playground in
            let lines = Recorder<String>()
            try await readPulse(bus: .address(playground.busAddress)) { lines.record($0) }
            let printed = lines.elements
            #expect(printed.prefix(2) == ["connected to C0:52:49:00:00:02", "worn at [1]"])
            #expect(printed.count == 12)
            #expect(printed.dropFirst(2).allSatisfy { $0.contains(", 72") })
        }
    }

    @Test("MyDevice sends texts and collects those that come back")
    func myDevice() async throws {
        try await withPlayground(echo) { playground in
            let texts = ["hello", "", "Grüße 🫀", String(repeating: "x", count: 200)]
            let answers = try await exchange(texts, through: playground.bluez)
            #expect(answers == texts)
        }
    }
}
