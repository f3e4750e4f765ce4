import SensorDrivers
import TestSupport
import Testing
import VitalDecoders
import Vitals
import Waves

@testable import KnownSensors
@testable import Sensors

@Suite("The ECG of a Polar strap")
struct PolarWaveDriverTests {
    private static let control = PolarWaveDriver.control
    private static let data = CharacteristicType.polarMeasurementData.uuid
    /// Exchanges of an H10, from the documentation of the Polar BLE SDK.
    private static let features: [UInt8] = [0x0F, 0x05] + Array(repeating: 0, count: 15)
    private static let settings: [UInt8] = [0xF0, 1, 0, 0, 0, 0, 1, 0x82, 0, 1, 1, 0x0E, 0]
    private static let started: [UInt8] = [0xF0, 2, 0, 0, 0]
    private static let start: [UInt8] = [2, 0, 0, 1, 0x82, 0, 1, 1, 0x0E, 0]

    private static let stopped: [UInt8] = [0xF0, 3, 0, 0, 0]

    private static func bench(
        _ waves: Set<WaveKind> = [.electrocardiogram], running: Set<WaveKind> = []
    ) -> DriverBench {
        var bench = DriverBench(PolarWaveDriver.self, waves: waves, runningWaves: running)
        bench.values[control] = features
        bench.connect(Attributes.polar)
        return bench
    }

    /// A strap whose ECG was started.
    private static func streaming() -> DriverBench {
        var bench = bench()
        bench.receive(settings, from: control)
        bench.receive(started, from: control)
        bench.receive(frame(1, [5, -5, 5]), from: data)
        return bench
    }

    /// A frame whose last sample was taken so many frames of three samples after the start of its clock.
    private static func frame(_ number: Int, _ microvolts: [Int32], cut: Int = 0) -> [UInt8] {
        let stamp = 599_616_000_000_000_000 + UInt64(number * 3) * 7_692_308
        let frame = PolarMeasurementFrame(
            type: .electrocardiogram, timestamp: stamp, content: .samples(microvolts, channels: 1))
        return Array(frame.octets.dropLast(cut))
    }

