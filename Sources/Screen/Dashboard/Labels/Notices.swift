import Base
import Monitoring
import Vitals
import Wording

/// Notices that alarms cannot be heard, seen or recorded at present.
struct Notices: Hashable {
    /// Short texts, the most important first: "SOUND PAUSED 1:47", "CARE Polar H10 4:12", "SNOOZED SpO₂ low 9:59".
    var lines: [String] = []

    /// Creates no notices.
    init() {}

    /// Determines the notices.
    init(_ state: borrowing MonitorState, screen: borrowing ScreenState, time: TimeText) {
        let glyphs = screen.glyphs
        let signal = state.signal
        let means = screen.soundMeans(state)
        if signal.isOff || means == .off {
            lines.append("\(glyphs.crossed) \(SoundMeans.off.text)")
        } else if means == .notAvailable {
            lines.append("\(glyphs.crossed) \(screen.soundlessText(state))")
        }
        if screen.session.ignoresConfiguration { lines.append("\(glyphs.crossed) CONFIGURATION NOT READ") }
        if let until = signal.pausedUntil {
            lines.append("\(glyphs.crossed) SOUND PAUSED \(time.countdown(to: until))")
        }
        for sensor in state.sensors {
            guard let until = state.carePause(address: sensor.identity.address) else { continue }
            let name = ellipsized(sanitized(sensor.identity.name), columns: 16, glyphs: glyphs)
            lines.append("\(glyphs.crossed) CARE \(name) \(time.countdown(to: until))")
        }
        for snooze in signal.snoozes {
            let name = glyphs.fit(snooze.key.text)
            lines.append("\(glyphs.crossed) SNOOZED \(name) \(time.countdown(to: snooze.until))")
        }
        if state.alarms.contains(where: { $0.kind == .storage && $0.phase != .pending }) {
            lines.append("\(glyphs.trouble) STORAGE")
        }
    }

    /// The ends of the countdowns, unsorted.
    static func ends(_ state: MonitorState) -> [Moment] {
        let signal = state.signal
        let cares = state.sensors.compactMap { state.carePause(address: $0.identity.address) }
        return [signal.pausedUntil].compactMap { $0 } + cares + signal.snoozes.map(\.until)
    }
}

extension ScreenState {
    /// The means of sound on this screen; the speakers of a viewed monitor may be far away.
    func soundMeans(_ state: MonitorState) -> SoundMeans {
        let isHere = session.viewedMonitor == nil && session.replay == nil
        return isHere && session.soundMeans != .off && state.environment.soundOutput == .working
            ? .speakers : session.soundMeans
    }

    /// The text that there is no sound, with the reason if known: "SOUND: none: no sound card".
    func soundlessText(_ state: MonitorState) -> String {
        switch state.environment.soundOutput {
        case .unavailable(let reason)?, .lost(let reason)?: "SOUND: none: \(sanitized(reason, limit: 40))"
        case .working?, nil: SoundMeans.notAvailable.text
        }
    }
}
