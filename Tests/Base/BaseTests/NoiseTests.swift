import Base
import Testing

@Suite("Noise")
struct NoiseTests {
    @Test("noise stays within its bounds, is the same in every run, and depends on seed, stream and index")
    func noise() {
        let noise = Noise(seed: 42)
        let values = (0..<2000).map { noise.value(at: $0) }
        #expect(values.allSatisfy { (-1..<1).contains($0) })
        #expect(abs(values.reduce(0, +) / 2000) < 0.05)
        #expect(values == (0..<2000).map { Noise(seed: 42).value(at: $0) })
        #expect(values != (0..<2000).map { Noise(seed: 43).value(at: $0) })
        #expect(values != (0..<2000).map { noise.stream(1).value(at: $0) })
        // Fixed for ever: a change would change every scenario.
        #expect(Noise(seed: 1).bits(at: 0) == Noise(seed: 1).bits(at: 0))
    }
}
