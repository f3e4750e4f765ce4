import Base
import Testing

@testable import BlueZSimulator

@Suite("The control point of a simulated strap's streams")
struct PolarStreamsTests {
    private static let settings = SimulatedVitals.Electrocardiogram()
    private static let startElectrocardiogram: [UInt8] = [2, 0, 0, 1, 0x82, 0, 1, 1, 0x0E, 0]

    @Test("it answers as Polar documents it")
    func documented() {
        var streams = PolarStreams()
        func answer(_ octets: [UInt8]) -> [UInt8] { streams.answer(octets, at: 0, Self.settings) }
        #expect(PolarStreams.features.count == 17 && PolarStreams.features.starts(with: [0x0F, 5, 0]))
        #expect(answer([1, 0]) == [0xF0, 1, 0, 0, 0, 0, 1, 0x82, 0, 1, 1, 0x0E, 0])
        #expect(
            answer([1, 2]) == [
                0xF0, 1, 2, 0, 0, 0, 4, 0x19, 0, 0x32, 0, 0x64, 0, 0xC8, 0, 1, 1, 0x10, 0, 2, 3, 2, 0, 4, 0, 8, 0,
            ])
        #expect(answer([5]) == [0xF0, 5, 0, 0, 0, 0, 2])
        #expect(answer(Self.startElectrocardiogram).prefix(5) == [0xF0, 2, 0, 0, 0])
        #expect(answer([2, 2, 2, 1, 8, 0, 0, 1, 0xC8, 0, 1, 1, 0x10, 0]) == [0xF0, 2, 2, 0, 0, 1])
        #expect(answer([5]) == [0xF0, 5, 0, 0, 0, 0x40, 0x42])
        #expect(answer([3, 0]) == [0xF0, 3, 0, 0, 0])
        #expect(answer([5]) == [0xF0, 5, 0, 0, 0, 0, 0x42])
        #expect(streams.running.map(\.rate) == [200] && streams.running.map(\.range) == [8])
    }

    @Test(
        "it refuses what it cannot do with the status for it",
        arguments: [
            ([], 1), ([7, 0], 1), ([1], 4), ([2], 4), ([1, 1], 3), ([2, 3], 3), ([1, 40], 2), ([3, 0], 6),
            // Settings that are missing, not offered, doubled, cut short or of an unknown kind.
            ([2, 0], 5), ([2, 0, 0, 1, 0x82, 0], 5), ([2, 0, 0, 1, 0x83, 0, 1, 1, 0x0E, 0], 5),
            ([2, 0, 0, 1, 0x82, 0, 0, 1, 0x82, 0], 5), ([2, 0, 0, 1, 0x82, 0, 1, 1, 0x0E], 5),
            ([2, 0, 0, 1, 0x82, 0, 1, 1, 0x0E, 0, 9, 1, 0, 0], 5), ([2, 0, 0, 2, 0x82, 0, 1, 1, 0x0E, 0], 5),
        ] as [([UInt8], UInt8)])
    func refusals(octets: [UInt8], status: UInt8) {
        var streams = PolarStreams()
        let answer = streams.answer(octets, at: 0, Self.settings)
        #expect(answer == [0xF0, octets.first ?? 0, octets.count > 1 ? octets[1] & 0x3F : 0, status])
        #expect(streams.running.isEmpty)
    }

    @Test("a stream that runs already cannot be started again, whatever its settings")
    func twice() {
        var streams = PolarStreams()
        _ = streams.answer(Self.startElectrocardiogram, at: 3, Self.settings)
        #expect(streams.answer(Self.startElectrocardiogram, at: 9, Self.settings) == [0xF0, 2, 0, 6])
        #expect(streams.running.map(\.begin) == [3])
    }

    @Test("it answers any octets, and only streams that it offers run")
    func anything() {
        var streams = PolarStreams()
        for index in 0..<20_000 {
            let noise = Noise(seed: UInt64(index))
            var octets = (0..<Int(noise.bits(at: 0) % 16)).map { UInt8(truncatingIfNeeded: noise.bits(at: 1 + $0)) }
            if !octets.isEmpty, index % 2 == 0 { octets[0] = octets[0] % 6 }
            if octets.count > 1, index % 4 == 0 { octets[1] = octets[1] % 4 }
            let answer = streams.answer(octets, at: Double(index), Self.settings)
            #expect(answer.count >= 4 && answer[0] == 0xF0 && answer[1] == octets.first ?? 0)
            #expect(Set(streams.running.map(\.kind)).count == streams.running.count && streams.running.count <= 2)
        }
    }

    // MARK: Frames

    private static func strap(_ fields: String = "true") throws -> SimulatedPeripheral {
        let text = """
            {sensors: [{name: 'S', address: 'C0:52:49:00:00:02', kind: 'heartRateStrap', electrocardiogram: \(fields)}]}
            """
        return SimulatedPeripheral(
            try Scenario(json5: text, file: "x").sensors[0], noise: Noise(seed: 3), period: nil)
    }

    private static func stamp(_ frame: [UInt8]) -> UInt64 {
        (1...8).reduce(0) { $0 | UInt64(frame[$1]) << (8 * ($1 - 1)) }
    }

    @Test(
        "a frame of the ECG has 73 samples of microvolts, and the stamp of the last one",
        arguments: [130, 127.4, 132.6])
    func electrocardiogramFrames(rate: Double) throws {
        let strap = try Self.strap("{sampleRate: \(rate)}")
        let settings = try #require(strap.vitals.electrocardiogram)
        _ = strap.streams.answer(Self.startElectrocardiogram, at: 20, settings)
        let stream = try #require(strap.streams.running.first)
        let frames = (0..<10).map { strap.frame($0, of: stream) }
        for frame in frames { #expect(frame.count == 229 && frame[0] == 0 && frame[9] == 0) }
        for (frame, next) in zip(frames, frames.dropFirst()) {
            #expect(abs(Double(Self.stamp(next) - Self.stamp(frame)) / 1e9 - 73 / rate) < 1e-6)
        }
        // The sensor's clock began in 2019, 2164 s before the scenario.
        #expect(abs(Double(Self.stamp(frames[0]) - 599_616_000_000_000_000) / 1e9 - 2164 - 20 - 73 / rate) < 1e-3)
        let samples = frames.flatMap { frame in
            stride(from: 10, to: 229, by: 3).map { place in
                // 24 bits with a sign, the lowest octet first.
                Int32(frame[place]) | Int32(frame[place + 1]) << 8 | Int32(Int8(bitPattern: frame[place + 2])) << 16
            }
        }
        #expect(samples.count == 730 && (800...1500).contains(samples.max() ?? 0))
        // Each sample is that of its time.
        for (index, sample) in samples.enumerated() {
            #expect(abs(Double(sample) - strap.microvolts(at: 20 + Double(index + 1) / rate)) <= 0.51)
        }
    }

    @Test("an ECG may begin late, and another stream does not wait for it")
    func late() throws {
        let strap = try Self.strap("{delay: 25}")
        let settings = try #require(strap.vitals.electrocardiogram)
        _ = strap.streams.answer(Self.startElectrocardiogram, at: 1, settings)
        _ = strap.streams.answer([2, 2, 0, 1, 0x19, 0, 1, 1, 0x10, 0, 2, 1, 2, 0], at: 1, settings)
        #expect(strap.streams.running.map(\.begin) == [26, 1])
        #expect(strap.streams.running.map { $0.nextFrame(at: 1) } == [0, 0])
        #expect(abs(strap.streams.running[1].due(0) - 1 - 36.0 / 25) < 1e-9)
    }

    @Test("a frame of the acceleration has gravity in it, plain or compressed")
    func acceleration() throws {
        for isCompressed in [false, true] {
            let strap = try Self.strap("{compressed: \(isCompressed)}")
            let settings = try #require(strap.vitals.electrocardiogram)
            _ = strap.streams.answer([2, 2, 0, 1, 0x19, 0, 1, 1, 0x10, 0, 2, 1, 2, 0], at: 0, settings)
            let frame = strap.frame(0, of: try #require(strap.streams.running.first))
            #expect(frame[0] == 2 && frame[9] == (isCompressed ? 0x81 : 1) && frame.count <= 244)
            #expect(isCompressed || frame.count == 10 + 36 * 6)
            let first = (0..<3).map { axis in
                Double(Int16(bitPattern: UInt16(frame[10 + 2 * axis]) | UInt16(frame[11 + 2 * axis]) << 8))
            }
            let length = first.map { $0 * $0 }.reduce(0, +).squareRoot()
            #expect(abs(length - 1000) < 40)
        }
    }

    @Test("a clock that begins again stamps earlier times, and a stream that sends too much stamps later ones")
    func stamps() throws {
        let strap = try Self.strap()
        let settings = try #require(strap.vitals.electrocardiogram)
        _ = strap.streams.answer(Self.startElectrocardiogram, at: 0, settings)
        let stream = try #require(strap.streams.running.first)
        let usual = Self.stamp(strap.frame(3, of: stream))
        strap.streams.runAhead(.electrocardiogram)
        let ahead = Self.stamp(strap.frame(3, of: try #require(strap.streams.running.first)))
        #expect(abs(Double(ahead - usual) / 1e9 - 73.0 / 130) < 1e-6)
        strap.streams.clockOrigin = 2
        #expect(Self.stamp(strap.frame(4, of: stream)) < usual)
    }
}
