import Monitoring

/// Turns the decisions of the alarm engine into sound orders.
///
/// The engine decides when a burst begins, and what silences it. This type chooses the melody, and stops a burst whose
/// alarm was answered.
package struct SoundDirector: Sendable {
    /// The priority of the newest burst, until it is silenced.
    private var burst: AlarmPriority?

    /// Creates a director that has ordered nothing.
    package init() {}

    /// The orders after a change of the state.
    ///
    /// - Parameters:
    ///   - effects: The effects of the change.
    ///   - sounding: The priority that sounds now; `nil` for none.
    ///   - category: The category of the worst audible alarm; needed only when a burst begins.
    package mutating func orders(
        for effects: [Effect], sounding: AlarmPriority?, category: () -> SoundCategory
    ) -> [SoundOrder] {
        var orders: [SoundOrder] = []
        if let burst, sounding.map({ $0 < burst }) ?? true {
            orders.append(.stop)
            self.burst = nil
        }
        for effect in effects {
            switch effect {
            case .soundBurst(let priority, _):
                orders.append(.play(.alarm(AlarmSound(priority, category()))))
                burst = priority
            case .soundReminder: orders.append(.play(.reminder))
            default: break
            }
        }
        return orders
    }
}

/// A change of what is played.
package enum SoundOrder: Hashable, Sendable {
    /// Play a sound, unless a higher-ranked one plays.
    case play(Sound)
    /// Play a pulse tone after this many milliseconds, unless another sound plays then.
    case playLater(PulseTone, milliseconds: Int)
    /// Stop the present sound.
    case stop
    /// Stop a pulse tone, because its value is not live.
    case stopPulse
    /// Set the volume of sounds that begin from now on.
    case volume(SoundVolume)
    /// Answer whether a sound could be played now.
    case probe
}

extension SoundMixer {
    /// Carries out an order.
    package mutating func carryOut(_ order: SoundOrder) {
        switch order {
        case .play(let sound): play(sound)
        case .playLater(let tone, let milliseconds): play(tone, after: Tone.samples(milliseconds: milliseconds))
        case .stop: stop()
        case .stopPulse: stopPulse()
        case .volume(let volume): self.volume = volume
        case .probe: break
        }
    }
}

extension MonitorState {
    /// The category of the worst audible alarm.
    package var soundCategory: SoundCategory {
        audibleAlarm.map { soundPattern.melody(of: $0.kind, $0.vital) } ?? .general
    }
}

// An order as a line of text, for the process that sounds.
extension SoundOrder {
    /// The line, without its end.
    package var text: String {
        switch self {
        case .play(let sound): "play \(sound.name)"
        case .playLater(let tone, let milliseconds): "play-later \(milliseconds) \(Sound.pulse(tone).name)"
        case .stop: "stop"
        case .stopPulse: "stop-pulse"
        case .volume(let volume): "volume \(volume.percent)"
        case .probe: "probe"
        }
    }

    /// The longest delay of a tone, in milliseconds.
    private static let longestDelay = 10_000

    /// Creates the order of a line; `nil` for an invalid one.
    package init?(text: some StringProtocol) {
        let words = text.split(separator: " ")
        if words.count == 3, words[0] == "play-later", let milliseconds = Int(words[1]),
            (0...Self.longestDelay).contains(milliseconds), case .pulse(let tone) = Sound(name: String(words[2]))
        {
            self = .playLater(tone, milliseconds: milliseconds)
            return
        }
        switch (words.first, words.dropFirst().first) {
        case ("play", let name?):
            guard let sound = Sound(name: String(name)) else { return nil }
            self = .play(sound)
        case ("volume", let percent?):
            guard let percent = Int(percent) else { return nil }
            self = .volume(SoundVolume(percent: percent))
        case ("stop", nil): self = .stop
        case ("probe", nil): self = .probe
        case ("stop-pulse", nil): self = .stopPulse
        default: return nil
        }
    }
}
