import Monitoring

/// Turns what the alarm engine decides into orders for what sounds.
///
/// The engine decides when a burst begins, and what silences it; here is only decided which melody it has, and that a
/// burst stops whose alarm has been answered.
package struct SoundDirector: Sendable {
    /// The priority of the newest burst, until it is silenced.
    private var burst: AlarmPriority?

    /// Creates a director that has ordered nothing.
    package init() {}

    /// The orders after a change of the state.
    ///
    /// - Parameters:
    ///   - effects: What the change asks for.
    ///   - sounding: The priority that sounds now; `nil` for none.
    ///   - category: The category of the worst alarm that is audible; needed only when a burst begins.
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

/// What is to be heard from now on.
package enum SoundOrder: Hashable, Sendable {
    /// A sound begins, unless a greater one sounds.
    case play(Sound)
    /// The tone of a pulse begins after this many milliseconds, unless something sounds then.
    case playLater(PulseTone, milliseconds: Int)
    /// What sounds stops.
    case stop
    /// A pulse tone stops, because its value is not live.
    case stopPulse
    /// The sounds that begin from now on are this loud.
    case volume(SoundVolume)
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
        }
    }
}

extension MonitorState {
    /// The category of the worst alarm that is audible.
    package var soundCategory: SoundCategory {
        audibleAlarm.map { SoundCategory($0.kind, $0.vital) } ?? .general
    }
}
