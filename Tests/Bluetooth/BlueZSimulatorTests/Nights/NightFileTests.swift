import Base
import Testing
import VitalDecoders

@testable import BlueZSimulator

@Suite("Nights that a scenario describes")
struct NightFileTests {
    /// A night of ten minutes at 96 % and 60 a minute with everything that can happen in one.
    private static func night(interval: Int) -> NightDescription {
        var night = NightDescription(
            start: .clock(DateTime(ringText: "2026-11-28 22:41:05")?.clockSeconds ?? 0), length: 600,
            interval: interval,
            saturation: Quantity(constant: 96), pulseRate: Quantity(constant: 60))
        night.falls = [NightDescription.Fall(at: 100, depth: 8, length: 20, recovery: 20)]
        night.gaps = [NightDescription.Spell(at: 200, length: 40)]
        night.weakPulses = [NightDescription.Spell(at: 300, length: 20)]
        night.movements = [NightDescription.Movement(spell: NightDescription.Spell(at: 400, length: 12), strength: 30)]
        night.reminder = 90
        return night
    }

    private static func file(_ night: NightDescription, isFinished: Bool = true) -> NightFile {
        NightFile(
            samples: night.samples(.max, Noise(seed: 1)), interval: night.interval, start: 1_795_905_665, falls3: 1,
            falls4: 1, isFinished: isFinished)
    }

    /// The described samples, as the decoders call them.
    private static func expected(_ night: NightDescription) -> [ViatomNightFile.Sample] {
        night.samples(.max, Noise(seed: 1)).map {
            ViatomNightFile.Sample(
                saturation: $0.saturation.map(UInt8.init), pulseRate: $0.pulseRate.map(UInt16.init),
                movement: UInt8($0.movement), hasReminded: $0.hasReminded)
        }
    }

    @Test("a fall, a gap, a weak pulse and a movement are where they are described")
    func samples() {
        let samples = Self.night(interval: 4).samples(.max, Noise(seed: 1))
        #expect(samples.count == 150)
        #expect(samples[25...35].map(\.saturation) == [96, 94, 93, 91, 90, 88, 90, 91, 93, 94, 96])
        #expect(samples.indices.filter { samples[$0].hasReminded } == [30])
        #expect(samples.indices.filter { samples[$0].pulseRate == nil } == Array(50..<60))
        #expect(samples.indices.filter { samples[$0].saturation == nil } == Array(50..<60) + Array(75..<80))
        #expect(samples.indices.filter { samples[$0].movement == 30 } == [100, 101, 102])
        #expect(samples.compactMap(\.pulseRate).allSatisfy { $0 == 60 })
    }

    @Test("noise is the same in every run, and a part of a night is the beginning of the whole")
    func noise() {
        var night = Self.night(interval: 1)
        night.saturation = Quantity(curve: Curve(constant: 95), waves: [], noise: 2)
        let samples = night.samples(.max, Noise(seed: 7))
        #expect(samples == night.samples(600, Noise(seed: 7)))
        #expect(night.samples(123, Noise(seed: 7)) == Array(samples.prefix(123)))
        #expect(samples != night.samples(600, Noise(seed: 8)))
        #expect(Set(samples.prefix(90).compactMap(\.saturation)) == [93, 94, 95, 96, 97])
    }

    @Test("the decoder of the older rings' files finds the described samples", arguments: [1, 2, 4])
    func viatom(interval: Int) throws {
        let night = Self.night(interval: interval)
        let octets = Self.file(night).viatomOctets()
        // Version 3, 2026-11-28 22:41:05, its length and 600 s.
        #expect(octets.prefix(9) == [3, 0, 0xEA, 7, 11, 28, 22, 41, 5])
        #expect(octets.count == 40 + 5 * 600 / interval && octets[13...14] == [0x58, 2])
        #expect(octets[17] == 96 && octets[18] == 88 && octets[19...20] == [1, 1] && octets[24] == 1)
        let decoded = try ViatomNightFile(octets)
        #expect(decoded.layout == .viatom && decoded.interval == interval && decoded.isComplete)
        #expect(decoded.start == DateTime(ringText: "2026-11-28 22:41:05"))
        #expect(decoded.samples == Self.expected(night))
    }

    @Test("the decoder of the newer rings' files finds the described samples, with and without the end")
    func oxyII() throws {
        let night = Self.night(interval: 1)
        let octets = Self.file(night).oxyIIOctets()
        let end = octets.count - 48
        #expect(end == 10 + 3 * 600 && octets.prefix(10) == [1, 3, 0, 0, 0, 0, 0, 0, 4, 0])
        #expect(octets[(end + 4)..<(end + 8)] == [0x48, 0x12, 0x5A, 0xDA])
        #expect(octets[(end + 16)...(end + 18)] == [1, 1, 3] && octets[(end + 34)...(end + 37)] == [96, 88, 1, 1])
        #expect(octets[octets.count - 1] == 60)
        let decoded = try ViatomNightFile(octets)
        #expect(decoded.layout == .oxyII && decoded.interval == 1 && decoded.isComplete)
        #expect(decoded.start == DateTime(ringText: "2026-11-28 22:41:05"))
        #expect(decoded.samples == Self.expected(night))
        let unfinished = try ViatomNightFile(Self.file(night, isFinished: false).oxyIIOctets())
        #expect(!unfinished.isComplete && unfinished.start == nil && unfinished.samples == decoded.samples)
    }

    @Test("the decoder does not believe a file with a wrong sum, nor an older ring's without an end")
    func damaged() {
        var file = Self.file(Self.night(interval: 4))
        file.hasWrongSum = true
        #expect(throws: MalformedValueError.self) { try ViatomNightFile(file.oxyIIOctets()) }
        #expect(throws: MalformedValueError.self) { try ViatomNightFile(file.viatomOctets()) }
        file.hasWrongSum = false
        file.isFinished = false
        #expect(throws: MalformedValueError.self) { try ViatomNightFile(file.viatomOctets()) }
    }

    @Test("a ring's clock is read, counted and written")
    func clock() throws {
        let time = try #require(DateTime(ringText: "2024-02-29,23:59:58"))
        #expect(time.digits == "20240229235958" && time.ringText == "2024-02-29,23:59:58")
        #expect(DateTime(clockSeconds: time.clockSeconds) == time && time.clockSeconds == 1_709_251_198)
        for text in ["", "2024-02-29", "2024-13-01,00:00:00", "2024-01-01,24:00:00", "2024-01-01,0x:00:00"] {
            #expect(DateTime(ringText: text) == nil, "\(text)")
        }
    }
}
