import Base
import Testing

@testable import BlueZSimulator

@Suite("Quantities of a scenario")
struct QuantityTests {
    @Test("a wave is added to the curve")
    func waves() {
        let quantity = Quantity(curve: Curve(constant: 70), waves: [.init(amplitude: 3, period: 8)], noise: 0)
        #expect(quantity.value(at: 0, sample: 0, Noise(seed: 1)) == 70)
        #expect(abs(quantity.value(at: 2, sample: 0, Noise(seed: 1)) - 73) < 1e-9)
    }

    @Test("two players of one scenario send the same octets")
    func determinism() {
        let sensor = Scenario.wardEvening.sensors[1]
        func octets() -> [[UInt8]] {
            let peripheral = SimulatedPeripheral(sensor, noise: Noise(seed: 7), period: 900)
            return (0..<300).map { second in
                peripheral.nextSample(at: Double(second))
                return peripheral.octets(.heartRateMeasurement, at: Double(second))
            }
        }
        let first = octets()
        #expect(first == octets())
        #expect(Set(first).count > 100)
    }
}
