import BlueZ
import Testing
import Vitals

@testable import KnownSensors
@testable import Sensors

@Suite("The supervisor, conversing", .timeLimit(.minutes(10)))
struct SupervisorConversingTests {
    private static let cuff = "C0:52:49:00:00:44"

    private static func bench() async -> SupervisorBench {
        let bench = await SupervisorBench(policy: .everyVitalSensor)
        await bench.supervisor.start()
        await bench.central.offer(cuff, service: "1810", ["2a35 indicate", "2a36 notify"])
        await bench.central.offer(cuff, service: "1805", ["2a2b read write"], values: ["2a2b": []])
        await bench.central.appear(cuff, name: "BM 54", services: ["1810"])
        return bench
    }

    @Test("sets the clock of a cuff, subscribes, and passes on what it measured as an entry of the record")
    func measures() async throws {
        let bench = await Self.bench()
        try await bench.read(until: .ready, of: Self.cuff)
        let calls = await bench.central.calls
        #expect(calls.prefix(2) == [.connect(Self.cuff), .read("2a2b")])
        #expect(calls.contains { if case .write("2a2b", let octets) = $0 { octets.count == 10 } else { false } })
        #expect(calls.suffix(2) == [.subscribe("2a36"), .subscribe("2a35")])
        await bench.central.notify(Self.cuff, "2a36", [0, 0x91, 0, 0xFF, 7, 0xFF, 7])
        await bench.central.notify(Self.cuff, "2a35", [0, 0x78, 0, 0x50, 0, 0x5D, 0])
        let events = try await bench.read { if case .entry = $0 { true } else { false } }
        #expect(events.contains { if case .cuffPressure(_, 145) = $0 { true } else { false } })
        guard case .entry(let entry)? = events.last else { return }
        #expect(entry.content == .bloodPressure(BloodPressure(systolic: 120, diastolic: 80, mean: 93)))
        #expect(entry.sensor.name == "BM 54")
    }

    @Test("does not report a cuff as lost that has gone to sleep, and connects at its next advertisement")
    func sleeps() async throws {
        let bench = await Self.bench()
        try await bench.read(until: .ready, of: Self.cuff)
        await bench.central.loseLink(Self.cuff)
        let states = try await bench.read(until: .waiting, of: Self.cuff)
        #expect(states.last?.reason == .asleep)
        await bench.central.advertise(Self.cuff, rssi: -61)
        try await bench.read(until: .ready, of: Self.cuff)
    }
}

extension SupervisorConversingTests {
    @Test("connects a transmitter that serves one app only when somebody asks for it")
    func onlyWhenAsked() async throws {
        let bench = await SupervisorBench(policy: .everyVitalSensor)
        await bench.supervisor.start()
        let dexcom = "C0:52:49:00:00:46"
        await bench.central.offer(dexcom, service: "febc", [])
        await bench.central.appear(dexcom, name: "Dexcom56", services: ["febc"])
        await bench.addStrap()
        try await bench.read(until: .ready)
        #expect(await !bench.central.calls.contains(.connect(dexcom)))
        await bench.supervisor.connect(dexcom)
        await bench.wait(for: .connect(dexcom))
    }
}

extension SupervisorConversingTests {
    @Test("passes on each record of a meter once, also when a link breaks and it hands over all of them again")
    func handedOverAgain() async throws {
        let bench = await SupervisorBench(policy: .everyVitalSensor)
        await bench.supervisor.start()
        let meter = "C0:52:49:00:00:47"
        await bench.central.offer(meter, service: "1808", ["2a18 notify", "2a52 write indicate"])
        await bench.central.appear(meter, name: "Meter", services: ["1808"])
        /// A record of 105 mg/dL.
        func hands(over sequence: UInt8) async {
            await bench.central.notify(
                meter, "2a18", [2, sequence, 0, 0xEA, 7, 1, 2, 3, 4, sequence, 0x69, 0xB0, 0x11])
        }
        for link in 0..<2 {
            try await bench.read(until: .ready, of: meter)
            #expect(await bench.central.calls.count { $0 == .write("2a52", [1, 1]) } == link + 1)
            for sequence: UInt8 in [9, 9, 8] { await hands(over: sequence) }
            if link == 1 { break }
            await bench.central.loseLink(meter)
            try await bench.read(until: .waiting, of: meter)
            await bench.central.advertise(meter, rssi: -61)
        }
        await hands(over: 7)
        try await bench.read { if case .entry(let entry) = $0 { entry.facts.sequence == 7 } else { false } }
        let sequences = bench.seen.compactMap { event -> Int? in
            if case .entry(let entry) = event { entry.facts.sequence } else { nil }
        }
        #expect(sequences == [9, 8, 7])
    }
}

/// An oximeter that streams and has stored spot-checks.
extension SupervisorConversingTests {
    private static let oximeter = SupervisorBench.oximeter

