import BlueZ
import EventLoops
import TestSupport
import Testing
import Vitals
import Waves

@testable import KnownSensors
@testable import Sensors

@Suite("A stream that outlives its link", .timeLimit(.minutes(10)))
struct SupervisorStoppingTests {
    private static let strap = SupervisorBench.strap
    private static let control = SupervisorWavesTests.control
    private static let stop = FakeCentral.Call.write(control, [3, 0])
    private static let running = [RunningWave(address: strap, kind: .electrocardiogram)]

    /// A bench whose strap streams since an earlier run.
    private static func bench(
        _ kinds: Set<WaveKind> = [], policy: ConnectPolicy = .everyVitalSensor, isConnected: Bool = false
    ) async -> SupervisorBench {
        let bench = await SupervisorWavesTests.bench(kinds, policy: policy, isStarted: false)
        var strap = StreamingStrap(seed: 1)
        strap.running = [0]
        await bench.central.attach(strap)
        await bench.supervisor.remember(running: running)
        await bench.addStrap(isConnected: isConnected)
        return bench
    }

    @Test("is stopped when the link is back and nobody wants it any longer")
    func unwantedMeanwhile() async throws {
        let bench = try await SupervisorWavesTests.readyBench()
        var lists = await bench.supervisor.runningWaveLists().makeAsyncIterator()
        await SupervisorWavesTests.startWave(of: bench)
        // It is on record before it is started.
        #expect(await lists.next() == Self.running)
        await bench.central.loseLink(Self.strap)
        try await bench.read(until: .waiting)
        await bench.supervisor.use(waves: [])
        await bench.central.advertise(Self.strap, rssi: -60)
        try await bench.read(until: .ready)
        await bench.wait(for: Self.stop)
        await bench.central.notify(Self.strap, Self.control, [0xF0, 3, 0, 0, 0])
        #expect(await lists.next() == [])
    }

    @Test("is stopped by the next run, which does not want it, after the subscription to the control point")
    func nextRun() async throws {
        let bench = await Self.bench()
        var lists = await bench.supervisor.runningWaveLists().makeAsyncIterator()
        await bench.supervisor.start()
        #expect(await lists.next() == [])
        #expect(await bench.central.streams == [])
        let calls = await bench.central.calls
        let subscribed = try #require(calls.firstIndex(of: .subscribe(Self.control)))
        #expect(subscribed < calls.firstIndex(of: Self.stop) ?? 0)
        #expect(!calls.contains(.disconnect(Self.strap)))
    }