    @Test("is started with the settings that the strap offers, after both subscriptions")
    func start() {
        var bench = Self.bench()
        #expect(
            bench.requests.prefix(3).map(\.kind) == [.subscribe, .subscribe, .read])
        #expect(bench.requests.prefix(3).map(\.uuid) == [Self.control, Self.data, Self.control])
        #expect(bench.written(to: Self.control) == [[1, 0]])
        #expect(bench.waveStates == [.wanted])
        bench.receive(Self.settings, from: Self.control)
        #expect(bench.written(to: Self.control) == [[1, 0], Self.start])
        bench.receive(Self.started, from: Self.control)
        bench.receive(Self.frame(1, [5, -5, 5]), from: Self.data)
        #expect(bench.state == .streaming)
        #expect(bench.waveStates == [.wanted, .streaming])
        #expect(bench.waves.map(\.samples) == [[5, -5, 5]])
        #expect(bench.waves[0].placement.count == 3)
    }

    @Test("is stopped by the farewell, and nothing is that was not started")
    func farewell() {
        #expect(Self.streaming().conversation.farewell().map(\.kind) == [.write([3, 0])])
        #expect(Self.bench().conversation.farewell() == [])
        // Asked for, but not answered: it may run.
        var bench = Self.bench()
        bench.receive(Self.settings, from: Self.control)
        #expect(bench.conversation.farewell().map(\.kind) == [.write([3, 0])])
    }

    @Test("that runs already, since nobody stopped it, is as good as started")
    func alreadyRunning() {
        var bench = Self.bench()
        bench.receive(Self.settings, from: Self.control)
        bench.receive([0xF0, 2, 0, 6, 0], from: Self.control)
        bench.receive(Self.frame(1, [1, 2, 3]), from: Self.data)
        #expect(bench.waves.count == 1)
        #expect(bench.conversation.farewell().map(\.kind) == [.write([3, 0])])
    }

    @Test("that runs since an earlier link and that nobody wants any longer is stopped, after both subscriptions")
    func leftRunning() {
        var bench = Self.bench([], running: [.electrocardiogram])
        #expect(bench.requests.map(\.kind) == [.subscribe, .subscribe, .read, .write([3, 0])])
        #expect(bench.conversation.runningWaves == [.electrocardiogram])
        bench.receive(Self.stopped, from: Self.control)
        #expect(bench.conversation.runningWaves.isEmpty)
        #expect(bench.state == .finished)
        #expect(bench.reports.isEmpty)
    }

    @Test("is stopped even by a strap that does not say what it offers")
    func leftRunningWithoutFeatures() {
        var bench = DriverBench(PolarWaveDriver.self, runningWaves: [.electrocardiogram])
        bench.connect(Attributes.polar)
        #expect(bench.written(to: Self.control) == [[3, 0]])
    }

    @Test("is stopped before another is started that somebody wants")
    func stoppedFirst() {
        var bench = Self.bench(running: [.electrocardiogram, .acceleration])
        #expect(bench.written(to: Self.control) == [[3, 2]])
        bench.receive([0xF0, 3, 2, 6, 0], from: Self.control)
        #expect(bench.written(to: Self.control) == [[3, 2], [1, 0]])
        #expect(bench.conversation.runningWaves == [.electrocardiogram])
        // Wanted off again before it is started anew: it may run all the same.
        #expect(bench.conversation.farewell().map(\.kind) == [.write([3, 0])])
    }

    @Test(
        "that does not answer the stop is asked again, stays remembered, and the user is told",
        arguments: [true, false])
    func stopFails(isRefused: Bool) {
        var bench = Self.bench([], running: [.electrocardiogram])
        if isRefused {
            bench.receive([0xF0, 3, 0, 12, 0], from: Self.control)
        } else {
            bench.wait(.seconds(41))
            #expect(bench.written(to: Self.control) == Array(repeating: [3, 0], count: 4))
        }
        #expect(bench.state == .finished)
        #expect(bench.reports == [.notice(PolarWaveDriver.notStopped)])
        #expect(bench.conversation.runningWaves.isEmpty == isRefused)
    }

    @Test("that cannot be subscribed to says so only where something runs on")
    func refusedSubscription() {
        for running in [[], [.electrocardiogram]] as [Set<WaveKind>] {
            var bench = DriverBench(PolarWaveDriver.self, waves: [.electrocardiogram], runningWaves: running)
            bench.refuses = { $0.kind == .subscribe }
            bench.connect(Attributes.polar)
            #expect(bench.state == .finished)
            #expect(bench.reports == running.map { _ in .notice(PolarWaveDriver.notStopped) })
            let farewell = bench.conversation.farewell().map(\.kind)
            #expect(farewell == (running.isEmpty ? [] : [.subscribe, .write([3, 0])]))
        }
    }

    @Test("is asked for again a second after a refusal for the size of packets, and given up at any other")
    func refusals() {
        var bench = Self.bench()
        bench.receive(Self.settings, from: Self.control)
        bench.receive([0xF0, 2, 0, 10, 0], from: Self.control)
        #expect(bench.written(to: Self.control).count == 2)
        bench.wait(.seconds(1))
        #expect(bench.written(to: Self.control).count == 3)
        bench.receive(Self.settings, from: Self.control)
        bench.receive([0xF0, 2, 0, 13, 0], from: Self.control)
        #expect(bench.waveStates.last == .refused("The sensor does not start its electrocardiogram: in charger."))
        #expect(bench.conversation.farewell() == [])
    }

    @Test("is not there on a strap without one, whose conversation ends without a word")
    func without() {
        var bench = DriverBench(PolarWaveDriver.self, waves: [.electrocardiogram])
        bench.values[Self.control] = [0x0F, 0x04]
        bench.connect(Attributes.polar)
        #expect(bench.state == .finished)
        #expect(bench.written(to: Self.control).isEmpty)
        #expect(bench.reports.isEmpty)
    }

    @Test("that is silent for 45 s is stopped and started again")
    func silence() {
        var bench = Self.streaming()
        bench.wait(.seconds(46))
        #expect(bench.written(to: Self.control).suffix(2) == [[3, 0], [1, 0]])
        bench.receive(Self.settings, from: Self.control)
        bench.receive(Self.started, from: Self.control)
        bench.receive(Self.frame(9, [1, 2, 3]), from: Self.data)
        #expect(bench.waveStates.suffix(2) == [.wanted, .streaming])
    }

    @Test("that the strap stops by itself is started again after a while")
    func stoppedByItself() {
        var bench = Self.streaming()
        bench.receive([1, 0], from: Self.control)
        #expect(bench.waveStates.last == .ended)
        #expect(bench.conversation.farewell() == [])
        bench.wait(.seconds(10))
        #expect(bench.written(to: Self.control).last == [1, 0])
    }

    @Test("a frame that is cut short keeps its first samples, and the rest is missing at its true place")
    func cut() {
        var bench = Self.streaming()
        bench.receive(Self.frame(2, [7, 8, 9], cut: 2), from: Self.data)
        #expect(bench.waves.last?.samples == [7, 8, WavePiece.missing])
        bench.receive(Self.frame(3, [1, 2, 3]), from: Self.data)
        #expect(bench.waves.last?.placement.lost == 0)
    }

    @Test("octets that are no frame are reported as malformed, and the ECG goes on")
    func malformed() {
        var bench = Self.streaming()
        bench.receive([0, 1, 2], from: Self.data)
        #expect(bench.reports.contains { if case .malformed([0, 1, 2], _, _) = $0 { true } else { false } })
        bench.receive(Self.frame(2, [1, 2, 3]), from: Self.data)
        #expect(bench.waves.count == 2)
    }

    @Test("acceleration is started second, as slow and fine as the strap can, and only where it is wanted")
    func acceleration() {
        var bench = Self.bench([.electrocardiogram, .acceleration])
        bench.receive(Self.settings, from: Self.control)
        bench.receive(Self.started, from: Self.control)
        #expect(bench.written(to: Self.control).last == [1, 2])
        bench.receive(
            [
                0xF0, 1, 2, 0, 0, 0, 4, 0x19, 0, 0x32, 0, 0x64, 0, 0xC8, 0, 1, 1, 0x10, 0, 2, 3, 2, 0, 4, 0, 8, 0,
            ], from: Self.control)
        #expect(bench.written(to: Self.control).last == [2, 2, 0, 1, 0x19, 0, 1, 1, 0x10, 0, 2, 1, 2, 0])
        #expect(bench.conversation.farewell().map(\.kind) == [.write([3, 2]), .write([3, 0])])
    }

    @Test("whatever the strap sends, the conversation goes on or ends, and every sample has a time")
    func anything() {
        var random = SeededGenerator(seed: 5)
        for _ in 0..<200 {
            var bench = Self.bench(
                Bool.random(using: &random) ? [.electrocardiogram, .acceleration] : [.electrocardiogram],
                running: Bool.random(using: &random) ? [.acceleration] : [])
            for _ in 0..<30 where !bench.state.isOver {
                let octets = (0..<Int.random(in: 0...24, using: &random)).map { place -> UInt8 in
                    let likely: [UInt8] = place == 0 ? [0xF0, 0, 2, 1] : [0, 1, 2, 3, 0x80]
                    return Bool.random(using: &random)
                        ? likely.randomElement(using: &random) ?? 0 : UInt8.random(in: 0...255, using: &random)
                }
                bench.receive(octets, from: Bool.random(using: &random) ? Self.control : Self.data)
                if Bool.random(using: &random) { bench.wait(.seconds(Int.random(in: 0...60, using: &random))) }
            }
            #expect(bench.state.isOver || bench.hasTimer)
            for piece in bench.waves {
                #expect(piece.samples.count == piece.placement.count * piece.kind.traits.channels)
            }
        }
    }
}
