import BlueZ
import EventLoops
import Testing
import VitalDecoders
import Vitals
import Waves

@testable import KnownSensors
@testable import Sensors

@Suite("The supervisor and waves", .timeLimit(.minutes(10)))
struct SupervisorWavesTests {
    private static let strap = SupervisorBench.strap
    static let control = "fb005c81-02e7-f387-1cad-8acd2d8df0c8"
    private static let data = "fb005c82-02e7-f387-1cad-8acd2d8df0c8"
    private static let askSettings = FakeCentral.Call.write(control, [1, 0])
    private static let start = FakeCentral.Call.write(control, [2, 0, 0, 1, 0x82, 0, 1, 1, 0x0E, 0])
    private static let stop = FakeCentral.Call.write(control, [3, 0])

    static func bench(
        _ kinds: Set<WaveKind> = [.electrocardiogram], policy: ConnectPolicy = .everyVitalSensor, isStarted: Bool = true
    ) async -> SupervisorBench {
        let bench = await SupervisorBench(policy: policy)
        await bench.supervisor.use(waves: kinds)
        if isStarted { await bench.supervisor.start() }
        await bench.central.offer(
            strap, service: "fb005c80-02e7-f387-1cad-8acd2d8df0c8",
            ["\(control) read write indicate", "\(data) notify"],
            values: [control: [0x0F, 5]])
        return bench
    }

    static func readyBench(_ kinds: Set<WaveKind> = [.electrocardiogram]) async throws -> SupervisorBench {
        let bench = await bench(kinds)
        await bench.addStrap()
        try await bench.read(until: .ready)
        return bench
    }

    /// Answers as an H10 does until its ECG runs.
    static func startWave(of bench: SupervisorBench) async {
        await bench.wait(for: askSettings)
        await bench.central.notify(strap, control, [0xF0, 1, 0, 0, 0, 0, 1, 0x82, 0, 1, 1, 0x0E, 0])
        await bench.wait(for: start)
        await bench.central.notify(strap, control, [0xF0, 2, 0, 0, 0])
    }

    private static func frame(_ stamp: UInt8) -> [UInt8] { [0, 0, 0, 0, stamp, 0, 0, 0, 0, 0, 1, 0, 0, 2, 0, 0] }

    @Test("an ECG runs beside the heart rate, and is stopped before a link is ended by hand")
    func disconnected() async throws {
        let bench = await Self.bench()
        var updates = await bench.supervisor.waveUpdates().makeAsyncIterator()
        await bench.addStrap()
        try await bench.read(until: .ready)
        await Self.startWave(of: bench)
        await bench.central.notify(Self.strap, Self.data, Self.frame(1))
        let read = [await updates.next(), await updates.next(), await updates.next()]
        #expect(read.prefix(2).map(\.?.state) == [.wanted, .streaming])
        guard case .block(let block)? = read[2] else {
            Issue.record("no samples")
            return
        }
        #expect(block.samples == [1, 2])
        #expect(block.sensor.address == Self.strap)
        await bench.central.notify(Self.strap, "2a37", [0, 71])
        let events = try await bench.read { $0.reading != nil }
        #expect(events.last?.reading?.vital == .heartRate)
        await bench.supervisor.disconnect(Self.strap)
        await bench.wait(for: .disconnect(Self.strap))
        let calls = await bench.central.calls
        let stopped = try #require(calls.firstIndex(of: Self.stop))
        #expect(stopped < calls.firstIndex(of: .disconnect(Self.strap)) ?? 0)
        #expect(await updates.next() == .state(block.sensor, .electrocardiogram, .ended))
    }

    @Test("it is stopped when the program ends, and while nobody reads waves it is not asked for")
    func shutDown() async throws {
        let bench = try await Self.readyBench()
        await Self.startWave(of: bench)
        await bench.supervisor.shutDown()
        #expect(await bench.central.calls.contains(Self.stop))

        let calm = try await Self.readyBench([])
        await calm.settle()
        #expect(await !calm.central.calls.contains { if case .write(Self.control, _) = $0 { true } else { false } })
    }

