import Base
import DBus
import Testing
import VitalDecoders

@testable import BlueZSimulator

@Suite("Nights in scenarios")
struct NightScenarioTests {
    private static func scenario(_ nights: String, kind: String = "oximeterRingS", fields: String = "") -> String {
        """
        {sensors: [{name: 'O2Ring S 1', address: 'C0:52:49:00:00:02', kind: '\(kind)', \(fields)
        nights: [\(nights)]}]}
        """
    }

    @Test(
        "a mistake is one sentence with the field",
        arguments: [
            (scenario("{length: 60}"), "nights[0]: the field 'start' is missing"),
            (
                scenario("{start: 'yesterday', length: 60}"),
                "nights[0].start: expected '2026-11-28 22:41:05', '22:41:05' or a number of seconds"
            ),
            (
                scenario("{start: '2026-02-30 22:41:05', length: 60}"),
                "nights[0].start: expected '2026-11-28 22:41:05', '22:41:05' or a number of seconds"
            ),
            (
                scenario("{start: -60, daysAgo: 1, length: 60}"),
                "nights[0].daysAgo: days ago are for a night whose start is a time of day"
            ),
            (
                scenario("{start: -60, length: 90000}"),
                "nights[0].length: expected a number of seconds from 1 to 43200, found 90000"
            ),
            (
                scenario("{start: -60, length: 60, falls: [{at: 0, depth: 4, length: 9, count: 3}]}"),
                "nights[0].falls[0]: the field 'every' is missing"
            ),
            (
                scenario("{start: -60, length: 60, gaps: [{at: 0, length: 9, depth: 3}]}"),
                "nights[0].gaps[0].depth: unknown field; expected one of at, length, count, every"
            ),
            (
                scenario("{start: -60, length: 60, defect: 'wrongSun'}"),
                "nights[0].defect: unknown word 'wrongSun'; did you mean 'wrongSum'?"
            ),
            (
                scenario("", kind: "fingertipOximeter"),
                "nights: nights are for an oximeterRing or an oximeterRingS"
            ),
        ] as [(String, String)])
    func mistakes(text: String, sentence: String) throws {
        let error = #expect(throws: ScenarioError.self) { try Scenario(json5: text, file: "ward.json5") }
        let description = try #require(error?.description)
        #expect(description.hasSuffix(sentence) && description.hasPrefix("ward.json5:"), "\(description)")
    }

    /// The memory of the ring in a built-in scenario.
    private static func nights(_ name: String) throws -> StoredNights {
        let scenario = try Scenario.load(path: name)
        #expect(scenario.sensors.count == 1)
        let ring = SimulatedPeripheral(scenario.sensors[0], noise: Noise(seed: scenario.seed), period: scenario.period)
        return try #require(ring.conversation.nights)
    }

    @Test(
        "each built-in scenario of nights has four of them, whose files the decoders read",
        arguments: ["ring-nights", "ring-s-nights"])
    func builtIn(name: String) throws {
        let nights = try Self.nights(name)
        let stored = nights.stored(at: 0)
        #expect(stored.count == 4 && Scenario.builtInNames.contains(name))
        for night in stored {
            let file = try ViatomNightFile(nights.octets(of: night, at: 0))
            let isBeingWritten = night.begin == -1800
            #expect(file.isComplete != isBeingWritten)
            #expect(isBeingWritten || file.start?.digits == night.name)
            // The chance alone is never as deep as a fall.
            let values = file.samples.compactMap(\.saturation)
            let depth = Int(night.description.falls.first?.depth ?? 0)
            #expect(values.max() == 97 && abs(Int(values.min() ?? 0) - (96 - depth)) <= 1, "\(night.name)")
        }
        let depths = stored.map { $0.description.falls.first?.depth ?? 0 }
        let counts = stored.map { $0.description.falls.count }
        #expect(name == "ring-nights" ? counts == [0, 42, 150, 280] : counts == [42, 150, 280, 20])
        #expect(name == "ring-nights" ? depths == [0, 4, 5, 9] : depths == [4, 5, 9, 4])
        // The next night takes the place of the oldest one, when an older ring has finished it.
        #expect(nights.stored(at: 100).count == (name == "ring-nights" ? 3 : 4))
        #expect(nights.stored(at: 400).count == 4)
    }

    @Test(
        "of the four files of each damaged scenario one is sound",
        arguments: ["ring-nights-damaged", "ring-s-nights-damaged"])
    func damaged(name: String) throws {
        let nights = try Self.nights(name)
        let stored = nights.stored(at: 0)
        #expect(stored.map(\.description.defect) == [nil, .wrongSum, .wrongSize, .unfinished])
        #expect(stored[2].name == "../../.night\u{1B}[2J")
        let sound = stored.map { night in
            (try? ViatomNightFile(nights.octets(of: night, at: 0)))?.isComplete ?? false
        }
        // Of the third, what is wrong is only what the ring says of its length.
        #expect(sound == [true, false, true, false])
    }

