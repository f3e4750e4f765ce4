import Base
import Testing

@Suite("Sine and cosine")
struct SineAndCosineTests {
    @Test("are exact to a step of 16 bits, for any number of turns")
    func sine() {
        for step in 0..<1000 {
            let (sine, cosine) = sineAndCosine(turns: Double(step) / 250)
            #expect(abs(sine * sine + cosine * cosine - 1) < 1e-8)
        }
        #expect(abs(sineAndCosine(turns: 1.0 / 12).sine - 0.5) < 1e-9)
        #expect(abs(sineAndCosine(turns: 1e6 + 1.0 / 8).cosine - 0.707_106_781) < 1e-6)
    }
}
