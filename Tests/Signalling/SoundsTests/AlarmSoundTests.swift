import Monitoring
import Testing
import Vitals

@testable import Sounds

@Suite("The bursts of alarms")
struct AlarmSoundTests {
    static let all = AlarmPriority.allCases.flatMap { priority in
        SoundCategory.allCases.map { AlarmSound(priority, $0) }
    }

    /// Where it is silent for at least ten milliseconds, as the ranges of samples between.
    private func pulses(_ samples: [Int16]) -> [Range<Int>] {
        var pulses: [Range<Int>] = []
        for (index, sample) in samples.enumerated() where sample != 0 {
            if let last = pulses.last, index - last.upperBound < Tone.rate / 100 {
                pulses[pulses.count - 1] = last.lowerBound..<index + 1
            } else {
                pulses.append(index..<index + 1)
            }
        }
        return pulses
    }

    @Test("the same sound has the same samples each time, which begin and end with silence", arguments: all)
    func deterministic(alarm: AlarmSound) {
        let samples = Sound.alarm(alarm).samples()
        #expect(samples == Sound.alarm(alarm).samples())
        #expect(samples.first == 0)
        #expect(samples.last == 0)
    }

    @Test("a burst has the pulses of its priority, at their times and of their length", arguments: all)
    func rhythm(alarm: AlarmSound) {
        let found = pulses(Sound.alarm(alarm).samples())
        let count = [AlarmPriority.high: 10, .medium: 3, .low: 2][alarm.priority]
        #expect(found.count == count)
        for (pulse, onset) in zip(found, alarm.onsets) {
            #expect(abs(pulse.lowerBound - Tone.samples(milliseconds: onset)) < Tone.rate / 1000)
            #expect(abs(pulse.count - Tone.samples(milliseconds: alarm.pulseLength)) < Tone.rate / 500)
        }
    }

    @Test("a burst is over before the next one may begin", arguments: all)
    func short(alarm: AlarmSound) {
        #expect(Sound.alarm(alarm).samples().count < Tone.rate * 5 / 2)
    }

    @Test("the fundamentals are those that the convention allows, and a pulse rises within 10 to 40 % of its length")
    func conventions() {
        for alarm in Self.all {
            for stroke in alarm.strokes {
                #expect((150.0...1000.0).contains(stroke.tone.frequency))
                #expect((stroke.tone.length / 10...stroke.tone.length * 4 / 10).contains(stroke.tone.ramp))
            }
        }
        #expect(abs(Note.c4.frequency - 261.6256) < 0.001)
        #expect(abs(Note.c5.frequency - 523.2511) < 0.001)
    }

    @Test("every two bursts differ, so that a listener can tell them apart")
    func distinct() {
        #expect(Set(Self.all.map { Sound.alarm($0).samples() }).count == Self.all.count)
    }

    @Test("an alarm's category follows from what it is about, and a technical one is about the equipment")
    func categories() {
        #expect(SoundCategory(.high, .heartRate) == .cardiac)
        #expect(SoundCategory(.severeLow, .pulseRate) == .cardiac)
        #expect(SoundCategory(.low, .oxygenSaturation) == .oxygen)
        #expect(SoundCategory(.feverSustained, .bodyTemperature) == .temperature)
        #expect(SoundCategory(.low, .glucose) == .general)
        for kind in AlarmKind.allCases where kind.alarmClass == .technical {
            #expect(SoundCategory(kind, .oxygenSaturation) == .equipment)
        }
    }

    @Test("no volume silences an alarm, and high priority has a floor")
    func volume() {
        func peak(_ priority: AlarmPriority, _ percent: Int) -> Int {
            let samples = Sound.alarm(AlarmSound(priority, .general)).samples(at: SoundVolume(percent: percent))
            return samples.map { Int($0.magnitude) }.max() ?? 0
        }
        #expect(SoundVolume(percent: -5).percent == SoundVolume.range.lowerBound)
        #expect(peak(.low, 0) > 200)
        #expect(peak(.high, 0) == peak(.high, SoundVolume.highFloor))
        #expect(peak(.high, 0) > 6000)
        #expect(peak(.high, 100) > peak(.high, SoundVolume.highFloor))
        #expect(peak(.high, 1000) < 32_000)
    }
}
