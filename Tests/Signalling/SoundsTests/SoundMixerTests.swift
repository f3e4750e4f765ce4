import Monitoring
import Testing
import Vitals

@testable import Sounds

@Suite("What is heard of several sounds")
struct SoundMixerTests {
    private let high = Sound.alarm(AlarmSound(.high, .cardiac))
    private let medium = Sound.alarm(AlarmSound(.medium, .oxygen))
    private let pulse = Sound.pulse(PulseTone(saturation: VitalValue(whole: 98)))

    private func rendered(_ mixer: inout SoundMixer, milliseconds: Int) -> [Int16] {
        var samples: [Int16] = []
        mixer.render(Tone.samples(milliseconds: milliseconds), into: &samples)
        return samples
    }

    @Test("a higher priority takes over within the burst, after the fade of what sounded")
    func takeOver() {
        var mixer = SoundMixer()
        mixer.play(medium)
        let before = rendered(&mixer, milliseconds: 100)
        mixer.play(high)
        let after = rendered(&mixer, milliseconds: 2400)
        #expect(before == Array(medium.samples().prefix(before.count)))
        let alone = high.samples()
        #expect(
            Array(after[SoundMixer.fade...].prefix(alone.count)) == Array(alone.prefix(after.count - SoundMixer.fade)))
    }

    @Test("a lower priority does not interrupt a burst, and the same priority begins anew")
    func rank() {
        var mixer = SoundMixer()
        mixer.play(high)
        var heard = rendered(&mixer, milliseconds: 100)
        mixer.play(medium)
        mixer.play(pulse)
        mixer.play(.reminder)
        heard += rendered(&mixer, milliseconds: 400)
        #expect(heard == Array(high.samples().prefix(heard.count)))
        mixer.play(high)
        let again = rendered(&mixer, milliseconds: 500)
        #expect(Array(again[SoundMixer.fade...]) == Array(high.samples().prefix(again.count - SoundMixer.fade)))
    }

    @Test("what is stopped fades within 10 ms without a click, and what begins meanwhile is heard")
    func stop() {
        var mixer = SoundMixer()
        mixer.play(high)
        var heard = rendered(&mixer, milliseconds: 70)
        mixer.stop()
        heard += rendered(&mixer, milliseconds: 50)
        let end = Tone.samples(milliseconds: 70) + SoundMixer.fade
        #expect(heard[end...].allSatisfy { $0 == 0 })
        #expect(mixer.isSilent)
        let steps = zip(heard, heard.dropFirst()).map { abs(Int($1) - Int($0)) }
        #expect(
            steps[..<Tone.samples(milliseconds: 70)].max() ?? 0 >= steps[Tone.samples(milliseconds: 70)...].max() ?? 0)
        mixer.play(high)
        mixer.stop()
        mixer.play(medium)
        let next = rendered(&mixer, milliseconds: 200)
        #expect(Array(next[SoundMixer.fade...]) == Array(medium.samples().prefix(next.count - SoundMixer.fade)))
    }

    @Test("a pulse tone stops by itself where its value is lost, and no alarm stops with it")
    func stopPulse() {
        var mixer = SoundMixer()
        mixer.play(high)
        mixer.stopPulse()
        #expect(rendered(&mixer, milliseconds: 100) == Array(high.samples().prefix(4800)))
        mixer.stop()
        _ = rendered(&mixer, milliseconds: 20)
        mixer.play(pulse)
        _ = rendered(&mixer, milliseconds: 20)
        mixer.stopPulse()
        _ = rendered(&mixer, milliseconds: 10)
        #expect(mixer.isSilent)
    }

    @Test("it makes no difference in what pieces the samples are taken")
    func pieces() {
        var (whole, parts) = (SoundMixer(), SoundMixer())
        whole.play(medium)
        parts.play(medium)
        var samples: [Int16] = []
        for count in [1, 479, 4320, 9600] { parts.render(count, into: &samples) }
        #expect(rendered(&whole, milliseconds: 300) == samples)
    }

    @Test("a tone that is to begin later begins at its sample, in whatever portions sound is rendered")
    func later() {
        let tone = PulseTone(saturation: VitalValue(whole: 98))
        for portion in [1, 7, 20, 500] {
            var mixer = SoundMixer()
            mixer.play(tone, after: Tone.samples(milliseconds: 900))
            mixer.play(tone, after: Tone.samples(milliseconds: 200))
            #expect(!mixer.isSilent)
            var samples: [Int16] = []
            while samples.count < Tone.samples(milliseconds: 1400) {
                mixer.render(Tone.samples(milliseconds: portion), into: &samples)
            }
            let alone = Sound.pulse(tone).samples()
            for start in [200, 900].map({ Tone.samples(milliseconds: $0) }) {
                #expect(Array(samples[start...].prefix(alone.count)) == Array(alone.prefix(samples.count - start)))
                #expect(samples[start - 100..<start].allSatisfy { $0 == 0 })
            }
            #expect(mixer.isSilent)
        }
    }

    @Test("a tone that is to begin later is left out where its value is lost, and where an alarm sounds")
    func laterLost() {
        let tone = PulseTone(saturation: VitalValue(whole: 98))
        for stop in [SoundOrder.stopPulse, .stop] {
            var mixer = SoundMixer()
            mixer.play(tone, after: 100)
            mixer.carryOut(stop)
            #expect(mixer.isSilent)
        }
        var mixer = SoundMixer()
        mixer.play(high)
        mixer.play(tone, after: Tone.samples(milliseconds: 100))
        #expect(rendered(&mixer, milliseconds: 2000) == Array(high.samples().prefix(96_000)))
        for _ in 0..<1000 { mixer.play(tone, after: 1_000_000) }
        mixer.stop()
        _ = rendered(&mixer, milliseconds: 10)
        #expect(mixer.isSilent)
    }
}
