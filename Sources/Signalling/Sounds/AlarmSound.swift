import Monitoring

/// The burst of an alarm: the rhythm encodes its priority, the melody its category.
///
/// The rhythm follows IEC 60601-1-8. High: ten pulses, in two groups of three and two. Medium: three slower ones. Low:
/// two. Even the longest burst ends before the next one may begin, after 2.5 seconds.
package struct AlarmSound: Hashable, Sendable {
    package var priority: AlarmPriority
    /// The category of the alarm.
    package var category: SoundCategory

    /// Creates the burst of an alarm.
    package init(_ priority: AlarmPriority, _ category: SoundCategory) {
        (self.priority, self.category) = (priority, category)
    }

    /// The start of each pulse in milliseconds since the start of the burst.
    package var onsets: [Int] {
        switch priority {
        case .high: [0, 175, 350, 700, 875, 1375, 1550, 1725, 2075, 2250]
        case .medium: [0, 370, 740]
        case .low: [0, 370]
        }
    }

    /// The length of a pulse in milliseconds, including its rise and fall.
    package var pulseLength: Int { priority == .high ? 140 : 240 }

    /// The rise and the fall time of a pulse, in milliseconds.
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
    /// Its first sample.
    var start: Int
    var tone: Tone

    /// The sample after its last one.
    var end: Int { start + tone.length }
}