    @Test("it is stopped when the last reader goes, and started when one comes")
    func readers() async throws {
        let bench = try await Self.readyBench([])
        await bench.supervisor.use(waves: [.electrocardiogram])
        await Self.startWave(of: bench)
        await bench.supervisor.use(waves: [])
        await bench.wait(for: Self.stop)
        #expect(await !bench.central.calls.contains(.disconnect(Self.strap)))
    }

    @Test("after a reconnection it is asked for again, settings included")
    func again() async throws {
        let bench = try await Self.readyBench()
        await Self.startWave(of: bench)
        await bench.central.loseLink(Self.strap)
        try await bench.read(until: .waiting)
        await bench.central.advertise(Self.strap, rssi: -60)
        try await bench.read(until: .ready)
        await bench.wait { $0.count { $0 == Self.askSettings } == 2 }
    }

    @Test("the beats of its ECG are marked once, for every reader")
    func marked() async throws {
        let bench = try await Self.readyBench()
        var readers = [
            await bench.supervisor.waveUpdates().makeAsyncIterator(),
            await bench.supervisor.waveUpdates().makeAsyncIterator(),
        ]
        await Self.startWave(of: bench)
        let now = Timestamp.now()
        // 17 s of an R peak each second.
        for number in 0..<30 {
            let samples = (0..<73).map { index -> Int32 in
                [900, 500, -200][safe: (number * 73 + index) % 130] ?? 0
            }
            let nanoseconds = Int64(Double(number * 73 + 72) / 130 * 1e9)
            let frame = PolarMeasurementFrame(
                type: .electrocardiogram, timestamp: UInt64(nanoseconds), content: .samples(samples, channels: 1))
            await bench.central.notify(
                Self.strap, Self.data, frame.octets,
                at: Timestamp(
                    monotonicNanoseconds: now.monotonicNanoseconds + nanoseconds,
                    wallMilliseconds: now.wallMilliseconds + nanoseconds / 1_000_000))
        }
        var marks: [[Int]] = [[], []]
        for reader in readers.indices {
            var count = 0
            while count < 30 * 73, let update = await readers[reader].next() {
                guard case .block(let block) = update else { continue }
                marks[reader] += block.beats.map { $0 + count }
                count += block.count
            }
        }
        #expect(marks[0] == marks[1])
        #expect(marks[0].count > 5)
        #expect(marks[0].allSatisfy { $0 % 130 == 0 }, "\(marks[0])")
    }

    private static let oximeter = SupervisorBench.oximeter

    /// A frame of a fingertip oximeter with its checksum.
    private static func fingertip(_ body: [UInt8]) -> [UInt8] {
        let body = [UInt8(body.count + 3)] + body
        return [0xFE] + body + [body.reduce(0, &+)]
    }

    @Test("the wave that an oximeter sends unasked is reported while somebody reads waves, its values always")
    func oximeterReaders() async throws {
        let bench = await SupervisorBench(policy: .everyVitalSensor)
        await bench.supervisor.start()
        var updates = await bench.supervisor.waveUpdates().makeAsyncIterator()
        await bench.central.offer(Self.oximeter, service: "ffe0", ["ffe4 notify"])
        await bench.central.appear(Self.oximeter, name: "VTM 20F")
        try await bench.read(until: .ready, of: Self.oximeter)
        let value = Self.fingertip([0x55, 0x00, 0x48, 0x61, 0x0B, 0xB8, 0x01])
        func sample(_ counter: UInt8) -> [UInt8] { Self.fingertip([0x56, 40, 0, 5, counter]) }
        for (round, isWanted) in [false, true, false].enumerated() {
            await bench.supervisor.use(waves: isWanted ? [.plethysmogram] : [])
            await bench.wait { $0.count { $0 == .subscribe("ffe4") } == round + 1 }
            await bench.settle()
            await bench.central.notify(Self.oximeter, "ffe4", sample(UInt8(round)) + value)
            let events = try await bench.read { $0.reading?.vital == .pulseRate }
            #expect(events.contains { $0.reading?.vital == .oxygenSaturation }, "\(round)")
        }
        await bench.supervisor.shutDown()
        var read: [WaveUpdate] = []
        while let update = await updates.next() { read.append(update) }
        #expect(read.map(\.state) == [.wanted, .streaming, nil, .ended])
        guard case .block(let block) = read[2] else { return }
        #expect(block.samples == [40])
    }

