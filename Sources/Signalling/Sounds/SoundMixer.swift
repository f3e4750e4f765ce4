import Monitoring

/// Mixes sounds to samples: one sound at a time, a higher-ranked one takes over at once, without a gap or a click.
package struct SoundMixer: Sendable {
    /// The fade-out of an interrupted sound in samples: 10 ms.
    package static let fade = Tone.rate / 100

    /// The volume of sounds that begin from now on.
    package var volume: SoundVolume

    private var voice: Voice?
    /// The sound that begins when the present one has faded.
    private var next: Sound?
    /// The pulse tones that wait, the next one first.
    private var later: [Later] = []
    /// The number of rendered samples.
    private var position = 0

    private struct Later {
        /// Its first sample.
        var start: Int
        var tone: PulseTone
    }

    /// The limit of waiting tones: the most heart beats in the longest delay.
    private static let longestQueue = 32

    /// Creates a silent mixer.
    package init(volume: SoundVolume = SoundVolume()) {
        self.volume = volume
    }

    /// Whether nothing sounds or will without a new order.
    package var isSilent: Bool { voice == nil && next == nil && later.isEmpty }

    /// Begins a sound, unless a higher-ranked one plays.
    package mutating func play(_ sound: Sound) {
        guard let heard = next ?? voice.flatMap({ $0.isFading ? nil : $0.sound }) else {
            if voice == nil { voice = Voice(sound, volume) } else { next = sound }
            return
        }
        if sound.rank < heard.rank { return }
        voice?.beginFading()
        next = sound
    }

    /// Begins a pulse tone after this number of samples, unless another sound plays then.
    package mutating func play(_ tone: PulseTone, after samples: Int) {
        let start = position + max(0, samples)
        let place = later.firstIndex { $0.start > start } ?? later.endIndex
        later.insert(Later(start: start, tone: tone), at: place)
        if later.count > Self.longestQueue { later.removeLast() }
    }

    /// Fades out the present sound, and drops waiting pulse tones.
    package mutating func stop() {
        later = []
        next = nil
        voice?.beginFading()
    }

    /// Fades out a pulse tone and drops waiting ones; changes nothing else.
    package mutating func stopPulse() {
        later = []
        if case .pulse = next { next = nil }
        if case .pulse = voice?.sound { voice?.beginFading() }
    }

    /// Appends the next samples.
    package mutating func render(_ count: Int, into samples: inout [Int16]) {
        for _ in 0..<count {
            if let first = later.first, first.start <= position {
                later.removeFirst()
                play(.pulse(first.tone))
            }
            position += 1
            guard let sample = voice?.next() else {
                samples.append(0)
                continue
            }
            samples.append(Int16((sample * 32_767).rounded()))
            if voice?.isOver ?? true {
                voice = next.map { Voice($0, volume) }
                next = nil
            }
        }
    }
}

/// A sound that is being played.
private struct Voice: Sendable {
    let sound: Sound
    private let strokes: [Stroke]
    private let harmonics: Harmonics
    private let amplitude: Double
    private var position = 0
    private var stroke = 0
    /// The remaining samples of the fade; `nil` if it does not fade.
    private var fadeLeft: Int?

    init(_ sound: Sound, _ volume: SoundVolume) {
        self.sound = sound
        strokes = sound.strokes
        harmonics = Harmonics(strokes[0].tone.timbre)
        amplitude = sound.amplitude(at: volume)
    }

    var isFading: Bool { fadeLeft != nil }
    var isOver: Bool { stroke == strokes.count || fadeLeft == 0 }

    mutating func beginFading() {
        if fadeLeft == nil { fadeLeft = SoundMixer.fade }
    }

    /// The next sample; call it only before the end.
    mutating func next() -> Double {
        let current = strokes[stroke]
        var level = 0.0
        if position >= current.start {
            level = amplitude * current.tone.sample(at: position - current.start, harmonics)
        }
        position += 1
        if position == current.end { stroke += 1 }
        if let left = fadeLeft {
            level *= Double(left) / Double(SoundMixer.fade)
            fadeLeft = left - 1
        }
        return level
    }
}
