import BlueZSimulator
import DBus
import Testing

@Suite("Waves of a sensor")
struct WaveTests {
    private static let fingertip = "/D2/service0017/char0018"

    private static func scenario(_ kind: String) throws -> Scenario {
        try Scenario(
            json5: "{sensors: [{name: 'VTM 20F 1', address: 'C0:52:49:00:00:02', kind: '\(kind)'}]}", file: "x")
    }

    private static func discover(_ client: BusClient) async throws {
        try await client.discover(until: "/D2")
        try await client.call("/hci0", "Adapter1", "StopDiscovery")
        try await client.call("/D2", "Device1", "Connect")
        try await client.log.wait(beginning: "/D2 Device1 {UUIDs: ")
    }

    /// The frames of an FS20F's wave in the log, by their counters.
    private static func counters(_ lines: some Sequence<String>) -> [Int] {
        lines.flatMap { line in
            line.matches(of: /fe0856....(..)(..).. ?/).compactMap { Int($0.output.2, radix: 16) }
        }
    }

    @Test("come beside the values while somebody listens, and their counter goes on through what is lost")
    func counters() async throws {
        try await withSimulator(try Self.scenario("fingertipOximeter")) { client, bench in
            try await Self.discover(client)
            try await client.call(Self.fingertip, "GattCharacteristic1", "StartNotify")
            let begin = "\(Self.fingertip) GattCharacteristic1 {Value: fe0856"
            try await client.log.wait(for: 20, beginning: begin)
            try await client.log.wait(beginning: "\(Self.fingertip) GattCharacteristic1 {Value: fe0a55")
            try await bench.perform("lose C0:52:49:00:00:02 5")
            // Frames that were sent before the command may still arrive.
            var steps: [Int] = []
            var next = 0
            while !steps.contains(11) {
                next = try await client.log.wait(beginning: begin, from: next) + 1
                let counters = Self.counters(await client.log.events[..<next].filter { $0.hasPrefix(begin) })
                steps = zip(counters.dropFirst(), counters).map { ($0 - $1 + 256) % 256 }
            }
            #expect(steps.allSatisfy { $0 == 1 || $0 == 11 })
            try await client.call(Self.fingertip, "GattCharacteristic1", "StopNotify")
            let stopped = try await client.log.wait(for: "StopNotify => ok")
            try await bench.perform("sleep 1")
            #expect(!(await client.log.events.dropFirst(stopped).contains { $0.hasPrefix(begin) }))
        }
    }
}
