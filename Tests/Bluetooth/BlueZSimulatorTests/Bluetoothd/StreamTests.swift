import BlueZSimulator
import DBus
import Testing

@Suite("Streams of a strap")
struct StreamTests {
    private static let control = "/D2/service0023/char0024"
    private static let data = "/D2/service0023/char0027"
    private static let start: [UInt8] = [2, 0, 0, 1, 0x82, 0, 1, 1, 0x0E, 0]
    /// How a line with a frame of the ECG begins.
    private static let frame = "\(data) GattCharacteristic1 {Value: 00"

    private static func scenario() throws -> Scenario {
        try Scenario(
            json5: """
                {sensors: [{name: 'Polar H10 1234', address: 'C0:52:49:00:00:02', kind: 'heartRateStrap', heartRate: 72,
                electrocardiogram: true}]}
                """, file: "x")
    }

    private static func write(_ client: BusClient, _ octets: [UInt8]) async throws {
        try await client.call(control, "GattCharacteristic1", "WriteValue", [.bytes(octets), .properties([])])
    }

    private static func listen(_ client: BusClient) async throws {
        for path in [control, data] { try await client.call(path, "GattCharacteristic1", "StartNotify") }
    }

    /// The list of running streams in the simulator's report.
    private static func running(_ bench: TestBench) async -> String {
        let state = await bench.simulator.perform(command: "state")
        return state.firstMatch(of: #/"streams": (\[.*?\])/#).map { String($0.output.1) } ?? state
    }

    @Test("a stream begins and ends by the control point, and comes beside the heart rate")
    func startAndStop() async throws {
        try await withSimulator(try Self.scenario()) { client, bench in
            try await client.attach("/D2")
            #expect(await Self.running(bench) == "[]")
            try await client.call(Self.control, "GattCharacteristic1", "ReadValue", [.properties([])])
            try await client.log.wait(beginning: "\(Self.control) GattCharacteristic1 {Value: 0f0500")
            try await Self.listen(client)
            try await client.call(heartRateMeasurement, "GattCharacteristic1", "StartNotify")
            try await Self.write(client, Self.start)
            try await client.log.wait(beginning: "\(Self.control) GattCharacteristic1 {Value: f0020000")
            try await client.log.wait(for: 3, beginning: Self.frame)
            try await client.log.wait(for: 2, beginning: "\(heartRateMeasurement) GattCharacteristic1 {Value: ")
            #expect(await Self.running(bench) == "[\"ecg\"]")
            try await Self.write(client, [3, 0])
            try await client.log.wait(beginning: "\(Self.control) GattCharacteristic1 {Value: f0030000")
            #expect(await Self.running(bench) == "[]")
            let stopped = await client.log.events.count
            let measurement = "\(heartRateMeasurement) GattCharacteristic1 {Value: "
            try await client.log.wait(beginning: measurement, from: stopped + 3)
            #expect(!(await client.log.events.dropFirst(stopped).contains { $0.hasPrefix(Self.frame) }))
        }
    }

    @Test("without indications of the control point a stream begins, and the answer never comes")
    func withoutIndications() async throws {
        try await withSimulator(try Self.scenario()) { client, _ in
            try await client.attach("/D2")
            try await client.call(Self.data, "GattCharacteristic1", "StartNotify")
            try await Self.write(client, Self.start)
            try await client.log.wait(for: 2, beginning: Self.frame)
            #expect(!(await client.log.events.contains { $0.hasPrefix("\(Self.control) GattCharacteristic1 {Value") }))
        }
    }

    @Test("a stream that was not stopped runs on after the link, and the next link finds it running")
    func notStopped() async throws {
        try await withSimulator(try Self.scenario()) { client, bench in
            try await client.attach("/D2")
            try await Self.listen(client)
            try await Self.write(client, Self.start)
            try await client.log.wait(beginning: Self.frame)
            try await bench.perform("bye hr")
            let ended = try await client.log.wait(for: "/D2 Device1 {ServicesResolved: false, Connected: false}")
            #expect(await Self.running(bench) == "[\"ecg\"]")
            try await client.call("/D2", "Device1", "Connect")
            try await client.log.wait(for: "/D2 Device1 {ServicesResolved: true}", from: ended)
            // The notify sessions outlive the link, so frames come without another start.
            try await client.log.wait(beginning: Self.frame, from: ended)
            try await Self.write(client, [5])
            try await client.log.wait(for: "\(Self.control) GattCharacteristic1 {Value: f0050000004002}", from: ended)
            try await Self.write(client, Self.start)
            try await client.log.wait(for: "\(Self.control) GattCharacteristic1 {Value: f0020006}", from: ended)
        }
    }

    @Test("after the services have moved, nothing is sent at the old place, and a stream goes on at the new one")
    func moved() async throws {
        try await withSimulator(try Self.scenario()) { client, bench in
            try await client.attach("/D2")
            try await Self.listen(client)
            try await Self.write(client, Self.start)
            try await client.log.wait(beginning: Self.frame)
            try await bench.perform("services-changed hr")
            let removed = try await client.log.wait(beginning: "- \(Self.data) ")
            // The last signal of the exploration is that of the battery.
            try await client.log.wait(beginning: "+ /D2 Battery1", from: removed)
            var place = ""
            for path in try await client.objects() where path.contains("/char") && !path.contains("/desc") {
                let uuid = try await client.property(path, "GattCharacteristic1", "UUID")
                if uuid.hasPrefix("fb005c82") { place = path }
            }
            try #require(place != "" && place != Self.data)
            try await client.call(place, "GattCharacteristic1", "StartNotify")
            try await client.log.wait(for: 2, beginning: "\(place) GattCharacteristic1 {Value: 00")
            #expect(!(await client.log.events.dropFirst(removed).contains { $0.hasPrefix(Self.frame) }))
        }
    }

    @Test("frames can be lost, and can come many times")
    func faults() async throws {
        try await withSimulator(try Self.scenario()) { client, bench in
            try await client.attach("/D2")
            try await Self.listen(client)
            try await Self.write(client, Self.start)
            try await client.log.wait(beginning: Self.frame)
            try await bench.perform("flood hr 10")
            try await client.log.wait(for: 12, beginning: Self.frame)
            try await bench.perform("flood hr 1")
            try await bench.perform("lose hr 3")
            // Frames that were sent before a command may still arrive.
            var stamps: [Int64] = []
            var next = 0
            func receive() async throws {
                next = try await client.log.wait(beginning: Self.frame, from: next) + 1
                stamps.append(Self.stamp(await client.log.events[next - 1]))
            }
            func steps() -> [Double] { zip(stamps.dropFirst(), stamps).map { Double($0 - $1) / 1e9 * 130 / 73 } }
            while !steps().contains(where: { $0 > 3.9 }) { try await receive() }
            // Each frame is stamped one later than the one before it, but for the three that were lost.
            #expect(steps().allSatisfy { abs($0 - 1) < 0.001 || abs($0 - 4) < 0.001 })
            try await bench.perform("restart-clock hr")
            while stamps.last ?? 0 >= stamps[0] { try await receive() }
        }
    }

    private static func stamp(_ line: String) -> Int64 {
        let digits = Array(line.dropFirst(frame.count).prefix(16))
        return stride(from: 14, through: 0, by: -2).reduce(0) { stamp, place in
            stamp << 8 | (Int64(String(digits[place...(place + 1)]), radix: 16) ?? 0)
        }
    }
}