    /// A bench with that oximeter; its memory, if it is announced, has a clock.
    private static func spotBench(features: [UInt8] = [0x0C, 0]) async throws -> SupervisorBench {
        let bench = await SupervisorBench(policy: .everyVitalSensor)
        await bench.supervisor.start()
        await bench.central.offer(
            oximeter, service: "1822", ["2a5f notify", "2a5e indicate", "2a60 read", "2a52 write indicate"],
            values: ["2a60": features])
        await bench.central.appear(oximeter, name: "Spot", services: ["1822"])
        return bench
    }

    /// Hands over a spot-check of 2026-01-02 03:04, of a percentage.
    private static func handOver(_ percent: UInt8, on bench: SupervisorBench, status: UInt8 = 2) async {
        await bench.central.notify(
            oximeter, "2a5e", [3, percent, 0, 70, 0, 0xEA, 7, 1, 2, 3, 4, percent % 60, 0, status])
    }

    private static func stream(_ percent: UInt8, on bench: SupervisorBench) async throws {
        await bench.central.notify(oximeter, "2a5f", [0, percent, 0, 70, 0])
        try await bench.read { saturation(of: $0) == Int(percent) }
    }

    /// The percentage of a reading.
    private static func saturation(of event: MonitorEvent.Kind) -> Int? {
        guard let reading = event.reading, reading.vital == .oxygenSaturation,
            case .measured(let value, _) = reading.outcome
        else { return nil }
        return value.hundredths / 100
    }

    private static func saturations(_ bench: SupervisorBench) -> [VitalValue] {
        bench.seen.compactMap { event in
            guard case .entry(let entry) = event, case .vital(.oxygenSaturation, let value, _) = entry.content else {
                return nil
            }
            return value
        }
    }

    @Test("fetches the stored spot-checks of an oximeter on each link, passes on each once, and goes on streaming")
    func spotChecks() async throws {
        let bench = try await Self.spotBench()
        for link in 0..<2 {
            await bench.wait(until: { $0.count { $0 == .write("2a52", [1, 1]) } == link + 1 })
            for percent: UInt8 in 91..<94 { await Self.handOver(percent, on: bench) }
            try await Self.stream(UInt8(98 + link), on: bench)
            if link == 1 { break }
            await bench.central.loseLink(Self.oximeter)
            try await bench.read(until: .waiting, of: Self.oximeter)
            await bench.central.advertise(Self.oximeter, rssi: -61)
        }
        #expect(Self.saturations(bench) == [91, 92, 93].map { VitalValue(whole: $0) })
        // Stored is not present: no reading has one of these values.
        #expect(!bench.seen.contains { Self.saturation(of: $0).map { $0 < 98 } ?? false })
        // Once the transfer has ended, a spot-check is a present value.
        await bench.central.notify(Self.oximeter, "2a52", [6, 0, 1, 1])
        await bench.central.notify(Self.oximeter, "2a5e", [0, 95, 0, 70, 0])
        try await bench.read { Self.saturation(of: $0) == 95 }
    }

    @Test("passes on no spot-check that an earlier run has passed on")
    func earlierRun() async throws {
        let bench = try await Self.spotBench()
        let time = DeviceTime(year: 2026, month: 1, day: 2, hour: 3, minute: 4, second: 31)
        let sensor = SensorIdentity(address: Self.oximeter, name: "Spot", kind: .oximeter)
        let known = RecordEntry(
            .vital(.oxygenSaturation, VitalValue(whole: 91), site: nil), from: .sensor(sensor),
            EntryFacts(deviceTime: time), enteredAt: .now())
        await bench.supervisor.remember(handedOver: [known])
        await bench.wait(for: .write("2a52", [1, 1]))
        for percent: UInt8 in 91..<93 { await Self.handOver(percent, on: bench) }
        try await Self.stream(98, on: bench)
        #expect(Self.saturations(bench) == [VitalValue(whole: 92)])
    }

    @Test("asks no oximeter for spot-checks that does not announce a memory")
    func noMemory() async throws {
        let bench = try await Self.spotBench(features: [0x08, 0])
        try await bench.read(until: .ready, of: Self.oximeter)
        try await Self.stream(98, on: bench)
        await bench.settle()
        #expect(await !bench.central.calls.contains { if case .write("2a52", _) = $0 { true } else { false } })
    }

    @Test("takes a spot-check after a refused transfer for what it is, and goes on streaming")
    func refused() async throws {
        let bench = try await Self.spotBench()
        await bench.wait(for: .write("2a52", [1, 1]))
        await bench.central.notify(Self.oximeter, "2a52", [6, 0, 1, 2])
        await bench.central.notify(Self.oximeter, "2a5e", [0, 95, 0, 70, 0])
        try await Self.stream(98, on: bench)
        #expect(bench.seen.contains { Self.saturation(of: $0) == 95 })
        #expect(!bench.seen.contains { $0.connection(of: Self.oximeter)?.phase == .disconnected })
    }
}
