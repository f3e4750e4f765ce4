import Monitoring
import Vitals

/// Every sound of Bedside, computed: the same samples each time.
package enum Sound: Hashable, Sendable {
    /// The burst of an alarm.
    case alarm(AlarmSound)
    /// The reminder of alarms whose sound is paused or off.
    case reminder
    case pulse(PulseTone)
    /// A steady tone of a second, to test the loudspeaker.
    case test

    var strokes: [Stroke] {
        switch self {
        case .alarm(let alarm): alarm.strokes
        case .reminder: [Stroke(start: 0, tone: Self.reminderTone)]
        case .pulse(let pulse): [Stroke(start: 0, tone: pulse.tone)]
        case .test: [Stroke(start: 0, tone: Self.testTone)]
        }
    }

    private static let reminderTone = Tone(
        frequency: Note.g4.frequency, length: Tone.samples(milliseconds: 300), ramp: Tone.samples(milliseconds: 90),
        timbre: .soft)

    /// The fundamental of the test tone in hertz; no alarm has it, not even as a harmonic.
    package static let testFrequency = 740.0

    private static let testTone = Tone(
        frequency: testFrequency, length: Tone.rate, ramp: Tone.samples(milliseconds: 100), timbre: .full)

    /// The rank of a sound: of two at the same time, the higher one is played.
    var rank: Int {
        switch self {
        case .pulse: 0
        case .reminder, .test: 1
        case .alarm(let alarm):
            switch alarm.priority {
            case .low: 2
            case .medium: 3
            case .high: 4
            }
        }
    }

    func amplitude(at volume: SoundVolume) -> Double {
        switch self {
        case .alarm(let alarm): volume.amplitude(of: alarm.priority)
        case .test: volume.amplitude(of: .medium)
        case .reminder, .pulse: volume.amplitude(of: .low) / 2
        }
    }

    package func samples(at volume: SoundVolume = SoundVolume()) -> [Int16] {
        var mixer = SoundMixer(volume: volume)
        mixer.play(self)
        var samples: [Int16] = []
        while !mixer.isSilent { mixer.render(Tone.rate / 100, into: &samples) }
        return samples
    }
}

/// How loud alarms are.
package struct SoundVolume: Hashable, Sendable {
    /// The possible percentages; no alarm can be silenced by them.
    package static let range = 10...100
    /// The least percentage for alarms of high priority.
    package static let highFloor = 50

    package let percent: Int

    /// Creates a volume, within the possible ones.
    package init(percent: Int = 80) {
        self.percent = min(max(percent, Self.range.lowerBound), Self.range.upperBound)
    }

    /// The amplitude of a priority; perceived loudness is about its square root.
    func amplitude(of priority: AlarmPriority) -> Double {
        let share = Double(priority == .high ? max(percent, Self.highFloor) : percent) / 100
        return 0.8 * share * share
    }
}
