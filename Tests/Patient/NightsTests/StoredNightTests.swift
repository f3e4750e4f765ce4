import Nights
import Testing
import VitalDecoders
import Vitals

struct StoredNightTests {
    private static let ring = SensorIdentity(address: "C0:52:49:00:00:09", name: "O2Ring", kind: .oximeter)

    @Test("a ring's file becomes a night that ends after its last sample")
    func file() {
        let samples = [
            ViatomNightFile.Sample(saturation: 97, pulseRate: 60, movement: 3),
            ViatomNightFile.Sample(saturation: nil, pulseRate: nil, movement: 0, hasReminded: true),
        ]
        let file = ViatomNightFile(layout: .viatom, start: nil, interval: 4, samples: samples, isComplete: true)
        let night = StoredNight(file, name: "20260921221320", of: Self.ring, start: 1000)
        #expect(
            night.samples == [
                NightSample(saturation: 97, pulseRate: 60, movement: 3),
                NightSample(saturation: nil, pulseRate: nil, movement: 0),
            ])
        #expect(night.range == 1000..<9000)
    }

    @Test("a part of a night has the samples that begin in it")
    func clipped() {
        let night = StoredNight(
            sensor: Self.ring, name: "x", start: 1000, interval: 4,
            samples: (1...5).map { NightSample(saturation: 90 + $0, pulseRate: nil) })
        #expect(night.clipped(to: .min ..< .max) == night)
        let part = night.clipped(to: 5001..<13_000)
        #expect(part.start == 9000 && part.samples.map(\.saturation) == [93])
        #expect(night.clipped(to: 5000..<13_001).samples.map(\.saturation) == [92, 93, 94])
        #expect(night.clipped(to: 30_000..<40_000).samples.isEmpty && night.clipped(to: 0..<1000).samples.isEmpty)
    }

    @Test("times at the end of the clock do not overflow")
    func extremes() {
        let night = StoredNight(
            sensor: Self.ring, name: "x", start: .max, interval: 4,
            samples: [NightSample(saturation: 97, pulseRate: nil)])
        #expect(night.range.isEmpty && night.end == .max)
    }
}
