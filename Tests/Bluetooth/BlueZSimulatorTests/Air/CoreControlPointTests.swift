import Base
import Testing

@testable import BlueZSimulator

@Suite("The control point of a simulated CORE")
struct CoreControlPointTests {
    @Test("takes a heart rate, which its values then have, until it is ended; anything else is refused")
    func externalHeartRate() {
        let description = SensorDescription(kind: .thermometer, name: "CORE 1A2B", address: "C0:52:49:00:00:01")
        let core = SimulatedPeripheral(description, noise: Noise(seed: 1), period: nil)
        let before = core.encoder(at: 0).coreBodyTemperature()
        #expect(core.answerOfCore(to: [0x13, 72]) == [0x80, 0x13, 1])
        let after = core.encoder(at: 0).coreBodyTemperature()
        // The flag of the heart rate, its state "receiving", and 72 beats a minute at the end.
        #expect(after.first == before.first.map { $0 | 0x10 })
        #expect(after.suffix(2).first == before.last.map { $0 | 0x20 })
        #expect(after.last == 72)
        #expect(core.answerOfCore(to: [0x13, 72, 73]) == [0x80, 0x13, 3])
        #expect(core.answerOfCore(to: [0x01]) == [0x80, 0x01, 2])
        #expect(core.answerOfCore(to: []) == nil)
        #expect(core.encoder(at: 0).coreBodyTemperature() == after)
        #expect(core.answerOfCore(to: [0x13]) == [0x80, 0x13, 1])
        #expect(core.encoder(at: 0).coreBodyTemperature() == before)
    }
}