    @Test("a ring of any scenario says that it has no nights, and follows the scenario's own rules")
    func none() throws {
        let ring = SimulatedPeripheral(
            try Scenario.devices.sensors[0].checked(.oximeterRing), noise: Noise(seed: 1), period: nil)
        let reactions = ring.nightReactions(to: [0xAA, 0x14, 0xEB, 0, 0, 0, 0, 0xC6], at: 5)
        guard case .answer(let octets, _)? = reactions.first else {
            Issue.record("\(reactions)")
            return
        }
        #expect(String(decoding: octets, as: UTF8.self).contains("\"FileList\":\"\""))
        let live: [UInt8] = [0xAA, 0x17, 0xE8, 0, 0, 0, 0, 0x1B]
        #expect(ring.nightReactions(to: live, at: 5) == [.rules(live)])
    }

    @Test("a ring that falls asleep is awake at first, as it has nights to hand over")
    func awake() throws {
        let sensors = try Scenario(json5: Self.scenario("", fields: "sleepsAfter: 60,"), file: "x").sensors
        let ring = SimulatedPeripheral(sensors[0], noise: Noise(seed: 1), period: nil)
        #expect(ring.isAdvertising && ring.conversation.isEpisodic)
    }

    // MARK: Over the bus

    private static let requests = "/D2/service0017/char0018"
    private static let answers = "/D2/service0017/char001a"
    private static let address = BluetoothAddress(rawValue: 0xC052_4900_0002)

    private static func discover(_ client: BusClient) async throws {
        try await client.discover(until: "/D2")
        try await client.call("/hci0", "Adapter1", "StopDiscovery")
        try await client.call("/D2", "Device1", "Connect")
        try await client.log.wait(beginning: "/D2 Device1 {UUIDs: ")
        try await client.call(answers, "GattCharacteristic1", "StartNotify")
    }

    private static func write(_ text: String, _ client: BusClient) async throws {
        try await client.call(
            requests, "GattCharacteristic1", "WriteValue",
            [.bytes(try Hexadecimal.octets(text.utf8)), .properties([])])
    }

    @Test("a request in pieces is answered in pieces, and the ring loses its link where the scenario says so")
    func pieces() async throws {
        let scenario = try Scenario(
            json5: Self.scenario(
                "{start: '2026-09-28 22:15:07', length: 600}", kind: "oximeterRing",
                fields: "quantities: {breakAfter: 1},"), file: "x")
        try await withSimulator(scenario) { client, bench in
            try await Self.discover(client)
            try await Self.write("AA 03 FC 00 00 0F 00 32 30 32 36 30 39 32 38 32 32 31 35", client)
            try await Self.write("30 37 00 87", client)
            // 40 octets and 150 samples.
            let begin = "\(Self.answers) GattCharacteristic1 {Value: "
            try await client.log.wait(beginning: begin + "5500ff000004001603000044")
            try await Self.write("AA 04 FB 00 00 00 00 6A", client)
            try await client.log.wait(beginning: begin + "5500ff000000020300ea07091c160f07")
            // 520 octets in pieces of 20, and the answer before them.
            try await client.log.wait(for: 27, beginning: begin)
            try await Self.write("AA 04 FB 01 00 00 00 7C", client)
            try await client.log.wait(for: "/D2 Device1 {ServicesResolved: false, Connected: false}")
            let state = await bench.simulator.perform(command: "state")
            #expect(state.contains("\"files\": {\"opened\": 1, \"closed\": 0, \"chunks\": 1, \"forbidden\": []}"))
        }
    }

    @Test("a ring that was sent a command that nobody may send is never heard again")
    func forbidden() async throws {
        let scenario = try Scenario(json5: Self.scenario("", kind: "oximeterRing"), file: "x")
        try await withSimulator(scenario) { client, bench in
            try await Self.discover(client)
            try await Self.write("AA 18 E7 00 00 00 00 BB", client)
            try await client.log.wait(for: "/D2 Device1 {ServicesResolved: false, Connected: false}")
            let state = await bench.simulator.perform(command: "state")
            #expect(state.contains("\"forbidden\": [\"18\"]") && state.contains("\"advertising\": false"), "\(state)")
            let events = await bench.simulator.perform(command: "events")
            #expect(events.contains("O2Ring S 1 forbidden command 18") && events.contains("O2Ring S 1 dead"))
        }
    }
}

extension SensorDescription {
    /// The sensor, which must be of a kind.
    fileprivate func checked(_ kind: Kind) throws -> SensorDescription {
        try #require(self.kind == kind ? self : nil)
    }
}
