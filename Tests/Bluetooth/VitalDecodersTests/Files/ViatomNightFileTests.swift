import Testing
import VitalDecoders

struct ViatomNightFileTests {
    typealias Sample = ViatomNightFile.Sample

    /// The octets of a number, the lowest first.
    private static func word(_ number: UInt32, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * UInt32($0))) }
    }

    /// A file of an older ring that begins on 2026-09-21 at 22:13:20.
    private static func viatom(_ samples: [[UInt8]], duration: UInt32, size: UInt32? = nil) -> [UInt8] {
        let total = UInt32(40 + samples.count * 5)
        let head: [UInt8] = [3, 0] + word(2026, 2) + [9, 21, 22, 13, 20] + word(size ?? total, 4) + word(duration, 2)
        return head + [UInt8](repeating: 0, count: 40 - head.count) + samples.joined()
    }

    /// A complete file of a newer ring that begins on 2026-09-21 at 14:13:20.
    private static func oxyII(_ samples: [UInt8], interval: UInt8 = 1, channels: UInt8 = 3) -> [UInt8] {
        let front: [UInt8] = [1, 3, 0, 0, 0, 0, 0, 0, 4, 0] + samples
        let size = channels == 0 ? 2 : 3
        let end =
            word(front.reduce(0) { $0 + UInt32($1) }, 4) + [0x48, 0x12, 0x5A, 0xDA] + word(1_790_000_000, 4)
            + word(UInt32(samples.count / size), 4) + [interval, channels, UInt8(size)]
        return front + end + [UInt8](repeating: 0, count: 48 - end.count)
    }

    private static let start = DateTime(year: 2026, month: 9, day: 21, hour: 22, minute: 13, second: 20)

    @Test("an older ring's file has five octets a sample, 255 and 65535 for none")
    func older() throws {
        let file = try ViatomNightFile(
            Self.viatom([[97, 60, 0, 3, 0], [255, 255, 255, 0, 0], [88, 44, 1, 0, 0x80]], duration: 12))
        #expect(file.layout == .viatom && file.start == Self.start && file.interval == 4 && file.isComplete)
        #expect(
            file.samples == [
                Sample(saturation: 97, pulseRate: 60, movement: 3),
                Sample(saturation: nil, pulseRate: nil, movement: 0),
                Sample(saturation: 88, pulseRate: 300, movement: 0, hasReminded: true),
            ])
    }

    @Test("samples that are written twice each are one in four seconds")
    func doubled() throws {
        let pair: [[UInt8]] = [[97, 60, 0, 0, 0], [97, 60, 0, 0, 0], [96, 61, 0, 0, 0], [96, 61, 0, 0, 0]]
        let file = try ViatomNightFile(Self.viatom(pair, duration: 8))
        #expect(file.interval == 4 && file.samples.map(\.saturation) == [97, 96])
    }

    @Test("a newer ring's file has three octets a sample, or two without movement")
    func newer() throws {
        let file = try ViatomNightFile(Self.oxyII([97, 60, 3, 255, 255, 0, 88, 70, 0x85]))
        #expect(file.layout == .oxyII && file.interval == 1 && file.isComplete)
        #expect(file.start == DateTime(year: 2026, month: 9, day: 21, hour: 14, minute: 13, second: 20))
        #expect(
            file.samples == [
                Sample(saturation: 97, pulseRate: 60, movement: 3),
                Sample(saturation: nil, pulseRate: nil, movement: 0),
                Sample(saturation: 88, pulseRate: 70, movement: 5, hasReminded: true),
            ])
        let short = try ViatomNightFile(Self.oxyII([97, 60, 96, 61], interval: 4, channels: 0))
        #expect(short.interval == 4 && short.samples.map(\.pulseRate) == [60, 61])
    }

    @Test("without its end a newer ring's file is not complete")
    func incomplete() throws {
        let file = try ViatomNightFile(Array(Self.oxyII([97, 60, 3, 96, 61, 0]).prefix(16)))
        #expect(!file.isComplete && file.start == nil && file.samples.count == 2)
    }

    @Test(
        "a file that contradicts itself is refused with the place",
        arguments: [
            ([], 0), ([1, 3, 0], 3), ([3, 0, 1], 3), (Array("Time,SpO2".utf8), 0),
            (viatom([[97, 60, 0, 0, 0]], duration: 4, size: 46), 9), (viatom([[97, 60, 0, 0, 0]], duration: 0), 13),
            (viatom([], duration: 4), 40), (viatom([[97, 60, 0, 0, 0]], duration: 4000), 13),
            (Array(viatom([[97, 60, 0, 0, 0]], duration: 4).prefix(44)), 9),
            (oxyII([97, 60, 3], interval: 0), 29), ([1, 3] + [UInt8](repeating: 1, count: 1 << 20), 1 << 20),
        ] as [([UInt8], Int)])
    func refused(octets: [UInt8], offset: Int) {
        #expect { try ViatomNightFile(octets) } throws: { ($0 as? MalformedValueError)?.offset == offset }
    }

    @Test("any changed octet of a complete newer file is noticed, but for what its end only counts")
    func changed() throws {
        let file = Self.oxyII([97, 60, 3, 96, 61, 0])
        for place in 2..<16 {
            var other = file
            other[place] ^= 0x11
            #expect(throws: MalformedValueError.self) { try ViatomNightFile(other) }
        }
    }

    @Test("whatever octets come, they are a night or a sentence")
    func hostile() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<2000 {
            var octets =
                Bool.random(using: &generator)
                ? Self.oxyII([97, 60, 3, 96, 61, 0])
                : Self.viatom(
                    [[97, 60, 0, 3, 0], [96, 61, 0, 0, 0]], duration: 8)
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                octets[Int.random(in: octets.indices, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            if Bool.random(using: &generator) { octets.removeLast(Int.random(in: 0..<octets.count, using: &generator)) }
            if let file = try? ViatomNightFile(octets) {
                #expect((1...60).contains(file.interval) && file.samples.count <= octets.count)
            }
        }
    }
}