    @Test("samples on a characteristic of their own do not make an oximeter look alive whose values are missing")
    func silentOximeter() async throws {
        let bench = await SupervisorBench()
        await bench.supervisor.use(waves: [.plethysmogram])
        await bench.supervisor.start()
        let service = NoninOximeterDriver.service.description
        let values = NoninOximeterDriver.characteristic.description
        let wave = NoninOximeterDriver.plethysmogram.description
        await bench.central.offer(Self.oximeter, service: service, ["\(values) notify", "\(wave) notify"])
        await bench.central.appear(Self.oximeter, name: "Nonin3230", services: [service])
        await bench.central.setPaired(Self.oximeter)
        await bench.supervisor.connect(Self.oximeter)
        try await bench.read(until: .ready, of: Self.oximeter)
        await bench.settle()
        await bench.central.notify(Self.oximeter, values, [10, 0x10, 30, 0, 50, 0, 1, 97, 0, 72])
        try await bench.read { $0.reading?.vital == .pulseRate }
        let last = await bench.supervisor.lastValue(of: Self.oximeter)
        var updates = await bench.supervisor.waveUpdates().makeAsyncIterator()
        await bench.central.notify(Self.oximeter, wave, [53] + Array(repeating: 1, count: 52))
        #expect(await updates.next()?.state == .streaming)
        #expect(await bench.supervisor.lastValue(of: Self.oximeter) == last)
    }

    @Test("a strap whose link ends twice by asking for it is not asked again, and keeps its heart rate")
    func fruitless() async throws {
        let bench = await Self.bench()
        // Asked for the subscription, it says nothing until the link is gone.
        await bench.central.holdSubscription(to: Self.control)
        await bench.addStrap()
        for _ in 0..<2 {
            try await bench.read(until: .ready)
            await bench.wait { $0.last == .subscribe(Self.control) }
            await bench.central.loseLink(Self.strap)
            try await bench.read(until: .waiting)
            await bench.central.advertise(Self.strap, rssi: -60)
        }
        try await bench.read(until: .ready)
        await bench.settle()
        #expect(await bench.central.calls.count { $0 == .subscribe(Self.control) } == 2)
        await bench.central.notify(Self.strap, "2a37", [0, 71])
        try await bench.read { $0.reading != nil }
    }

    @Test("its samples do not make a silent heart rate look alive")
    func silent() async throws {
        let bench = try await Self.readyBench()
        await Self.startWave(of: bench)
        await bench.central.notify(Self.strap, "2a37", [0, 71])
        try await bench.read { $0.reading != nil }
        let last = await bench.supervisor.lastValue(of: Self.strap)
        await bench.central.notify(Self.strap, Self.data, Self.frame(1))
        await bench.settle()
        #expect(await bench.supervisor.lastValue(of: Self.strap) == last)
    }
}

extension SensorSupervisor {
    /// When the newest value of a sensor came.
    fileprivate func lastValue(of address: String) -> Moment? {
        BluetoothAddress(address).flatMap { sessions[$0] }?.machine.lastValue
    }
}

extension [Int32] {
    fileprivate subscript(safe index: Int) -> Int32? { indices.contains(index) ? self[index] : nil }
}

extension WaveUpdate {
    /// The state, when this is one.
    fileprivate var state: WaveState? { if case .state(_, _, let state) = self { state } else { nil } }
}
