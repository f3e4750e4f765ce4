import BlueZ
import SensorDrivers
import Testing
import VitalDecoders
import Vitals

@testable import KnownSensors
@testable import Sensors

@Suite("The supervisor, fetching stored nights", .timeLimit(.minutes(10)))
struct SupervisorNightsTests {
    private static let address = "C0:52:49:00:00:53"
    private static let name = "20251230220000"
    private static let start = DateTime(year: 2025, month: 12, day: 30, hour: 22, minute: 0, second: 0)

    /// A ring on the air, which answers until the task is cancelled.
    ///
    /// - Parameter dropping: The command at which it ends the link.
    private static func bench(
        _ generation: SensorNights.RingGeneration, contact: UInt8 = 0, dropping: UInt8? = nil
    ) async -> (bench: SupervisorBench, ring: Task<Void, Never>) {
        let bench = await SupervisorBench(policy: .everyVitalSensor)
        await bench.supervisor.start()
        var ring = FakeRing(
            generation, [name: NightFileExample.octets(generation, samples: 900, start: start)])
        ring.contact = contact
        let service = generation == .older ? OximeterRingDriver.service : OxyIIDriver.service
        let (writing, notifying) = (ring.writing.description.lowercased(), ring.notifying.description.lowercased())
        await bench.central.offer(
            address, service: service.description.lowercased(),
            ["\(writing) write write-without-response", "\(notifying) notify"])
        let (central, answering) = (bench.central, ring)
        let task = Task {
            var (ring, seen) = (answering, 0)
            while !Task.isCancelled {
                let calls = await central.calls
                for call in calls[seen...] {
                    switch call {
                    case .connect: ring.beginLink()
                    case .write(writing, let octets) where dropping != nil && octets[1] == dropping:
                        await central.loseLink(address)
                    case .write(writing, let octets):
                        for answer in ring.answers(to: octets) { await central.notify(address, notifying, answer) }
                    default: break
                    }
                }
                seen = calls.count
                await Task.yield()
            }
        }
        return (bench, task)
    }

    private static func appear(_ bench: SupervisorBench, _ generation: SensorNights.RingGeneration) async {
        // The newer ones advertise a name alone.
        let services = generation == .older ? [OximeterRingDriver.service.description.lowercased()] : []
        await bench.central.appear(
            address, name: generation == .older ? "O2Ring 0421" : "O2Ring S 0541", services: services)
    }

    private static func state(_ event: MonitorEvent.Kind) -> SensorNights.State? {
        if case .nights(_, let nights) = event { nights.nights?.first?.state } else { nil }
    }

    @Test(
        "hands over each night once, and has values again after that",
        arguments: SensorNights.RingGeneration.allCases)
    func fetches(_ generation: SensorNights.RingGeneration) async throws {
        let (bench, ring) = await Self.bench(generation)
        defer { ring.cancel() }
        await bench.supervisor.use(nights: .always)
        let nights = await bench.supervisor.fetchedNights()
        await Self.appear(bench, generation)
        try await bench.read { Self.state($0) == .received }
        var iterator = nights.makeAsyncIterator()
        let night = try #require(await iterator.next())
        #expect(night.night.name == Self.name && night.sensor.address == Self.address)
        await bench.supervisor.nightHandled(Self.name, of: Self.address, problem: nil)
        try await bench.read { Self.state($0) == .stored }
        try await bench.read { $0.reading?.outcome == .noMeasurement(.offBody) }
        let connects = await bench.central.calls.count { $0 == .connect(Self.address) }
        #expect(connects == (generation == .older ? 1 : 2))
    }

    @Test(
        "never begins by itself while it is worn, and does when somebody asks",
        arguments: SensorNights.RingGeneration.allCases)
    func asked(_ generation: SensorNights.RingGeneration) async throws {
        let (bench, ring) = await Self.bench(generation, contact: 1)
        defer { ring.cancel() }
        await bench.supervisor.use(nights: .always)
        await Self.appear(bench, generation)
        try await bench.read { Self.state($0) == .onRing }
        try await bench.read { if case .measured? = $0.reading?.outcome { true } else { false } }
        #expect(!bench.seen.contains { Self.state($0) == .received })
        await bench.supervisor.fetchNights(of: Self.address)
        try await bench.read { Self.state($0) == .received }
        try await bench.read { if case .measured? = $0.reading?.outcome { true } else { false } }
    }

    @Test(
        "no longer asks a ring whose link ends by that three times, so that its values come",
        arguments: SensorNights.RingGeneration.allCases)
    func fruitless(_ generation: SensorNights.RingGeneration) async throws {
        let list: UInt8 = generation == .older ? 0x14 : 0xF1
        let (bench, ring) = await Self.bench(generation, contact: 1, dropping: list)
        defer { ring.cancel() }
        var notices = await bench.supervisor.warnings().makeAsyncIterator()
        await bench.supervisor.use(nights: .ask)
        await Self.appear(bench, generation)
        for _ in 0..<3 {
            try await bench.read(until: .waiting, of: Self.address)
            await bench.central.advertise(Self.address, rssi: -60)
        }
        #expect(await notices.next()?.contains("its nights, so only the key f asks it again") == true)
        try await bench.read(until: .ready, of: Self.address)
        try await bench.read { if case .measured? = $0.reading?.outcome { true } else { false } }
        await bench.settle()
        let asked = await bench.central.calls.count {
            if case .write(_, let octets) = $0 { octets[1] == list } else { false }
        }
        #expect(asked == 3)
    }

    @Test("does not fetch a night that an earlier run has stored")
    func known() async throws {
        let (bench, ring) = await Self.bench(.oxyII)
        defer { ring.cancel() }
        await bench.supervisor.remember(nights: [Self.address: [Self.name]])
        await bench.supervisor.use(nights: .always)
        await Self.appear(bench, .oxyII)
        try await bench.read { Self.state($0) == .stored }
        try await bench.read { $0.reading?.outcome == .noMeasurement(.offBody) }
        #expect(await bench.central.calls.count { $0 == .connect(Self.address) } == 1)
    }
}
