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

    @Test("times at the end of the clock do not overflow")
    func extremes() {
        let night = StoredNight(
            sensor: Self.ring, name: "x", start: .max, interval: 4,
            samples: [NightSample(saturation: 97, pulseRate: nil)])
        #expect(night.range.isEmpty && night.end == .max)
    }
}
