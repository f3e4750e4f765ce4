import Monitoring

/// The burst of an alarm: its priority by rhythm, its category by melody.
///
/// The rhythm follows IEC 60601-1-8. High: ten pulses, in two groups of three and two. Medium: three slower ones. Low:
/// two. Even the longest burst is over before the next one may begin, after 2.5 seconds.
package struct AlarmSound: Hashable, Sendable {
    /// The priority.
    package var priority: AlarmPriority
    /// What the alarm is about.
    package var category: SoundCategory

    /// Creates the burst of an alarm.
    package init(_ priority: AlarmPriority, _ category: SoundCategory) {
        (self.priority, self.category) = (priority, category)
    }

    /// The milliseconds from the beginning of the burst to that of each pulse.
    package var onsets: [Int] {
        switch priority {
        case .high: [0, 175, 350, 700, 875, 1375, 1550, 1725, 2075, 2250]
        case .medium: [0, 370, 740]
        case .low: [0, 370]
        }
    }

    /// The length of a pulse in milliseconds, with its rise and fall.
    package var pulseLength: Int { priority == .high ? 140 : 240 }

    /// The milliseconds in which a pulse rises, and falls.
    package var ramp: Int { priority == .high ? 30 : 48 }

    var strokes: [Stroke] {
        let melody = category.melody
        return onsets.enumerated().map { index, onset in
            let tone = Tone(
                frequency: melody[index % melody.count].frequency,
                length: Tone.samples(milliseconds: pulseLength), ramp: Tone.samples(milliseconds: ramp), timbre: .full)
            return Stroke(start: Tone.samples(milliseconds: onset), tone: tone)
        }
    }
}

/// A tone at its time in a sound.
struct Stroke: Hashable, Sendable {
    /// The sample at which it begins.
    var start: Int
    var tone: Tone

    /// The sample after its last one.
    var end: Int { start + tone.length }
}
