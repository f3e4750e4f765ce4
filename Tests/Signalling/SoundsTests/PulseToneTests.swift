import Testing
import Vitals

@testable import Sounds

@Suite("The tone of a pulse")
struct PulseToneTests {
    private func tone(_ percent: Int) -> Tone { PulseTone(saturation: VitalValue(whole: percent)).tone }

    @Test("the pitch falls by the same ratio with each percent, and stays within the range of alarms")
    func pitch() {
        for percent in 71...100 {
            #expect(abs(tone(percent).frequency / tone(percent - 1).frequency - 1.059_463) < 1e-5)
        }
        #expect(abs(tone(100).frequency - 880) < 1e-6)
        #expect(tone(70).frequency > 150)
        #expect(tone(40) == tone(70))
        let between = PulseTone(saturation: VitalValue(hundredths: 9750)).tone.frequency
        #expect(tone(97).frequency < between && between < tone(98).frequency)
    }

    @Test("there is a tremolo below 97 percent, and the tone is harsh below 90")
    func ranges() {
        #expect(tone(97).tremolo == 0)
        #expect(tone(96).tremolo > 0)
        #expect(tone(90).timbre == .soft)
        #expect(tone(89).timbre == .bright)
        #expect(tone(89).tremolo > 0)
    }

    @Test("it is softer than an alarm, and over before the next beat of the fastest measurable heart")
    func soft() throws {
        let samples = Sound.pulse(PulseTone(saturation: VitalValue(whole: 98))).samples()
        let alarm = Sound.alarm(AlarmSound(.low, .general)).samples()
        #expect(try #require(samples.max()) < #require(alarm.max()))
        #expect(samples.count < Tone.rate * 60 / 300)
    }
}