    @Test("is stopped before the link is ended that a killed run has left and nobody wants")
    func unwantedLink() async throws {
        let bench = await Self.bench(policy: .none, isConnected: true)
        await bench.supervisor.remember(links: [
            OwnedLink(address: Self.strap, bus: "bus", daemon: ":1.1", client: ":1.5")
        ])
        await bench.supervisor.start()
        await bench.wait(for: .disconnect(Self.strap))
        let calls = await bench.central.calls
        #expect(
            calls.filter { $0 == .subscribe(Self.control) || $0 == Self.stop || $0 == .disconnect(Self.strap) }
                == [.subscribe(Self.control), Self.stop, .disconnect(Self.strap)])
    }

    @Test("on a link of another program that is not wanted is left alone")
    func foreignLink() async throws {
        let bench = await Self.bench(policy: .none, isConnected: true)
        await bench.supervisor.start()
        try await bench.read { $0.connection(of: Self.strap)?.isForeign == true }
        await bench.settle()
        await bench.supervisor.shutDown()
        #expect(await bench.central.streams == [0])
        #expect(await !bench.central.calls.contains(Self.stop))
    }

    @Test("that is wanted goes on, and is stopped at the end")
    func wanted() async throws {
        let bench = await Self.bench([.electrocardiogram])
        await bench.supervisor.start()
        await bench.wait {
            $0.contains { if case .write(Self.control, let octets) = $0 { octets[0] == 2 } else { false } }
        }
        #expect(await !bench.central.calls.contains(Self.stop))
        await bench.supervisor.shutDown()
        #expect(await bench.central.streams == [])
    }

    /// How a sensor without a link is let go.
    enum Way: CaseIterable, Sendable { case disconnect, forget, shutDown }

    @Test("and whose sensor is let go without a link is told to the user", arguments: Way.allCases)
    func withoutLink(way: Way) async throws {
        let bench = await Self.bench()
        await bench.supervisor.start()
        try await bench.read(until: .ready)
        await bench.wait(for: Self.stop)
        while await !bench.supervisor.running(on: Self.strap).isEmpty { await Task.yield() }
        await bench.supervisor.remember(running: Self.running)
        await bench.central.loseLink(Self.strap)
        try await bench.read(until: .waiting)
        var notices = await bench.supervisor.warnings().makeAsyncIterator()
        switch way {
        case .disconnect: await bench.supervisor.disconnect(Self.strap)
        case .forget: await bench.supervisor.forget(Self.strap)
        case .shutDown: await bench.supervisor.shutDown()
        }
        #expect(await notices.next() == "Polar H10 1234: \(PolarWaveDriver.notStopped)")
    }

    @Test("whatever is wanted in whatever order, links lost in between: in the end runs what is wanted last")
    func newestWish() async throws {
        var random = SeededGenerator(seed: 20)
        let wishes: [(Set<WaveKind>, Set<UInt8>)] = [
            ([], []), ([.electrocardiogram], [0]), ([.electrocardiogram, .acceleration], [0, 2]),
            ([.acceleration], [2]),
        ]
        for round in 0..<20 {
            let bench = await SupervisorWavesTests.bench([])
            await bench.central.attach(StreamingStrap(seed: UInt64(round)))
            await bench.addStrap()
            if Bool.random(using: &random) { try await bench.read(until: .ready) }
            var (last, hasLostLink) = (wishes[0], false)
            for _ in 0..<Int.random(in: 1...5, using: &random) {
                last = wishes[Int.random(in: wishes.indices, using: &random)]
                await bench.supervisor.use(waves: last.0)
                for _ in 0..<Int.random(in: 0...40, using: &random) { await Task.yield() }
                // A strap whose link ends twice before it answers is not asked for its wave again. Before the answer to
                // `Connect` this stand-in would lose its link in an order that no bus has.
                guard Int.random(in: 0..<6, using: &random) == 0, !hasLostLink,
                    await bench.supervisor.isReady(Self.strap)
                else { continue }
                hasLostLink = true
                await bench.central.loseLink(Self.strap)
                await bench.central.advertise(Self.strap, rssi: -60)
            }
            let wanted = last
            try await awaitCondition("what is wanted last runs, in round \(round)") {
                let (streams, running) = (await bench.central.streams, await bench.supervisor.running(on: Self.strap))
                guard streams == wanted.1, running == wanted.0 else { return false }
                return await bench.supervisor.isReady(Self.strap)
            }
            await bench.supervisor.wavesSettled(of: Self.strap)
            await bench.settle()
            #expect(await bench.central.streams == last.1, "\(round)")
            await bench.supervisor.shutDown()
            #expect(await bench.central.streams == [], "\(round)")
        }
    }
}

extension SensorSupervisor {
    fileprivate func running(on address: String) -> Set<WaveKind> {
        BluetoothAddress(address).flatMap { runningWaves[$0] } ?? []
    }

    fileprivate func isReady(_ address: String) -> Bool {
        BluetoothAddress(address).flatMap { sessions[$0] }?.machine.isReady == true
    }

    /// Waits for all work on the waves of a sensor.
    fileprivate func wavesSettled(of address: String) async {
        await BluetoothAddress(address).flatMap { sessions[$0] }?.waveWork?.value
    }
}
